import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReport

/// `xferlog collect`, and the replay of its bundles.
@Suite struct CollectTests {
  private let directory = TemporaryDirectory()
  private static let samples = ToolRun.checkout + "/Samples"

  /// A sample log, with the options that reading it needs.
  struct Sample: Sendable, CustomTestStringConvertible {
    let path: String
    var options = ""
    var testDescription: String { String(path.dropFirst(CollectTests.samples.count + 1)) }

    static let all: [Sample] = {
      let files = FileManager.default
      func names(_ folder: String) -> [String] { ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
      let recorded = names(samples).map { "\(samples)/\($0)/log.xlog" }.filter(files.fileExists)
      // Logs that cannot be read at all give no bundle.
      let formats = names("\(samples)/Formats/v1").filter {
        $0.hasSuffix(".xlog") && !["unbegun.xlog", "unknown-incompatible-flag.xlog", "unknown-version.xlog"].contains($0)
      }
      let foreign = ForeignLogTests.Sample.all.map { sample in
        Sample(
          path: "\(sample.directory)/\(sample.name)",
          options: sample.options.replacing("--mapping ", with: "--mapping \(sample.directory)/").replacing("\n", with: " "))
      }
      return (recorded + formats.map { "\(samples)/Formats/v1/\($0)" }).map { Sample(path: $0) } + foreign
    }()
  }

  private static func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func collect(_ arguments: String...) throws -> ToolRun {
    try ToolRun(
      ToolRun.tool, ["collect"] + arguments, environment: ["XDG_STATE_HOME": directory.path("state")], in: directory.path("."))
  }

  private func manifest(_ bundle: String) throws -> [String: Any] {
    try Self.object(ToolRun("/usr/bin/unzip", ["-p", directory.path(bundle), "xferlog-bundle.json"]).text)
  }

  /// The events and gaps of a log as lines of JSON.
  private func lines(_ log: String) throws -> [String] { try ToolRun.xferlog("show", "--all", "-o", "ndjson", log).lines }

  // MARK: The verdict

  @Test(arguments: Sample.all)
  func `A bundle gives the verdict of the log on another machine`(_ sample: Sample) throws {
    let run = try ToolRun.bash(
      """
      cd "$work" && mkdir elsewhere || exit 9
      "$xferlog" collect $options "$log" -o bundle.zip >/dev/null 2>remarks || { cat remarks; exit 9; }
      if grep -q differs remarks; then cat remarks; exit 8; fi
      unzip -p bundle.zip xferlog-bundle.json && echo && echo -----
      cd elsewhere && mv ../bundle.zip other.zip && rm ../remarks
      TZ=Asia/Kathmandu LC_ALL=tr_TR.UTF-8 XDG_STATE_HOME=/dev/null unshare -u sh -c \
        'hostname elsewhere && "$xferlog" replay -o json --fail-on never other.zip 2>/dev/null'
      """,
      environment: [
        "work": directory.path, "log": sample.path, "options": sample.options, "XDG_STATE_HOME": directory.path("state"),
      ])
    try #require(run.status == 0, "\(run.text.prefix(500))")
    let parts = run.text.components(separatedBy: "-----\n")
    let (manifest, replay) = (try Self.object(parts[0]), try Self.object(parts[1]))
    #expect(manifest["verdict"] as? String == replay["verdict"] as? String)
    #expect(manifest["complete"] as? Bool == replay["complete"] as? Bool)
    var expected: [String: Int] = [:]
    for finding in manifest["findings"] as? [[String: Any]] ?? [] {
      let names = ["rule", "severity", "certainty", "fingerprint"]
      expected[names.map { "\(finding[$0] ?? "")" }.joined(separator: " ")] = finding["count"] as? Int
    }
    var found: [String: Int] = [:]
    for finding in replay["findings"] as? [[String: Any]] ?? [] {
      let names = ["rule", "severity", "certainty", "fingerprint"]
      found[names.map { "\(finding[$0] ?? "")" }.joined(separator: " "), default: 0] += 1
    }
    #expect(found == expected)
  }

  @Test func `A bundle has the events of the logs, with their places`() throws {
    for sample in ["killed-before-delivery", "missed-completion-handler"] {
      let log = "\(Self.samples)/\(sample)/log.xlog"
      #expect(try collect(log, "-o", "b.zip", "--overwrite").status == 0)
      #expect(try lines(directory.path("b.zip")) == lines(log))
      #expect(try ToolRun.xferlog("verify", directory.path("b.zip")).status == 0)
    }
    let segment = "\(Self.samples)/killed-before-delivery/log.xlog/000001.seg"
    #expect(try collect(segment, "-o", "segment.zip").status == 0)
    #expect(try lines(directory.path("segment.zip")) == lines(segment))
    let both = try collect(
      "\(Self.samples)/clean-run/log.xlog", "\(Self.samples)/ForeignLogs/har/browser.har", "-o", "both.zip")
    #expect(both.status == 0, "\(both.standardError)")
    let replay = try ToolRun.xferlog("replay", directory.path("both.zip"), "--fail-on", "never")
    #expect(!replay.standardError.contains("ignored"))
    #expect(replay.text.contains("\n163 events, 7 tasks (1 failed, 6 succeeded), 1 finding\n"))
    // A bundle of a bundle has the same events.
    #expect(try collect("both.zip", "-o", "again.zip").status == 0)
    #expect(try lines(directory.path("again.zip")).count == lines(directory.path("both.zip")).count)
  }

  @Test func `Equal logs give equal bundles`() throws {
    let full = try RecordedLog.sample(in: directory)
    for log in [full, "\(Self.samples)/clean-run/log.xlog", "\(Self.samples)/ForeignLogs/har/browser.har"] {
      #expect(try collect(log, "-o", "one.zip", "--overwrite").status == 0)
      let second = try ToolRun(
        ToolRun.tool, ["collect", log, "-o", "-"],
        environment: ["XDG_STATE_HOME": directory.path("state"), "TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"], in: "/")
      #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("one.zip"))) == Data(second.standardOutput))
    }
  }

  // MARK: Private values

  @Test func `A log in full mode is masked, sealed and otherwise unchanged`() throws {
    let log = try RecordedLog.sample(in: directory)
    let run = try collect(log, "-o", "b.zip")
    try #require(run.status == 0, "\(run.text) \(run.standardError)")
    #expect(run.lines.contains("found: nothing"))
    let (before, after) = (try lines(log), try lines(directory.path("b.zip")))
    #expect(before.count == after.count)
    // Only private texts differ.
    let masked = #"\{"hash":"[0-9a-f]{16}"\}"#
    for (one, other) in zip(before, after) where one != other {
      #expect(other.contains("{\"hash\":\""))
      #expect(try one.matches(of: Regex(Self.pattern(of: other, masked))).count == 1, "\(one)\n\(other)")
    }
    #expect(before.contains { $0.contains("31337") } && !after.contains { $0.contains("31337") })
    #expect(try ToolRun.xferlog("verify", directory.path("b.zip")).status == 0)
    // The same value has the same hash in another bundle, and another one under another key.
    let hashes = { (lines: [String]) in lines.filter { $0.contains("\"hash\"") } }
    _ = try collect(log, "-o", "again.zip")
    #expect(try hashes(lines(directory.path("again.zip"))) == hashes(after))
    try FileManager.default.removeItem(atPath: directory.path("state"))
    _ = try collect(log, "-o", "other.zip")
    #expect(try hashes(lines(directory.path("other.zip"))) != hashes(after))
  }

  /// Returns a regular expression that matches a line with any string in the place of each mask.
  private static func pattern(of line: String, _ mask: String) throws -> String {
    let parts = try line.split(separator: Regex(mask), omittingEmptySubsequences: false)
    return parts.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "\"(?:[^\"\\\\]|\\\\.)*\"")
  }

  @Test func `Bytes of a damaged log in full mode that cannot be decoded do not reach the bundle`() throws {
    let log = try RecordedLog(in: directory)
    let secret = "canary-5f1d-of-some-length"
    for number in 1...40 as ClosedRange<Int64> { log.emit(at: number, AppNoted(message: "note \(number) \(secret)")) }
    log.close()
    let segment = log.path + "/000001.seg"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    let places = bytes.indices.filter { bytes[$0...].starts(with: Data(secret.utf8)) }
    #expect(places.count == 40)
    bytes[places[20]] = UInt8(ascii: "X")
    try bytes.write(to: URL(fileURLWithPath: segment))
    let run = try collect(log.path, "-o", "b.zip")
    try #require(run.status == 0, "\(run.text) \(run.standardError)")
    #expect(try ToolRun("/usr/bin/unzip", ["-q", "-d", directory.path("out"), directory.path("b.zip")]).status == 0)
    let copy = try Data(contentsOf: URL(fileURLWithPath: directory.path("out/log-1.xlog/000001.seg")))
    #expect(copy.range(of: Data(secret.dropFirst().utf8)) == nil)
    let after = try lines(directory.path("b.zip"))
    #expect(after.filter { $0.contains("app.noted") }.count == 39)
    #expect(after.contains { $0.contains("\"gap\"") })
    #expect(!after.contains { $0.contains(secret.dropFirst()) })
  }

  @Test func `A masked value in a public place is found, named by its place, and prevents the bundle`() throws {
    let log = try RecordedLog(in: directory)
    let secret = "/albums/of-my-own-2026"
    let task = TaskIdentity(uid: TaskUID(high: 7, low: 9), session: "session for \(secret)", number: 1)
    log.emit(at: 1, SessionCreated(session: task.session, instance: CorrelationID(9), sessionKind: .default))
    log.emit(at: 2, TaskCreated(task: task, type: .download, host: "h.example", path: secret))
    log.close()
    let run = try collect(log.path, "-o", "b.zip")
    #expect(run.status == 1)
    #expect(run.lines.contains { $0.hasPrefix("found: masked-value in log-1.xlog/000001.seg, block ") })
    #expect(
      run.standardError.hasSuffix(
        "exit 1 (findings): masked-value found; nothing was written. If they may be passed on, add --allow masked-value\n"))
    #expect(!run.text.contains("albums") && !run.standardError.contains("albums"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path(".")).sorted() == ["run.xlog", "state"])
    let allowed = try collect(log.path, "-o", "b.zip", "--allow", "masked-value")
    #expect(allowed.status == 0)
    #expect(allowed.lines.contains { $0.hasSuffix("(allowed)") })
  }

  @Test func `Each kind of secret is recognised, and what only resembles it is not`() {
    let cases: [(kind: LeakKind, secrets: [String], others: [String])] = [
      (
        .authorization,
        ["Authorization: Basic dTpwYXNz", #""authorization":"Digest abc""#, "Proxy-Authorization=abcdef"],
        ["Authorization, Cookie", "authorization is required", #"["Authorization"]"#]
      ),
      (
        .bearerToken, ["Bearer abcdef0123", "bearer abcdefghijklmnopqrstuvwx"],
        ["Bearer authentication failed", "bearer tokens"]
      ), (.urlUserInfo, ["https://me:pw@h.example/", "ftp://me@h.example"], ["https://h.example/a@b", "https://h.example"]),
      (
        .signedQuery, ["?X-Amz-Signature=abcd", "/a?b=c&token=12345", "?clientSecret=abcdef"],
        ["?page=12345", "?token=", "&note=abcdef", "token=12345"]
      ), (.cookie, ["Cookie: id=abcdef", "set-cookie: sid=12345; Path=/"], ["Cookie: none", "cookies=3", "cookie jar"]),
      (.jwt, ["eyJhbGciOiJ9.eyJzdWIiOiIx.c2ln"], ["eyJhbGciOiJ9", "eyJ.eyJ.x", "keyJournal.entry"]),
      (
        .accessKey, ["AKIAIOSFODNN7EXAMPLE", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
        ["AKIA", "TAKIAIOSFODNN7EXAMPLE", "ghp_x"]
      ),
      (.privateKey, ["-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----"], ["-----BEGIN CERTIFICATE-----"]),
      (.emailAddress, ["jane.doe@mail.example", "<me@host.example>"], ["user@host", "@types/node", "a@b.c1"]),
      (
        .homeDirectory, ["/home/jane/a", "file:///Users/jane", #"C:\Users\jane"#],
        ["/homes/a", "/var/home2", "example.com/home/a"]
      ),
    ]
    #expect(Set(cases.map(\.kind)).union([.maskedValue]) == Set(LeakKind.allCases))
    func kinds(_ text: String) -> Set<LeakKind> {
      var scan = LeakScan(MaskedValues())
      scan.search(Array("before \(text)\n".utf8), at: "text")
      return Set(scan.leaks.map(\.kind))
    }
    for (kind, secrets, others) in cases {
      for text in secrets { #expect(kinds(text).contains(kind), "\(text)") }
      for text in others { #expect(!kinds(text).contains(kind), "\(text)") }
    }
  }

  @Test func `A masked value is found in every encoding, and its parts are`() {
    let values = MaskedValues()
    values.note("/müller/\"photos\" of 2026/confidential-report.pdf")
    let bytes = Array("/müller/\"photos\" of 2026/confidential-report.pdf".utf8)
    let encoded = Data(bytes).base64EncodedString()
    let texts = [
      String(decoding: bytes, as: UTF8.self), "confidential-report.pdf", encoded, Data([1] + bytes).base64EncodedString(),
      Data([1, 2] + bytes).base64EncodedString(), encoded.replacing("/", with: "_").replacing("+", with: "-"),
      "/m%C3%BCller/%22photos%22%20of%202026/confidential-report.pdf",
      "%2fm%c3%bcller%2f%22photos%22%20of%202026%2fconfidential-report.pdf",
      #"/m\u00fcller/\"photos\" of 2026/confidential-report.pdf"#, #"\/m\u00fcller\/\"photos\" of 2026\/confidential-report.pdf"#,
    ]
    for text in texts {
      var scan = LeakScan(values)
      scan.search(Array("x \(text) y".utf8), at: "text")
      #expect(scan.leaks.contains { $0.kind == .maskedValue }, "\(text)")
    }
    var scan = LeakScan(values)
    scan.search(Array("/müller/\"photos\" of 2027/confidential-reports.pdf, and eight bytes".utf8), at: "text")
    #expect(scan.leaks.isEmpty)
  }

  // MARK: Options

  @Test func `--check says what a bundle would have, and writes nothing`() throws {
    let run = try collect("--check", "\(Self.samples)/killed-before-delivery/log.xlog")
    #expect(run.status == 0)
    #expect(run.lines.last == "a bundle would have 88 events, 1 finding")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path(".")).isEmpty)
    #expect(try collect("--check", "-o", "b.zip", "\(Self.samples)/clean-run/log.xlog").status == 2)
  }

  @Test func `A part of a log is collected, and its replay says that it is incomplete`() throws {
    let log = "\(Self.samples)/hundred-tasks-five-at-a-time/log.xlog"
    let task = try #require(try ToolRun.xferlog("show", "--all", "-o", "ndjson", log, "--event", "task.created").lines.first)
    let name = try #require(Self.object(task)["task"] as? [String: Any])
    let selector = "\(name["session"] ?? "")/\(name["number"] ?? "")"
    let run = try collect(log, "--task", selector, "-o", "b.zip")
    try #require(run.status == 0, "\(run.standardError)")
    let events = try lines(directory.path("b.zip")).filter { $0.contains("\"event\":\"") }
    let expected = try ToolRun.xferlog("show", "--all", "-o", "ndjson", "--task", selector, log).lines
    #expect(events == expected.filter { $0.contains("\"event\":\"") })
    let replay = try ToolRun.xferlog("replay", directory.path("b.zip"), "--strict", "--fail-on", "never")
    #expect(replay.status == 4)
    #expect(replay.text.contains("the bundle has the events that --task selected"))
    let none = try collect(log, "--since", "2030-01-01", "-o", "none.zip")
    #expect(none.status == 3)
    #expect(!FileManager.default.fileExists(atPath: directory.path("none.zip")))
  }

  @Test func `Rules and a baseline are added, searched, and used for the verdict`() throws {
    let log = "\(Self.samples)/killed-before-delivery/log.xlog"
    let baseline = directory.path("known.yaml")
    #expect(try ToolRun.xferlog("baseline", "update", "--baseline", baseline, log).status == 0)
    #expect(try collect(log, "--baseline", baseline, "-o", "b.zip").status == 0)
    let manifest = try manifest("b.zip")
    #expect(manifest["accepted"] as? [String] == ["baseline.yaml"])
    #expect(manifest["verdict"] as? String == "clean")
    #expect(try !ToolRun.xferlog("replay", directory.path("b.zip")).standardError.contains("ignored"))
    let rules = directory.path("mine.yaml")
    try "# by jane.doe@mail.example\nrules: []\n".write(toFile: rules, atomically: true, encoding: .utf8)
    let run = try collect(log, "--rules", rules, "-o", "c.zip")
    #expect(run.status == 1)
    #expect(run.lines.contains("found: email-address in rules-1.yaml at byte 13"))
    #expect(!run.text.contains("jane"))
  }

  @Test func `Only a bundle is replaced, and nothing else is left`() throws {
    let log = "\(Self.samples)/clean-run/log.xlog"
    #expect(try collect(log).lines.last == "log.zip: 137 events, 0 findings")
    #expect(try collect(log).status == 0)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.path("notes.zip")))
    let refused = try collect(log, "-o", "notes.zip")
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("notes.zip already exists; not overwritten."))
    #expect(try collect(log, "-o", "nowhere/b.zip").status == 2)
    #expect(try collect("missing.xlog").status == 3)
    #expect(try collect("--allow", "everything", log).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path(".")).sorted() == ["log.zip", "notes.zip"])
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path("log.zip"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `An input that is incomplete stays incomplete in the bundle`() throws {
    let script = """
      cd "$work" && gzip -c "$har" | head -c 600 > cut.har.gz && "$xferlog" collect cut.har.gz -o b.zip >/dev/null 2>&1 && \
      "$xferlog" replay --strict --fail-on never b.zip
      """
    let run = try ToolRun.bash(
      script,
      environment: [
        "work": directory.path, "har": "\(Self.samples)/ForeignLogs/har/browser.har", "XDG_STATE_HOME": directory.path("state"),
      ])
    #expect(run.status == 4)
    #expect(run.text.contains("cut.har.gz was not read completely: the compressed data is truncated"))
  }
}
