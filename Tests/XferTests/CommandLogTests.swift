import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of the log of a command, and of commands that cannot write a log.
struct CommandLogTests {
  @Test(arguments: [false, true])
  func `Paths and destinations are stored unmasked unless --private is given`(isPrivate: Bool) async throws {
    try await Bench.run([.init("/secret-path", .generated(5))]) { bench in
      let run = try bench.get(
        ["-o", "secret-name", bench.url("/secret-path?key=secret-query")] + (isPrivate ? ["--private"] : []))
      #expect(run.status == 0)
      let shown = try ToolRun("xferlog", ["show", "-o", "ndjson", bench.log]).text
      #expect(shown.contains("secret-path") != isPrivate)
      #expect(shown.contains("secret-name") != isPrivate)
      #expect(!shown.contains("secret-query"))
      #expect(shown.contains("app.outcomeRecorded"))
      let segments = try FileManager.default.contentsOfDirectory(atPath: bench.log).filter { $0.hasSuffix(".seg") }
      for segment in segments {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(bench.log)/\(segment)"))
        #expect(bytes.range(of: Data("secret-query".utf8)) == nil)
        #expect((bytes.range(of: Data("secret-path".utf8)) != nil) != isPrivate)
      }
    }
  }

  @Test
  func `Transfers succeed without a log, and the missing log is reported`() async throws {
    try await Bench.run([.init("/f", .generated(5))]) { bench in
      try Data().write(to: URL(fileURLWithPath: bench.path("taken")))
      let run = try bench.get(bench.url("/f"), environment: ["XFERLOG_DIR": bench.path("taken")])
      #expect(run.status == 0)
      #expect(
        run.remarks.first?.hasPrefix("xfer: continuing without a log: \(bench.path("taken"))") == true, "\(run.standardError)")
      #expect(bench.files["f"]?.count == 5)
    }
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [true, false])
  func `Events for which the disk has no room are reported, and the transfer succeeds`(isFull: Bool) async throws {
    try await Bench.run([.init("/f", .generated(5))]) { bench in
      let script = """
        mkdir "$work/disk" && mount -t tmpfs -o size=\(isFull ? "8k" : "8M") none "$work/disk" || exit 77
        "$xfer" get --log "$work/disk/log.xlog" "$url"
        """
      let variables = ["work": bench.path("work"), "xfer": "\(ToolRun.directory)/xfer", "url": bench.url("/f")]
      let run = try ToolRun(
        "/usr/bin/unshare", ["-m", "bash", "-c", script], environment: bench.environment.merging(variables) { $1 },
        in: bench.path("work"))
      #expect(run.status == 0 && bench.files["f"]?.count == 5, "\(run.status) \(run.standardError)")
      let remark = run.remarks.first { $0.contains("missing in the log") }
      #expect((remark != nil) == isFull)
      if isFull {
        let text = try #require(remark)
        #expect(text.contains(" events are missing in the log. \(bench.path("work/disk/log.xlog")): "))
        #expect(text.contains("the event cannot be written (No space left on device)"))
      }
    }
  }

  // `timeout` sends SIGTERM to the process and to its group.
  @Test(arguments: [[SIGINT], [SIGTERM, SIGTERM]])
  func `Ctrl-C cancels the transfers, removes their files and closes the log`(_ signals: [Int32]) async throws {
    let stuck = ScriptedResponse(body: .generated(size: 1000), cut: .init(.midBody, .hang))
    try await Bench.run([.init("/slow", stuck), .init("/next", stuck)]) { bench in
      let process = ToolRun.process(
        "xfer", ["get", "--parallel-max", "1", bench.url("/slow"), bench.url("/next")], environment: bench.environment,
        in: bench.path("work"))
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      try await bench.server.waitUntil { $0.contains { $0.phase == .hanging } }
      for signal in signals { kill(process.processIdentifier, signal) }
      let remarks = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 128 + signals[0], "\(remarks)")
      #expect(bench.files == [:])
      let replay = try bench.replay()
      #expect(replay.outcomes == ["cancelled": 2])
      #expect(replay.verdict == "clean", "\(replay.findings)")
    }
  }

  @Test(arguments: [
    (
      ["get", "--checksum", "sha-1=\(String(repeating: "0", count: 40))", "URL/f"], "rejected: get/1",
      "wrong checksum: the sha-1 is "
    ),
    (["request", "--fail", "URL/missing"], "cancelled: request/1", "the server responded with status 404"),
    (["put", "/etc/hostname", "URL/missing"], "cancelled: put/1", "the server responded with status 404"),
  ])
  func `A replay says why the command rejected a result`(_ command: [String], _ task: String, _ reason: String) async throws {
    try await Bench.run([.init("/f", .generated(5)), .init("/missing", ScriptedResponse(status: 404))]) { bench in
      let address = bench.url("")
      let run = try bench.xfer(command.map { $0.replacing("URL", with: address) })
      #expect(run.status != 0)
      let replay = try ToolRun("xferlog", ["replay", bench.log]).lines
      let line = try #require(replay.first { $0.hasPrefix(task) }, "\(replay)")
      #expect(line.contains("the app recorded a failure: \(reason)"))
      let why = try ToolRun("xferlog", ["why", task.split(separator: " ").last.map(String.init) ?? "", bench.log]).text
      #expect(why.contains("the app recorded a failure: \(reason)"))
      #expect(try bench.replay().tasks.map(\.appOutcome) == ["failure"])
    }
  }

  /// Whether it is sent or not, the log has the span, so that `xferlog export` shows the transfer below the caller's span.
  @Test(arguments: [false, true])
  func `A transfer belongs to the span that TRACEPARENT names, and --trace-context sends its own span`(isSent: Bool) async throws
  {
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    try await Bench.run([.init("/f", .generated(5))]) { bench in
      let run = try bench.get((isSent ? ["--trace-context"] : []) + [bench.url("/f")], environment: ["TRACEPARENT": parent])
      #expect(run.status == 0, "\(run.standardError)")
      let events = try ToolRun("xferlog", ["query", "event=attempt.started", "-o", "ndjson", bench.log]).text
      let logged = try #require(events.firstMatch(of: /"traceParent":"([^"]*)"/)?.1)
      #expect(logged.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && logged != parent)
      #expect(bench.server.requests.map { $0.headers["traceparent"] } == [isSent ? String(logged) : nil])
    }
  }
}
