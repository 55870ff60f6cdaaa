import CXferPlatform
import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xfer ship --background`, with a server that verifies signatures by botocore and a daemon that has a network only when a test says so.
@Suite(.timeLimit(.minutes(5))) final class BackgroundShipTests {
  private let directory = TemporaryDirectory()
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
  private static let samples = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("Samples").path

  deinit {
    guard let daemon else { return }
    kill(daemon, SIGKILL)
  }

  private var environment: [String: String] {
    [
      "XDG_STATE_HOME": directory.path("state"), "TMPDIR": directory.path, "XFERD_DIR": directory.path("run"),
      "XFERLOG_DIR": directory.path("daemon.xlog"),
    ].merging(plannedDaemon) { $1 }
  }

  /// The variables that start the daemon by the script `planned-xferd`. Empty where no kill is planned.
  private var plannedDaemon: [String: String] = [:]

  /// The process of the listening daemon.
  private var daemon: pid_t? {
    let descriptor = xp_local_connect(directory.path("run/socket"))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (user, pid): (UInt32, Int32) = (0, 0)
    return xp_local_peer(descriptor, &user, &pid) ? pid : nil
  }

  private func network(_ state: String) throws {
    #expect(try ToolRun("xfer", ["conditions", "--network", state], environment: environment).status == 0)
  }

  private func ship(_ words: [String], to server: ObjectServer, _ more: [String: String] = [:]) throws -> ToolRun {
    try ToolRun(
      "xfer", ["ship"] + words, environment: environment.merging(server.environment) { $1 }.merging(more) { $1 },
      in: directory.path)
  }

  /// Ships in the background until the daemon has sent everything.
  ///
  /// - Parameter expected: The number of segments that are handed over meanwhile.
  private func finish(_ words: [String], to server: ObjectServer, handing expected: ClosedRange<Int> = 0...0) async throws {
    var handed = 0
    while true {
      let run = try ship(["--background"] + words, to: server)
      let count = run.text.firstMatch(of: /; (\d+) handed to xferd,/).flatMap { Int($0.1) }
      handed += try #require(count, "\(run.text)\(run.standardError)")
      try #require(run.status == 0 && handed <= expected.upperBound, "\(run.text)\(run.standardError)")
      if count == 0, run.text.contains(" 0 not sent yet,") { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(expected.contains(handed))
  }

  private func copy(_ sample: String = "killed-in-mid-transfer", as name: String = "run.xlog") throws -> String {
    try FileManager.default.copyItem(atPath: "\(Self.samples)/\(sample)/log.xlog", toPath: directory.path(name))
    return directory.path(name)
  }

  private func events(_ log: String) throws -> String { try ToolRun("xferlog", ["show", "--all", "-o", "cat", log]).text }

  private func journal(_ name: String = "run.xlog") throws -> String {
    try String(contentsOfFile: directory.path("\(name).shipped"), encoding: .utf8)
  }

  private var outbox: [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: directory.path("run.xlog.shipped.outbox"))
  }

  @Test func `The daemon sends the objects after the command has ended, and the next run notes the results`() async throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy()
    try network("down")
    let run = try ship(["--background", "run.xlog", "s3://logs/ios"], to: server)
    #expect(run.status == 0 && run.text.contains("2 handed to xferd"), "\(run.text)\(run.standardError)")
    #expect(server.requests.isEmpty && outbox?.count == 2)
    let again = try ship(["--background", "run.xlog", "s3://logs/ios"], to: server)
    #expect(again.status == 0 && again.text.contains("0 handed to xferd, 2 not sent yet"), "\(again.text)\(again.standardError)")

    try network("up")
    #expect([server.nextResult(), server.nextResult()] == ["200", "200"])
    try await finish(["run.xlog", "s3://logs/ios"], to: server)
    #expect(outbox == [])
    #expect(try !journal().contains("handed") && journal().split(separator: "\n").filter { $0.contains(" whole ") }.count == 2)
    let last = try ship(["run.xlog", "s3://logs/ios"], to: server)
    #expect(last.status == 0 && last.text.contains("0 segments shipped") && last.text.contains("2 unchanged"), "\(last.text)")
    #expect(server.requests.map(\.method) == ["PUT", "PUT"] && Set(server.stored).count == 2)
    #expect(try events("\(server.objects)/logs") == events(log))
  }

  @Test func `A run in the foreground sends what the daemon has not sent, and nothing twice`() async throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy()
    try network("down")
    #expect(try ship(["--background", "run.xlog", "s3://logs"], to: server).status == 0)
    let run = try ship(["run.xlog", "s3://logs"], to: server)
    #expect(run.status == 0 && run.text.contains("2 segments shipped"), "\(run.text)\(run.standardError)")
    #expect(outbox == nil)
    try network("up")
    try await finish(["run.xlog", "s3://logs"], to: server)
    #expect(server.stored.count == 2 && Set(server.stored).count == 2)
    #expect(try events("\(server.objects)/logs") == events(log))
  }

  @Test func `Uploads survive the end of the daemon by SIGKILL`() async throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy()
    try network("down")
    #expect(try ship(["--background", "run.xlog", "s3://logs"], to: server).status == 0)
    // The daemon answers this run only after it has read all messages of the first one.
    #expect(try ship(["--background", "run.xlog", "s3://logs"], to: server).text.contains(" 2 not sent yet,"))
    kill(try #require(daemon), SIGKILL)
    try network("up")
    try await finish(["run.xlog", "s3://logs"], to: server)
    #expect(server.stored.count == 2 && Set(server.stored).count == 2)
  }

  /// The first system calls by which a thread of `xfer` sends messages: to open the session, and to create and resume the tasks.
  @Test(arguments: 1...4) func `Nothing is lost or sent twice when the command is killed at a message to the daemon`(
    _ message: Int
  ) async throws {
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy()
    try network("down")
    let words = ["--background", "run.xlog", "s3://logs"]
    let kill = SystemCallTracer.arguments(output: directory.path("trace"), Injection("sendto", message...message, "signal=KILL"))
    let run = try ToolRun(
      SystemCallTracer.program, kill + ["\(ToolRun.directory)/xfer", "ship"] + words,
      environment: environment.merging(server.environment) { $1 }, in: directory.path)
    #expect(run.status == 128 + SIGKILL, "\(run.text)\(run.standardError)")
    try network("up")
    try await finish(["run.xlog", "s3://logs"], to: server, handing: 0...2)
    #expect(server.stored.count == 2 && Set(server.stored).count == 2)
    #expect(try events("\(server.objects)/logs") == events(log))
  }

  /// The daemon's events while it gets the two tasks: it links with the app, holds both tasks, and the link ends.
  @Test(arguments: ["2:5:before", "3:1:before", "3:1:after-commit", "3:2:before", "2:6:before"])
  func `Nothing is lost or sent twice when the daemon is killed at an event`(_ event: String) async throws {
    let plan = directory.path("plan")
    try FileManager.default.createDirectory(atPath: plan, withIntermediateDirectories: true)
    try "env XFERLOG_TEST_KILL=\(event)".write(toFile: "\(plan)/0.command", atomically: false, encoding: .utf8)
    plannedDaemon = [
      "XFERD": "\(Self.tests)/Support/planned-xferd", "XFERD_PLAN": plan, "XFERD_PLANNED": "\(ToolRun.directory)/xferd",
    ]
    let server = try ObjectServer(in: directory.path("server"))
    let log = try copy()
    try network("down")
    _ = try ship(["--background", "run.xlog", "s3://logs"], to: server)
    while !FileManager.default.fileExists(atPath: "\(plan)/0.status") { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try String(contentsOfFile: "\(plan)/0.status", encoding: .utf8) == "137\n")
    try network("up")
    try await finish(["run.xlog", "s3://logs"], to: server, handing: 0...2)
    #expect(server.stored.count == 2 && Set(server.stored).count == 2)
    #expect(try events("\(server.objects)/logs") == events(log))
  }

  @Test func `The daemon gets a signed URL, but not the secret key, and its log has neither`() async throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy()
    try network("down")
    #expect(try ship(["--background", "run.xlog", "s3://logs"], to: server).status == 0)
    func files(with text: String) throws -> [String] {
      try ToolRun("/bin/grep", ["-rlaF", "--", text, directory.path]).lines.filter { !$0.contains("/server/") }
    }
    // The daemon's database is encrypted, so the search would not find a key in it. But the request would have it.
    #expect(try files(with: ObjectServer.secret) == [])
    try network("up")
    try await finish(["run.xlog", "s3://logs"], to: server)
    #expect(try files(with: ObjectServer.secret) == [] && files(with: "X-Amz-Signature") == [])
    #expect(server.requests.count == 2)
    for request in server.requests {
      #expect(request.path.contains("X-Amz-Expires=604800&") && request.path.contains("&X-Amz-Signature="))
      #expect(request.path.removingPercentEncoding.map { !$0.contains(ObjectServer.secret) } ?? false)
    }
    let log = try ToolRun("xferlog", ["show", "--all", "-o", "ndjson", directory.path("daemon.xlog")]).text
    #expect(log.contains("task.held") && !log.contains("Signature") && !log.contains("SESSION") && !log.contains("AKID"))
  }

  @Test func `An object that the server refused in the background is reported and handed over again`() async throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy("clean-run")
    let words = ["--background", "run.xlog", "s3://logs"]
    #expect(try ship(words, to: server, ["AWS_SECRET_ACCESS_KEY": "wrong"]).status == 0)
    #expect(server.nextResult() == "403")
    var run = try ship(words, to: server)
    while run.text.contains(" 1 not sent yet") {
      try await Task.sleep(for: .milliseconds(20))
      run = try ship(words, to: server)
    }
    #expect(run.status == 2 && run.standardError.contains("xferd gets these objects again"), "\(run.standardError)")
    #expect(run.standardError.contains("SignatureDoesNotMatch"), "\(run.standardError)")
    #expect(server.nextResult() == "200")
    try await finish(["run.xlog", "s3://logs"], to: server)
    #expect(server.stored.count == 1)
  }

  @Test func `A segment that grows while the daemon has its first part is completed later`() async throws {
    let server = try ObjectServer(in: directory.path("server"), verifies: false)
    let log = try EventLog(
      directory: directory.path("run.xlog"),
      configuration: LogConfiguration(role: .app, privacy: PrivacyPolicy(mode: .hashed, key: (1, 2)), lowestLevel: .debug))
    func emit() { for number in 0..<100 as Range<Int64> { log.emit(AppNoted(message: "note \(number)")) } }
    emit()
    try network("down")
    let words = ["run.xlog", "\(server.url)/in"]
    #expect(try ship(["--background"] + words, to: server).text.contains("so far"))
    emit()
    #expect(try ship(["--background"] + words, to: server).text.contains("1 not sent yet"))
    try network("up")
    #expect(server.nextResult() == "200")
    log.close()
    try await finish(words, to: server, handing: 1...1)
    #expect(server.stored.count == 2)
    #expect(try events("\(server.objects)/in") == events(directory.path("run.xlog")))
  }

  @Test func `A background upload without an answer of the daemon is an error`() throws {
    let server = try ObjectServer(in: directory.path("server"))
    _ = try copy("clean-run")
    try FileManager.default.createDirectory(
      atPath: directory.path("run"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    chmod(directory.path("run"), 0o777)
    let run = try ship(["--background", "run.xlog", "s3://logs"], to: server)
    #expect(
      run.status == 2 && run.standardError.contains("xferd cannot be used: the daemon's directory is not safe"),
      "\(run.standardError)")
    #expect(try ship(["run.xlog", "s3://logs"], to: server).status == 0)
    let both = try ship(["--background", "--every", "9", "run.xlog", "s3://logs"], to: server)
    #expect(both.status == 2 && both.standardError.contains("cannot be combined"))
  }
}
