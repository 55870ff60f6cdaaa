import Foundation
import LogTestSupport
import Testing
import XferImport

/// Conversions of foreign logs to logs of this package, by the built program.
@Suite struct ConversionTests {
  private let directory = TemporaryDirectory()

  private static func list(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  private func script(_ script: String, _ variables: [String: String] = [:]) throws -> ToolRun {
    try ToolRun.bash(
      "cd \"${in:-$work}\" || exit 99\n\(script)", environment: variables.merging(["work": directory.path]) { $1 })
  }

  /// Returns a replay without what names the inputs and the program's invocation.
  private static func answers(_ text: String) throws -> String {
    var document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    document["inputs"] = nil
    let data = try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys, .prettyPrinted])
    return String(decoding: data, as: UTF8.self)
  }

  private func replay(_ log: String, _ options: String = "", in place: String) throws -> String {
    let run = try script(
      "\"$xferlog\" replay --fail-on never -o json \(options) \"$log\" 2>/dev/null", ["log": log, "in": place])
    return try Self.answers(run.text)
  }

  // MARK: Same answers

  @Test(arguments: ForeignLogTests.Sample.all)
  func `A converted sample has the replay and the events of the original`(_ sample: ForeignLogTests.Sample) throws {
    let options = sample.options.trimmingCharacters(in: .whitespacesAndNewlines)
    let output = directory.path("out.xlog")
    let conversion = try script(
      "\"$xferlog\" import \(options) \(sample.name) -o \"$out\"", ["in": sample.directory, "out": output])
    #expect(conversion.status == 0, "\(conversion.standardError)")
    let original = try replay(sample.name, options, in: sample.directory)
    #expect(try replay(output, in: sample.directory) == original)
    let show = "\"$xferlog\" show -o json"
    let events = try script("\(show) \(options) \(sample.name) 2>/dev/null", ["in": sample.directory]).text
    #expect(try script("\(show) \"$out\" 2>/dev/null", ["out": output]).text == events)
  }

  /// Every third sample, because each is read ten times. The campaign reads all.
  private static let samples = ForeignLogTests.Sample.all.enumerated().filter { isCampaign || $0.offset % 3 == 0 }.map(\.element)

  @Test(arguments: samples)
  func `An exported sample has the findings of the original, also after a second conversion`(
    _ sample: ForeignLogTests.Sample
  ) throws {
    let options = sample.options.trimmingCharacters(in: .whitespacesAndNewlines)
    let variables = ["in": sample.directory, "work": directory.path]
    let run = try ToolRun.bash(
      """
      cd "$in"
      outline() { "$xferlog" replay --fail-on never "$@" 2>/dev/null | grep -v -e '^read:' -e '    evidence' -e '    line'; }
      # A gap names the file that is read.
      named() { sed -E -e 's/missing in [^,]*,/missing in LOG,/' -e 's/(copy of .*end of ).*/\\1LOG/' "$1"; }
      rows() { "$xferlog" show -o ndjson "$@" 2>/dev/null | sed -e 's/"source":{[^}]*}//' -e '/"writer":{/d' -e 's/"name":"[^"]*"//'; }
      outline \(options) \(sample.name) > "$work/original"
      "$xferlog" show -o ndjson \(options) \(sample.name) > "$work/rows" 2>/dev/null
      outline - < "$work/rows" > "$work/exported"
      "$xferlog" import "$work/rows" -o "$work/again.xlog" > /dev/null 2>&1 || echo "import failed"
      outline "$work/again.xlog" > "$work/again"
      rows \(options) \(sample.name) > "$work/first"
      rows "$work/again.xlog" > "$work/second"
      for file in exported again; do diff <(named "$work/original") <(named "$work/$file"); done
      diff "$work/first" "$work/second"
      """, environment: variables)
    #expect(run.text == "")
  }

  @Test(arguments: [
    "clean-run", "missed-completion-handler", "killed-before-delivery", "killed-in-mid-transfer", "moved-with-force",
  ])
  func `An exported log of this package has the findings of the log`(_ name: String) throws {
    let samples = URL(filePath: ForeignLogTests.Sample.folder).deletingLastPathComponent().path
    let run = try ToolRun.bash(
      """
      outline() { "$xferlog" replay --fail-on never "$@" 2>/dev/null | grep -v -e '^read:' -e '    evidence' -e '    line'; }
      log=$(ls -d "$samples/\(name)"/*.xlog)
      outline "$log" > "$work/original"
      "$xferlog" show -o ndjson "$log" 2>/dev/null > "$work/rows"
      outline "$work/rows" > "$work/exported"
      grep -c verdict "$work/original"
      diff "$work/original" "$work/exported"
      """, environment: ["samples": samples, "work": directory.path])
    #expect(run.text == "1\n")
  }

  @Test func `An export without some events is incomplete`() throws {
    let samples = URL(filePath: ForeignLogTests.Sample.folder).deletingLastPathComponent().path
    let run = try ToolRun.bash(
      """
      log=$(ls -d "$samples/clean-run"/*.xlog)
      "$xferlog" show -o ndjson "$log" 2>/dev/null | grep -v '"task.completed"' | "$xferlog" replay -o json - 2>/dev/null
      """, environment: ["samples": samples])
    let document = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any] ?? [:]
    #expect(document["complete"] as? Bool == false)
    #expect(
      "\(document["incompleteBecause"] ?? "")".contains("gaps in the sequence of a lane"),
      "\(document["incompleteBecause"] ?? "")")
  }

  @Test func `The export of an excerpt says that it is one`() throws {
    _ = try directory.write(Array(Self.console.utf8), to: "app.log")
    let run = try script(
      """
      "$xferlog" show -o ndjson app.log 2>/dev/null > rows
      "$xferlog" replay --fail-on never -o json rows 2>/dev/null
      """)
    let document = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any] ?? [:]
    #expect(document["complete"] as? Bool == false)
    let reasons = document["incompleteBecause"] as? [String] ?? []
    #expect(reasons.contains { $0.contains("app.log is an excerpt without a known beginning or end") }, "\(reasons)")
  }

  @Test(arguments: [AppleForm.json, .standard, .compact, .console, .device, .bare], seeds(2, campaign: 20))
  func `A converted log of Apple's has the replay of the original`(form: AppleForm, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let text = (0..<20).map { _ in AppleReplayTests.Lifecycle(seed: random.next()).text(in: form) }.joined()
    _ = try directory.write(Array(text.utf8), to: "app.log")
    let conversion = try script("\"$xferlog\" import app.log -o out.xlog")
    #expect(conversion.status == 0, "\(conversion.standardError)")
    #expect(try replay("out.xlog", in: directory.path) == replay("app.log", in: directory.path))
  }

  @Test func `Several inputs of one incident are converted together`() throws {
    let folder = ForeignLogTests.Sample.folder
    let run = try script(
      """
      mkdir in && cp "\(folder)/har/browser.har" "\(folder)/curl/verbose-retries.txt" in && gzip in/browser.har
      cp "\(folder)/logcat/threadtime.txt" . && "$xferlog" import in threadtime.txt -o out.xlog
      """)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(run.text.hasPrefix("out.xlog: 3 files, "), "\(run.text)")
    let both = try script("\"$xferlog\" replay --fail-on never -o json in threadtime.txt 2>/dev/null")
    #expect(try replay("out.xlog", in: directory.path) == Self.answers(both.text))
  }

  @Test func `A converted log is read together with other logs`() throws {
    let folder = ForeignLogTests.Sample.folder
    let run = try script(
      """
      "$xferlog" import "\(folder)/curl/verbose-retries.txt" -o a.xlog >/dev/null 2>&1
      "$xferlog" import "\(folder)/logcat/threadtime.txt" -o b.xlog >/dev/null 2>&1
      cp "\(folder)/har/browser.har" .
      "$xferlog" replay --fail-on never -o json a.xlog b.xlog browser.har 2>/dev/null
      """)
    let document = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any] ?? [:]
    let inputs = Self.list(document["inputs"])
    #expect(inputs.map { $0["format"] as? String } == ["xferlog", "xferlog", "har"])
    #expect(inputs.allSatisfy { ($0["events"] as? Int ?? 0) > 0 })
    let lines = Self.list(document["findings"]).flatMap { Self.list($0["evidence"]) }
    #expect(lines.allSatisfy { $0["text"] is String && $0["name"] is String })
    // Each converted log numbers its files from 1, and each line is quoted from its own file.
    for (name, path) in [("verbose-retries.txt", "curl/verbose-retries.txt"), ("threadtime.txt", "logcat/threadtime.txt")] {
      let original = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let cited = lines.filter { "\($0["name"] ?? "")".hasSuffix(name) }
      #expect(!cited.isEmpty, "\(name)")
      for evidence in cited {
        let line = try #require((evidence["source"] as? [String: Any])?["line"] as? Int)
        let text = try #require(evidence["text"] as? String)
        #expect(original[line - 1].contains(text), "\(name):\(line)")
      }
    }
    #expect(lines.contains { "\($0["name"] ?? "")".hasSuffix("browser.har") })
  }

  // MARK: Provenance

  private static let console = """
    2026-11-20 10:00:00.000000+0000 0x1 Default 0x0 9 0 App: Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> resuming, QOS(0x9)
    2026-11-20 10:01:00.000000+0000 0x1 Error 0x0 9 0 App: Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> finished with error [-1001] Error Domain=NSURLErrorDomain Code=-1001 "The request timed out." UserInfo={NSErrorFailingURLStringKey=https://example.com/a}

    """

  @Test func `Evidence cites the file, the line and its text after the original is gone`() throws {
    _ = try directory.write(Array(Self.console.utf8), to: "app.log")
    let run = try script(
      """
      "$xferlog" import app.log -o out.xlog >/dev/null 2>&1 && rm app.log
      "$xferlog" replay --fail-on never out.xlog 2>/dev/null
      echo ---
      "$xferlog" why 2 out.xlog 2>/dev/null
      echo ---
      "$xferlog" why 2 out.xlog -o json 2>/dev/null
      echo ---
      "$xferlog" replay --fail-on never out.xlog -o json 2>/dev/null
      """)
    let parts = run.text.components(separatedBy: "---\n")
    try #require(parts.count == 4)
    #expect(parts[0].contains("task.completed  app.log:2"), "\(parts[0])")
    #expect(parts[0].contains("    line      2026-11-20 10:01:00.000000+0000 0x1 Error"), "\(parts[0])")
    #expect(parts[1].contains("[task.completed app.log:2]"), "\(parts[1])")
    #expect(parts[1].contains("line  2026-11-20 10:01:00.000000+0000 0x1 Error"), "\(parts[1])")
    let why = try JSONSerialization.jsonObject(with: Data(parts[2].utf8)) as? [String: Any] ?? [:]
    let links = Self.list(why["chain"])
    #expect(links.contains { $0["name"] as? String == "app.log" && ($0["line"] as? String ?? "").contains("[-1001]") })
    let evidence = Self.list(Self.list(why["findings"]).first?["evidence"])
    #expect(evidence.contains { ($0["text"] as? String ?? "").contains("[-1001]") })
    let replay = try JSONSerialization.jsonObject(with: Data(parts[3].utf8)) as? [String: Any] ?? [:]
    let cited = Self.list(Self.list(replay["findings"]).first?["evidence"])
    #expect(cited.contains { $0["name"] as? String == "app.log" && ($0["text"] as? String ?? "").contains("[-1001]") })
  }

  @Test func `What the original does not tell stays unknown`() throws {
    let line = "10:00:00.000000 App: Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> resuming, QOS(0x9)\n"
    _ = try directory.write(Array("default\t\(line)".replacingOccurrences(of: " App: ", with: "+0000\tApp\t").utf8), to: "c.log")
    let run = try script("\"$xferlog\" import c.log -o out.xlog >/dev/null 2>&1; \"$xferlog\" show out.xlog -o ndjson")
    let events = run.lines.filter { $0.contains("\"event\":") }
    #expect(events.count == 2)
    #expect(events.allSatisfy { !$0.contains("\"time\"") && !$0.contains("\"pid\"") }, "\(run.text)")
  }

  @Test func `Masked values of an export stay masked`() throws {
    let samples = URL(filePath: ForeignLogTests.Sample.folder).deletingLastPathComponent().path
    let run = try ToolRun.bash(
      """
      log=$(ls -d "$samples/moved-with-force"/*.xlog)
      hashes() { "$xferlog" show -o ndjson "$@" 2>/dev/null | grep -o '"hash":"[0-9a-f]*"' | sort | uniq -c; }
      "$xferlog" show -o ndjson "$log" 2>/dev/null > "$work/rows" && "$xferlog" import "$work/rows" -o "$work/out.xlog" >/dev/null
      hashes "$log" > "$work/a"; hashes "$work/out.xlog" > "$work/b"; diff "$work/a" "$work/b" && wc -l < "$work/a"
      """, environment: ["samples": samples, "work": directory.path])
    #expect(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0, "\(run.text)\(run.standardError)")
  }

  @Test func `Damage of a converted log never makes its own records look like events of the original`() throws {
    let lines = (0..<6000).map { index in
      "2026-11-20 10:00:00.000000+0000 0x1 Default 0x0 9 0 App: Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<\(index)> resuming, QOS(0x9)\n"
    }
    _ = try directory.write(Array(lines.joined().utf8), to: "app.log")
    #expect(try script("\"$xferlog\" import app.log -o out.xlog").status == 0)
    let folder = URL(filePath: directory.path + "/out.xlog")
    var damaged = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".seg") {
      let whole = try Data(contentsOf: folder.appending(path: name))
      var place = whole.startIndex
      // An event follows the record that says where it was read. The two may be in different blocks, of which one is lost.
      while let block = whole.range(of: Data("XBLK".utf8), in: place..<whole.endIndex) {
        var copy = whole
        copy[block.lowerBound + 200] ^= 1
        try copy.write(to: folder.appending(path: name))
        let run = try script("\"$xferlog\" show out.xlog -o ndjson")
        let events = run.lines.filter { $0.contains("\"event\":") }
        #expect(!events.contains { $0.contains("\"event\":\"import.") }, "\(name), byte \(block.lowerBound)")
        if events.count < 6000, run.lines.contains(where: { $0.contains("\"gap\":") }) { damaged += 1 }
        place = block.upperBound
      }
      try whole.write(to: folder.appending(path: name))
    }
    #expect(damaged > 5, "\(damaged)")
  }

  // MARK: Refusals

  @Test func `An existing directory is not overwritten`() throws {
    _ = try directory.write(Array(Self.console.utf8), to: "app.log")
    let run = try script("mkdir out.xlog && \"$xferlog\" import app.log -o out.xlog; echo $?; ls -A out.xlog; ls -A")
    #expect(run.lines == ["2", "app.log", "out.xlog"])
    #expect(run.standardError.contains("out.xlog: it already exists and was not changed"), "\(run.standardError)")
  }

  @Test func `A log of this package is refused as the input of a conversion`() throws {
    _ = try directory.write(Array(Self.console.utf8), to: "app.log")
    let run = try script(
      """
      "$xferlog" import app.log -o out.xlog >/dev/null 2>&1
      "$xferlog" import out.xlog -o other.xlog; echo $?; ls -A
      """)
    #expect(run.lines == ["2", "app.log", "out.xlog"])
    #expect(run.standardError.contains("out.xlog is an xferlog log already"), "\(run.standardError)")
  }

  @Test(arguments: [
    ("a file without events", "printf 'default\\t10:00:00.0+0000\\tkernel\\tnothing\\n' > a.log", "a.log", 3),
    ("no such file", "true", "a.log", 3), ("an unknown format", "echo hello > a.log", "a.log", 2),
    ("no place", "echo hello > a.log", "a.log -o ''", 2),
  ])
  func `A conversion that fails leaves nothing behind`(_ what: String, setup: String, arguments: String, status: Int) throws {
    let run = try script("\(setup); \"$xferlog\" import -o out.xlog \(arguments); echo $?; ls -A | grep -v a.log")
    #expect(run.lines == ["\(status)"], "\(what): \(run.text) \(run.standardError)")
  }

  @Test func `A conversion that is killed leaves nothing at its path`() throws {
    let lines = (0..<200_000).map { index in
      "2026-11-20 10:00:00.000000+0000 0x1 Default 0x0 9 0 App: Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<\(index)> resuming, QOS(0x9)\n"
    }
    _ = try directory.write(Array(lines.joined().utf8), to: "app.log")
    for (signal, leftovers) in [("KILL", 1), ("TERM", 0)] {
      let run = try script(
        """
        "$xferlog" import app.log -o out.xlog >/dev/null 2>&1 &
        while ! ls -d .out.xlog.* >/dev/null 2>&1; do kill -0 $! || break; done
        kill -\(signal) $!; wait $!
        ls -d out.xlog 2>/dev/null; ls -A | grep -c -v app.log; rm -rf .out.xlog.*
        """)
      #expect(run.lines == ["\(leftovers)"], "\(signal): \(run.text)")
    }
  }

  @Test func `A converted log cannot be followed or added to`() throws {
    _ = try directory.write(Array(Self.console.utf8), to: "app.log")
    let run = try script(
      """
      "$xferlog" import app.log -o out.xlog >/dev/null 2>&1
      "$xferlog" tail -f --timeout 1s out.xlog; echo $?
      "$xferlog" emit --log out.xlog hello; echo $?
      "$xferlog" tail out.xlog --no-findings | wc -l
      """)
    #expect(run.lines == ["2", "2", "3"])
    #expect(run.standardError.contains("a converted log cannot be followed: nothing is added to it"), "\(run.standardError)")
    #expect(run.standardError.contains("it is a log that was converted from logs of other programs"), "\(run.standardError)")
  }

  @Test func `A converted log can be verified, salvaged and indexed`() throws {
    _ = try directory.write(Array(Self.console.utf8), to: "app.log")
    let run = try script(
      """
      "$xferlog" import app.log -o out.xlog >/dev/null 2>&1
      "$xferlog" verify out.xlog >/dev/null; echo $?
      "$xferlog" salvage out.xlog --output copy.xlog >/dev/null; echo $?
      "$xferlog" sql out.xlog 'SELECT count(*) FROM events' -o csv 2>/dev/null | tail -1
      "$xferlog" replay --fail-on never out.xlog 2>/dev/null > a; "$xferlog" replay --fail-on never copy.xlog 2>/dev/null | sed 's/^read: copy/read: out/' | diff a -
      """, ["XDG_CACHE_HOME": directory.path("cache")])
    #expect(run.lines == ["0", "0", "3"], "\(run.standardError)")
  }

  // MARK: Unrecognised lines

  @Test func `Unrecognised messages of known processes are listed without what identifies people`() throws {
    let text = """
      2026-11-20 10:00:00.000000+0000 0x1 Default 0x0 9 0 nsurlsessiond: Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> resuming, QOS(0x9)
      2026-11-20 10:00:01.000000+0000 0x1 Default 0x0 9 0 nsurlsessiond: Wibbling 17 frobs for user@example.com "Secret"
      2026-11-20 10:00:02.000000+0000 0x1 Default 0x0 9 0 nsurlsessiond: Wibbling 18 frobs for other@example.com "Secret"
      2026-11-20 10:00:03.000000+0000 0x1 Default 0x0 9 0 AcmeShop: (CFNetwork) frobbing AcmeShop for https://acme.example/
      2026-11-20 10:00:04.000000+0000 0x1 Default 0x0 9 0 AcmeShop: the app's own print

      """
    _ = try directory.write(Array(text.utf8), to: "app.log")
    let run = try script("\"$xferlog\" import app.log --unmatched; echo ---; \"$xferlog\" import app.log --unmatched -o json")
    let parts = run.text.components(separatedBy: "---\n")
    try #require(parts.count == 2)
    #expect(parts[0].contains("app.log (apple-log): 5 lines, 5 records, 1 recognised"), "\(parts[0])")
    #expect(parts[0].contains("3 unrecognised messages"), "\(parts[0])")
    for secret in ["example.com", "Secret", "acme", "Acme", "17", "18"] { #expect(!run.text.contains(secret), "\(run.text)") }
    let document = try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any] ?? [:]
    let kinds = Self.list(document["kinds"])
    #expect(kinds.map { $0["count"] as? Int } == [2, 1])
    #expect(kinds.first?["text"] as? String == "… … frobs for … …")
    #expect(kinds.first?["process"] as? String == "nsurlsessiond" && kinds.first?["line"] as? Int == 2)
    #expect(kinds.last?["process"] is NSNull)
    #expect(document["schema"] as? String == "xferlog.unmatched/1" && document["count"] as? Int == 3)
  }

  @Test func `Records of other formats are counted`() throws {
    let run = try script(
      "\"$xferlog\" import har/browser.har curl/trace-ids.txt --unmatched", ["in": ForeignLogTests.Sample.folder])
    #expect(run.lines.count == 3 && run.lines[0].hasPrefix("har/browser.har (har): 7 lines, "), "\(run.text)")
    #expect(run.lines.last == "0 unrecognised messages of processes that write about transfers")
  }
}

/// Findings in groups.
@Suite struct FindingGroupTests {
  private let directory = TemporaryDirectory()

  @Test func `Findings of several logs are grouped by rule and program`() throws {
    let folder = ForeignLogTests.Sample.folder
    let run = try ToolRun.bash(
      """
      cd "$in"
      "$xferlog" replay --fail-on never --group-by rule,program curl/verbose-retries.txt curl/trace-ids.txt har/browser.har \
      2>/dev/null
      echo ---
      "$xferlog" replay --fail-on never --group-by rule -o json curl/verbose-retries.txt har/browser.har 2>/dev/null
      """, environment: ["in": folder])
    let parts = run.text.components(separatedBy: "---\n")
    try #require(parts.count == 2)
    #expect(parts[0].split(separator: "\n").first?.split(separator: " ") == ["rule", "program", "findings", "tasks"])
    #expect(!parts[0].contains("evidence"), "\(parts[0])")
    let document = try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any] ?? [:]
    let groups = document["groups"] as? [[String: Any]] ?? []
    let findings = document["findings"] as? [[String: Any]] ?? []
    #expect(!groups.isEmpty && groups.reduce(0) { $0 + ($1["findings"] as? Int ?? 0) } == findings.count)
    for group in groups {
      let rule = (group["by"] as? [String: Any])?["rule"] as? String
      #expect(findings.count { $0["rule"] as? String == rule } == group["findings"] as? Int)
      #expect(findings[group["first"] as? Int ?? 0]["rule"] as? String == rule)
    }
  }

  @Test func `Findings are grouped by the versions of the system and the app`() throws {
    let rows = [("1.0", "iOS 18.1", "a"), ("1.1", "iOS 18.1", "b"), ("1.1", "iOS 26.0", "c")].map { version, system, id in
      """
      {"schema":"xferlog.event/1","time":"2026-11-20T10:00:00.000000000Z","mono":"1","level":"default","event":"process.started","launch":"0000000\(id)-0000-0000-0000-000000000001","pid":1,"role":"app","source":{"segment":1,"lane":1,"seq":0},"fields":{"launch":"0000000\(id)-0000-0000-0000-000000000001","executable":"Shop","version":"\(version)","osVersion":"\(system)","debugger":true}}

      """
    }
    let path = try directory.write(Array(rows.joined().utf8), to: "rows")
    let run = try ToolRun.xferlog("replay", path, "--group-by", "rule,os,app", "--fail-on", "never")
    let lines = run.lines.filter { $0.hasPrefix("non-representative-run") }.map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines.sorted() == [
        "non-representative-run iOS 18.1 Shop 1.0 1 0", "non-representative-run iOS 18.1 Shop 1.1 1 0",
        "non-representative-run iOS 26.0 Shop 1.1 1 0",
      ], "\(run.text)")
  }

  @Test(arguments: ["", "rule,", "colour", "rule,rule"])
  func `Unknown and repeated keys are refused`(_ keys: String) throws {
    let run = try ToolRun.xferlog("replay", "x.xlog", "--group-by", keys)
    #expect(run.status == 2 && run.standardError.contains("--group-by"), "\(run.standardError)")
  }
}

/// The options for foreign logs in the commands that read logs.
@Suite struct ForeignOptionTests {
  private let directory = TemporaryDirectory()

  @Test func `Tail, index and sql take a date and a zone as replay does`() throws {
    let line = "default\t10:00:00.000000\tApp\tTask <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> resuming, QOS(0x9)\n"
    let log = try directory.write(Array(line.utf8), to: "c.log")
    let options = ["--date", "2026-11-20", "--timezone", "+02:00"]
    let environment = ["XDG_CACHE_HOME": directory.path("cache")]
    let tail = try ToolRun.xferlog(["tail", "--no-findings", log, "-o", "ndjson"] + options)
    #expect(tail.text.contains("\"time\":\"2026-11-20T08:00:00.000000000Z\""), "\(tail.text)\(tail.standardError)")
    let query = "SELECT DISTINCT time FROM events"
    func answer(_ options: [String]) throws -> String {
      try ToolRun.xferlog(["sql", log, query, "-o", "csv"] + options, environment: environment).text
    }
    #expect(try answer(options).contains("2026-11-20T08:00:00"))
    // Other options give another index of the same file.
    #expect(try answer(["--date", "2026-11-21", "--timezone", "UTC"]).contains("2026-11-21T10:00:00"))
    let index = try ToolRun.xferlog(["index", log] + options, environment: environment)
    #expect(index.status == 0 && index.lines.first?.hasSuffix(".sqlite") == true, "\(index.standardError)")
  }
}

/// The description of a Pulse package.
@Suite struct PulseInfoTests {
  private static let store = "\(ForeignLogTests.Sample.folder)/pulse/logs.sqlite"

  private static func groups(_ info: String?, converted: Bool = false) throws -> [String] {
    let directory = TemporaryDirectory()
    let run = try ToolRun.bash(
      """
      mkdir "$work/app.pulse" && cp "$store" "$work/app.pulse/logs.sqlite" && cd "$work"
      if [ -n "$info" ]; then printf '%s' "$info" > app.pulse/info.json; fi
      log=app.pulse
      if [ -n "$converted" ]; then "$xferlog" import app.pulse -o app.xlog >/dev/null 2>&1; log=app.xlog; fi
      "$xferlog" replay $log --fail-on never --group-by app,os 2>/dev/null
      """,
      environment: [
        "store": store, "work": directory.path, "info": info ?? "", "converted": converted ? "yes" : "",
      ])
    return run.lines.prefix { !$0.hasPrefix("read:") }.map { $0.split(separator: " ").joined(separator: " ") }
  }

  private static let info = """
    {"storeId": "1", "appInfo": {"bundleIdentifier": "com.example.shop", "name": "Shop", "version": "2.1", "build": "77"},
     "deviceInfo": {"name": "phone", "systemName": "iOS", "systemVersion": "18.1"}}
    """

  @Test(arguments: [false, true])
  func `A package names its app and system`(converted: Bool) throws {
    let lines = try Self.groups(Self.info, converted: converted)
    #expect(lines.first == "app os findings tasks")
    #expect(lines.count == 2 && lines[1].hasPrefix("Shop 2.1 (77) iOS 18.1 "), "\(lines)")
  }

  @Test(arguments: [nil, "not JSON", "[]", #"{"appInfo": 7, "deviceInfo": {"systemName": null}}"#, #"{"appInfo": {"name": "#])
  func `Without a readable description, app and system are unknown`(_ info: String?) throws {
    let lines = try Self.groups(info)
    #expect(lines.count == 2 && lines[1].hasPrefix("the app unknown "), "\(lines)")
  }
}
