import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xfer ship`, with a server that verifies signatures by botocore, and what `xferlog` reads of the objects.
@Suite struct ShipTests {
  private let directory = TemporaryDirectory()
  private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Samples").path

  private func ship(_ words: String..., environment: [String: String] = [:]) throws -> ToolRun {
    try ToolRun("xfer", ["ship"] + words, environment: ownEnvironment.merging(environment) { $1 }, in: directory.path)
  }

  private var ownEnvironment: [String: String] { ["XDG_STATE_HOME": directory.path("state"), "TMPDIR": directory.path] }

  /// Copies a log, next to which a journal can be written.
  private func copy(_ sample: String, as name: String = "run.xlog") throws -> String {
    try? FileManager.default.removeItem(atPath: directory.path(name))
    try FileManager.default.copyItem(atPath: "\(Self.samples)/\(sample)/log.xlog", toPath: directory.path(name))
    return directory.path(name)
  }

  /// Opens a log of this process, with many small events.
  private func open(_ name: String = "run.xlog", mode: CaptureMode = .hashed) throws -> EventLog {
    try EventLog(
      directory: directory.path(name),
      configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(mode: mode, key: (1, 2)), lowestLevel: .debug))
  }

  private func emit(_ count: Int, to log: EventLog, path: String = "/file") {
    for number in 0..<count {
      let task = TaskIdentity(uid: TaskUID(high: 7, low: UInt64(number + 1)), session: "img", number: UInt32(number + 1))
      log.emit(TaskCreated(task: task, type: .download, method: "GET", scheme: "https", host: "h.example", path: path))
    }
  }

  /// What a replay says about a log, apart from the log's path.
  private func verdict(_ log: String) throws -> String {
    let run = try ToolRun("xferlog", ["replay", "-o", "json", log])
    let document = try #require(JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    let parts = ["verdict", "complete", "incompleteBecause", "events", "findings", "tasks", "wakes", "processes"]
    let kept = document.filter { parts.contains($0.key) }
    let text = try JSONSerialization.data(withJSONObject: kept, options: [.sortedKeys])
    return "\(run.status) "
      + String(decoding: text, as: UTF8.self).replacingOccurrences(
        of: #""segment":\{[^}]*\}"#, with: "", options: .regularExpression)
  }

  private func expectNoSecret(_ run: ToolRun) {
    for secret in [ObjectServer.secret, ObjectServer.token] { #expect(!(run.text + run.standardError).contains(secret)) }
  }

  /// The statistics of a log with many tasks, of which a replay would be long.
  private func figures(_ log: String) throws -> String {
    let run = try ToolRun("xferlog", ["stats", "-o", "json", log])
    var document = try #require(JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    document["inputs"] = nil
    return try String(decoding: JSONSerialization.data(withJSONObject: document, options: [.sortedKeys]), as: UTF8.self)
  }

  // MARK: What arrives

  @Test(arguments: ["killed-in-mid-transfer", "killed-before-delivery", "missed-completion-handler", "clean-run"])
  func `The objects are a log with the verdict of the original, and nothing is sent twice`(sample: String) throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy(sample)
    let original = try verdict(log)
    let run = try ship("--app", "maps", "--device", "ipad-17", log, "s3://logs/ios", environment: server.environment)
    #expect(run.status == 0 && run.standardError == "", "\(run.standardError)")
    expectNoSecret(run)
    let folder = try #require(server.names.first).split(separator: "/").dropLast().joined(separator: "/")
    #expect(folder.wholeMatch(of: /logs\/ios\/app=maps\/device=ipad-17\/run-[0-9a-f]{8}\.xlog/) != nil, "\(server.names)")
    let received = "\(server.objects)/\(folder)"
    let verification = try ToolRun("xferlog", ["verify", received])
    #expect(verification.status == 0, "\(verification.text)\(verification.standardError)")
    #expect(try verdict(received) == original)
    #expect(
      try ToolRun("xferlog", ["show", "--all", "-o", "cat", received]).text
        == ToolRun("xferlog", ["show", "--all", "-o", "cat", log]).text)

    let requests = server.requests.count
    let again = try ship("--app", "maps", "--device", "ipad-17", log, "s3://logs/ios", environment: server.environment)
    #expect(again.status == 0 && again.text.contains("0 segments shipped"), "\(again.text)")
    #expect(server.requests.count == requests)
    // Without the journal, the same objects are stored again.
    let names = server.names
    try FileManager.default.removeItem(atPath: "\(log).shipped")
    #expect(try ship("--app", "maps", "--device", "ipad-17", log, "s3://logs/ios", environment: server.environment).status == 0)
    #expect(server.names == names)
  }

  @Test func `A log that is still written is sent as far as it is, and completed later`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try open()
    emit(20_000, to: log)
    let early = try ship("--finished-only", "run.xlog", "s3://logs", environment: server.environment)
    #expect(early.status == 0, "\(early.standardError)")
    let finished = server.names.count
    let first = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(first.status == 0 && first.text.contains(", so far"), "\(first.text)\(first.standardError)")
    #expect(server.names.count > finished)
    func count(_ path: String) throws -> Int { try ToolRun("xferlog", ["show", "--all", "-o", "ndjson", path]).lines.count }
    let received = "\(server.objects)/logs"
    #expect(try count(received) == count(directory.path("run.xlog")))
    // Nothing was written meanwhile, so nothing is sent.
    let stored = server.stored.count
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(server.stored.count == stored)
    emit(30_000, to: log)
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(server.stored.count > stored)
    #expect(try count(received) == count(directory.path("run.xlog")))
    log.close()
    let last = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(last.status == 0 && !last.text.contains("so far"), "\(last.text)")
    #expect(try figures(received) == figures(directory.path("run.xlog")))
    #expect(try ToolRun("xferlog", ["verify", received]).status == 0)
  }

  @Test func `Private values that a log has in plain text are masked in what is sent`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try open(mode: .full)
    emit(10, to: log, path: "/top-secret")
    log.close()
    let run = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 0 && run.standardError.contains("masked in what is shipped"), "\(run.standardError)")
    let text = try ToolRun("xferlog", ["show", "--all", "-o", "ndjson", "\(server.objects)/logs"]).text
    #expect(text.contains("h.example") && !text.contains("top-secret"))
    #expect(
      try ToolRun("xferlog", ["show", "--all", "-o", "ndjson", "run.xlog"], in: directory.path).text.contains("top-secret"))
    let stored = server.stored.count
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(server.stored.count == stored)
  }

  @Test func `A copy in which a secret is found is not sent, and the place is named`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try open()
    let secret = "eyJhbGciOiJ9.eyJzdWIiOiIx.c2ln"
    log.emit(SessionCreated(session: "session of \(secret)", instance: CorrelationID(9), sessionKind: .default))
    log.close()
    _ = try copy("clean-run", as: "other.xlog")
    let run = try ship("run.xlog", "other.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 1 && run.standardError.contains("run.xlog: 000001.seg was not sent"), "\(run.standardError)")
    #expect(run.standardError.contains("jwt in 000001.seg, block 1 at byte ") && run.standardError.contains("add --allow jwt"))
    #expect(!(run.text + run.standardError).contains(secret))
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { !$0.path.contains("/run-") })
    let again = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(again.status == 1 && server.requests.allSatisfy { !$0.path.contains("/run-") })
    #expect(try ship("--allow", "jwt", "run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(server.stored.contains { $0.contains("/run-") })
  }

  @Test func `A masked value in a public place keeps a copy from being sent`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try open(mode: .full)
    let task = TaskIdentity(uid: TaskUID(high: 7, low: 9), session: "session for /albums/of-my-own-2026", number: 1)
    log.emit(SessionCreated(session: task.session, instance: CorrelationID(9), sessionKind: .default))
    log.emit(TaskCreated(task: task, type: .download, host: "h.example", path: "/albums/of-my-own-2026"))
    log.close()
    let run = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 1 && run.standardError.contains("masked-value in 000001.seg, block 1"), "\(run.standardError)")
    #expect(!run.standardError.contains("albums") && server.requests.isEmpty)
  }

  @Test func `A device's logs go to a server without signatures, with header fields from a file`() throws {
    let server = try ObjectServer(in: directory.path("server"), verifies: false)
    _ = try copy("clean-run", as: "app.xlog")
    _ = try copy("killed-in-mid-transfer", as: "daemon.xlog")
    try Data("Authorization: Bearer abc\nX-One: 1\n".utf8).write(to: URL(fileURLWithPath: directory.path("fields")))
    try FileManager.default.createDirectory(atPath: directory.path("journals"), withIntermediateDirectories: true)
    let run = try ship(
      "--header", "@fields", "--journal", "journals", "app.xlog", "daemon.xlog", "\(server.url)/in?key=secret-key")
    #expect(run.status == 0, "\(run.standardError)")
    #expect(!run.text.contains("secret-key"))
    #expect(server.requests.allSatisfy { $0.path.hasSuffix("?key=secret-key") && $0.method == "PUT" })
    let journals = try FileManager.default.contentsOfDirectory(atPath: directory.path("journals")).sorted()
    #expect(journals == ["app.xlog.shipped", "daemon.xlog.shipped"])
    for name in journals {
      #expect(try !String(contentsOfFile: directory.path("journals/\(name)"), encoding: .utf8).contains("secret-key"))
    }
    #expect(Set(server.names.map { $0.split(separator: "/")[1].prefix(4) }) == ["app-", "daem"])
  }

  // MARK: Faults

  @Test func `A ship that is killed in mid-upload is completed by the next one, and nothing is stored twice`() throws {
    let server = try ObjectServer(in: directory.path("server"), faults: ["ok", "hang"])
    let log = try open()
    emit(60_000, to: log)
    log.close()
    let process = ToolRun.process(
      "xfer", ["ship", "run.xlog", "s3://logs"], environment: ownEnvironment.merging(server.environment) { $1 },
      in: directory.path)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    #expect([server.nextResult(), server.nextResult()] == ["200", "hang"])
    #expect(server.stored.count == 1)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let run = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(
      server.names.count > 2 && Set(server.stored).count == server.stored.count && server.stored.count == server.names.count)
    #expect(try figures("\(server.objects)/logs") == figures(directory.path("run.xlog")))
  }

  @Test func `An object whose answer was lost is not sent again`() throws {
    let server = try ObjectServer(in: directory.path("server"), faults: ["lost"])
    _ = try copy("killed-in-mid-transfer")
    let run = try ship("--retries", "0", "run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 2 && run.standardError.contains("s3://logs/"), "\(run.standardError)")
    #expect(server.stored.count == 1)
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(Set(server.stored).count == server.stored.count && server.stored.count == 2)
    #expect(server.requests.contains { $0.method == "HEAD" && $0.status == "200" })
  }

  @Test(arguments: [["503", "503"], ["cut"], ["500", "cut"]])
  func `A server that fails and recovers gets all objects`(faults: [String]) throws {
    let server = try ObjectServer(in: directory.path("server"), faults: faults)
    let log = try copy("killed-in-mid-transfer")
    let run = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 0, "\(run.standardError)")
    #expect(server.requests.filter { $0.method == "PUT" }.map(\.status) == faults + ["200", "200"])
    #expect(try verdict("\(server.objects)/logs") == verdict(log))
  }

  @Test func `A server that stays unavailable is an error, after which the next run continues`() throws {
    let server = try ObjectServer(in: directory.path("server"), faults: ["ok", "503", "503"])
    _ = try copy("killed-in-mid-transfer")
    let run = try ship("--retries", "1", "run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 2 && run.standardError.contains("status 503, SlowDown"), "\(run.standardError)")
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(server.stored.count == 2 && server.names.count == 2)
  }

  @Test(arguments: [
    ("AWS_SECRET_ACCESS_KEY", "wrong/key", "SignatureDoesNotMatch", "Check AWS_SECRET_ACCESS_KEY."),
    ("AWS_ACCESS_KEY_ID", "AKIDOTHER", "InvalidAccessKeyId", "Check AWS_ACCESS_KEY_ID."),
    ("AWS_SESSION_TOKEN", "old", "InvalidToken", "Check AWS_SESSION_TOKEN, which may have expired."),
    ("AWS_REGION", "eu-north-1", "AuthorizationHeaderMalformed", "Check AWS_REGION and --endpoint."),
  ])
  func `Wrong credentials are named, are not retried, and are not printed`(
    name: String, value: String, code: String, advice: String
  ) throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy("clean-run")
    let run = try ship("run.xlog", "s3://logs", environment: server.environment.merging([name: value]) { $1 })
    #expect(run.status == 2 && run.standardError.contains(code) && run.standardError.contains(advice), "\(run.standardError)")
    #expect(server.names == [] && server.requests.count == 1)
    expectNoSecret(run)
    #expect(value == "eu-north-1" || !run.standardError.contains(value))
  }

  @Test func `Segments that were removed before they were sent are reported once`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try open()
    emit(20_000, to: log)
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    emit(100_000, to: log)
    log.close()
    let segments = try FileManager.default.contentsOfDirectory(atPath: directory.path("run.xlog")).filter { $0.hasSuffix(".seg") }
      .sorted()
    try #require(segments.count >= 4)
    let sent = server.names.count
    try #require(sent > 0 && sent < segments.count)
    // The segment that was sent in part, and the next one.
    for name in segments[(sent - 1)...sent] { try FileManager.default.removeItem(atPath: directory.path("run.xlog/\(name)")) }
    let run = try ship("--strict", "run.xlog", "s3://logs", environment: server.environment)
    #expect(run.status == 4, "\(run.standardError)")
    #expect(run.standardError.contains("segment \(sent) was removed from the log after only a part of it was shipped"))
    #expect(run.standardError.contains("segment \(sent + 1) was removed from the log before it was shipped"))
    let again = try ship("--strict", "run.xlog", "s3://logs", environment: server.environment)
    #expect(again.status == 0 && again.standardError == "", "\(again.standardError)")
  }

  @Test func `A log that was replaced by another one gets objects of its own`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy("killed-in-mid-transfer")
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    let before = server.names
    let log = try copy("missed-completion-handler")
    let run = try ship("run.xlog", "s3://logs", environment: server.environment)
    #expect(
      run.status == 0 && run.standardError.contains("another log than the one that was shipped before"), "\(run.standardError)")
    #expect(Set(server.names).isSuperset(of: before) && Set(server.names.map { $0.split(separator: "/")[1] }).count == 2)
    let new = try #require(Set(server.names).subtracting(before).first).split(separator: "/").dropLast().joined(separator: "/")
    #expect(try verdict("\(server.objects)/\(new)") == verdict(log))
    #expect(Set(server.stored).count == server.stored.count)
  }

  // MARK: The journal

  @Test func `A destination that could not be reached does not bind the journal`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy("killed-in-mid-transfer")
    let wrong = try ship("run.xlog", "http://127.0.0.1:1/logs")
    #expect(wrong.status == 2 && wrong.standardError.contains("cannot be reached"), "\(wrong.standardError)")
    #expect(FileManager.default.fileExists(atPath: directory.path("run.xlog.shipped")))
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(
      try verdict("\(server.objects)/\(server.names[0].split(separator: "/").dropLast().joined(separator: "/"))") == verdict(log))
  }

  @Test func `A journal that is damaged, or of another destination, is not used`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy("killed-in-mid-transfer")
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    let other = try ship("run.xlog", "s3://other", environment: server.environment)
    #expect(
      other.status == 2 && other.standardError.contains("that of another destination, s3://logs/"), "\(other.standardError)")
    #expect(try ship("--journal", "second", "run.xlog", "s3://other", environment: server.environment).status == 0)
    let path = directory.path("run.xlog.shipped")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let requests = server.requests.count
    for damaged in [
      "", "x", String(text.dropLast(3)), text.replacingOccurrences(of: "whole", with: "part"), text + text,
      text.replacingOccurrences(of: "xferlog-shipped 1", with: "xferlog-shipped 9"),
    ] {
      try damaged.write(toFile: path, atomically: true, encoding: .utf8)
      let run = try ship("run.xlog", "s3://logs", environment: server.environment)
      #expect(run.status == 2 && run.standardError.contains("is damaged, or is not a journal"), "\(run.standardError)")
    }
    #expect(server.requests.count == requests)
  }

  @Test(.enabled(if: geteuid() == 0))
  func `A full disk for the journal ends the ship, and nothing is lost`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy("killed-in-mid-transfer")
    let script = """
      mkdir "$work/full" && mount -t tmpfs -o size=8k none "$work/full" || exit 77
      head -c 1M /dev/zero > "$work/full/rest" 2>/dev/null
      "$xfer" ship --journal "$work/full/journal" run.xlog s3://logs
      """
    let run = try ToolRun(
      "/usr/bin/unshare", ["-m", "bash", "-c", script],
      environment: ownEnvironment.merging(server.environment) { $1 }.merging([
        "work": directory.path, "xfer": "\(ToolRun.directory)/xfer",
      ]) { $1 }, in: directory.path)
    #expect(run.status == 2 && run.standardError.contains("No space left on device"), "\(run.status) \(run.standardError)")
    #expect(try ship("run.xlog", "s3://logs", environment: server.environment).status == 0)
    #expect(try verdict("\(server.objects)/logs") == verdict(log))
  }

  @Test func `A server that redirects is not called unreachable`() throws {
    let answer = "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n"
    let server = try RawServer { _ in Array(answer.utf8) }
    defer { server.stop() }
    _ = try copy("killed-in-mid-transfer")
    let run = try ship("run.xlog", server.url("/dev"))
    #expect(run.status == 2 && run.standardError.contains("redirects to another address"), "\(run.standardError)")
    #expect(!run.standardError.contains("cannot be reached"))
  }

  // MARK: The command line

  @Test(arguments: [
    ("run.xlog", 2, "name a log and a destination"), ("run.xlog nowhere", 2, "not a URL that logs can be shipped to"),
    ("run.xlog ftp://h/x", 2, "not a URL that logs can be shipped to"),
    ("run.xlog http://u:pw@h/x", 2, "contains a user or a password"),
    ("run.xlog s3:///x", 2, "no valid name of a bucket"), ("run.xlog s3://b/x", 2, "set AWS_ACCESS_KEY_ID"),
    ("--endpoint http://h run.xlog http://h/x", 2, "--endpoint works only with an s3:// destination"),
    ("missing.xlog http://127.0.0.1:9/x", 3, "there is no log at missing.xlog"),
    ("--device a/b run.xlog http://127.0.0.1:9/x", 2, "--device 'a/b' is not possible"),
    ("--header nothing run.xlog http://127.0.0.1:9/x", 2, "not of the form 'NAME: VALUE'"),
    ("--header @nothing run.xlog http://127.0.0.1:9/x", 2, "cannot be read"),
    ("--retries 0 run.xlog http://127.0.0.1:9/x", 2, "cannot be reached"),
    ("--allow nothing run.xlog http://127.0.0.1:9/x", 2, "--allow"),
    ("--every 0 run.xlog http://127.0.0.1:9/x", 2, "--every 0"),
    ("--retries -1 run.xlog http://127.0.0.1:9/x", 2, "--retries"),
    ("run.xlog/000001.seg http://127.0.0.1:9/x", 2, "is a segment"),
  ])
  func `Wrong arguments are explained`(words: String, code: Int32, text: String) throws {
    _ = try copy("clean-run")
    let run = try ToolRun(
      "xfer", ["ship"] + words.split(separator: " ").map(String.init), environment: ownEnvironment, in: directory.path)
    #expect(run.status == code && run.standardError.contains(text), "\(run.status) \(run.standardError)")
    #expect(!run.standardError.contains("pw"))
    let advice = try ToolRun("xferlog", ["ship", "run.xlog", "s3://b"], in: directory.path)
    #expect(advice.standardError.contains("xfer ship"), "\(advice.standardError)")
  }

  @Test func `With --every, a growing log is sent until the command is interrupted`() throws {
    let server = try ObjectServer(in: directory.path("server"), faults: ["503"])
    let log = try open()
    emit(10, to: log)
    let process = ToolRun.process(
      "xfer", ["ship", "--retries", "0", "--every", "1", "run.xlog", "s3://logs"],
      environment: ownEnvironment.merging(server.environment) { $1 }, in: directory.path)
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    #expect([server.nextResult(), server.nextResult()] == ["503", "200"])
    emit(10, to: log)
    #expect(server.nextResult() == "200")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + SIGINT && process.terminationReason == .exit)
    log.close()
    #expect(try ToolRun("xferlog", ["show", "--all", "-o", "ndjson", "\(server.objects)/logs"]).lines.count > 20)
  }
}
