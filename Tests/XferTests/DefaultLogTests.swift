import Foundation
import LogTestSupport
import Testing
import XferScript

/// Verdicts about a log that many commands share, as the default log is.
@Suite(.serialized) struct DefaultLogTests {
  private static let routes = [
    ServerScript.Route("/gone", .status(404)), .init("/good", ScriptedResponse(body: "good")),
    .init(
      "/large",
      [
        ScriptedResponse(
          headers: ["ETag": "\"1\""], body: .generated(size: 2 << 20, seed: 1), cut: .init(.afterBodyBytes(1 << 20), .hang),
          ranges: .honour),
        ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: 2 << 20, seed: 1), ranges: .honour),
      ]),
  ]

  private static func replay(_ bench: Bench, _ options: String...) throws -> ToolRun {
    try ToolRun("xferlog", ["replay", bench.log] + options)
  }

  @Test(arguments: [["request"], ["get", "--no-fail"]])
  func `A status that the user asked not to fail is no false success`(command: [String]) async throws {
    try await Bench.run(Self.routes) { bench in
      #expect(try bench.xfer(command + [bench.url("/gone")]).status == 0)
      #expect(try bench.get(bench.url("/good")).status == 0)
      let run = try Self.replay(bench)
      #expect(run.status == 0 && run.text.contains("2 tasks (2 succeeded), 0 findings"), "\(run.text)")
      #expect(
        run.text.contains(": status 404, which the app accepts on purpose") && run.text.contains("accepted: \(command[0])/1"))
      #expect(run.text.hasSuffix("verdict: clean\n"), "\(run.text)")
      let why = try ToolRun("xferlog", ["why", "gone", bench.log]).text
      #expect(why.contains("succeeded: the app accepts the status 404 on purpose"), "\(why)")
    }
  }

  @Test(arguments: [["get"], ["request", "-f"], ["request", "--fail-with-body"]])
  func `A failed transfer is listed with its status, and the advice names the command that explains it`(
    command: [String]
  ) async throws {
    try await Bench.run(Self.routes) { bench in
      let run = try bench.xfer(command + [bench.url("/gone")])
      #expect(run.status == 22)
      let replay = try Self.replay(bench).text
      // With -f, the command rejects the response before its body arrives.
      let line = command.contains("-f") ? "cancelled: request/1: by app, status 404" : "failed: \(command[0])/1: status 404"
      #expect(replay.contains(line), "\(replay)")
      let prefix = "xfer: to see why it failed, run: xferlog "
      let advice = try #require(run.remarks.first { $0.hasPrefix(prefix) }, "\(run.standardError)")
      // A later command with a task of the same name does not change the answer.
      #expect(try bench.xfer([command[0], bench.url("/good")]).status == 0)
      let why = try ToolRun("xferlog", advice.dropFirst(prefix.count).split(separator: " ").map(String.init))
      #expect(
        why.status == 0 && why.text.contains(command.contains("-f") ? "the status 404" : "failed: status 404"),
        "\(advice)\n\(why.text)\(why.standardError)")
    }
  }

  @Test
  func `The advice quotes the path of the log for the shell`() async throws {
    try await Bench.run([]) { bench in
      let run = try bench.xfer(
        ["get", "http://127.0.0.1:1/f"], environment: ["XFERLOG_DIR": bench.path("it's a log.xlog")])
      let line = try #require(run.remarks.first { $0.contains("xferlog why") })
      let command = try #require(line.firstRange(of: "xferlog why")).upperBound
      let why = try ToolRun("/bin/bash", ["-c", "exec \"$0\" why \(line[command...])", "\(ToolRun.directory)/xferlog"])
      #expect(why.text.contains("failed: cannotConnectToHost"), "\(line) \(why.standardError)")
      let replay = try ToolRun("xferlog", ["replay", bench.path("it's a log.xlog")]).text
      #expect(replay.contains("failed: get/1: cannotConnectToHost (curl 7), stage connect"), "\(replay)")
    }
  }

  /// Starts a download, and kills it when the server has sent half of the file and the command has something to resume.
  private static func killed(_ bench: Bench) async throws {
    let process = ToolRun.process(
      "xfer", ["get", "-s", bench.url("/large")], environment: bench.environment, in: bench.path("work"))
    process.standardError = FileHandle.nullDevice
    try process.run()
    try await bench.server.waitUntil { $0.contains { $0.phase == .hanging } }
    // The sidecar is written before the first bytes.
    func hasBytes(_ suffix: String) -> Bool { bench.files.contains { $0.key.hasSuffix(suffix) && !$0.value.isEmpty } }
    while !(hasBytes(".xfer") && hasBytes(".part")), process.isRunning { usleep(2000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  @Test
  func `A killed download that a later command resumes is linked to it and not lost`() async throws {
    try await Bench.run(Self.routes) { bench in
      try await Self.killed(bench)
      #expect(try bench.get(bench.url("/good")).status == 0)
      let lost = try Self.replay(bench)
      #expect(lost.status == 1 && lost.text.contains("lost: get/1") && lost.text.contains("error crash-mid-transfer (certain)"))
      #expect(lost.text.contains("its process ended first, stage body ("), "\(lost.text)")
      #expect(try bench.get("-C", "-", bench.url("/large")).status == 0)
      let resumed = try Self.replay(bench)
      #expect(resumed.status == 0 && resumed.text.contains("3 tasks (1 resumed, 2 succeeded)"), "\(resumed.text)")
      #expect(resumed.text.contains("notice crash-mid-transfer (certain)") && resumed.text.contains("A later task resumed it."))
      #expect(!resumed.text.contains("lost: "))
      let document = try Self.replay(bench, "-o", "json")
      let tasks = try #require(
        (try JSONSerialization.jsonObject(with: Data(document.standardOutput)) as? [String: Any])?["tasks"] as? [[String: Any]])
      let first = try #require(tasks.first { $0["outcome"] as? String == "resumed" })
      let last = try #require(tasks.first { $0["uid"] as? String == first["continuedBy"] as? String })
      #expect(last["outcome"] as? String == "succeeded" && last["continues"] as? String == first["uid"] as? String)
      let why = try ToolRun("xferlog", ["why", first["uid"] as? String ?? "", bench.log]).text
      #expect(why.contains("(uid \(last["uid"] as? String ?? "")) resumed it"), "\(why)")
    }
  }

  @Test
  func `A file that is complete already is not downloaded again`() async throws {
    let range = ScriptedResponse(body: .generated(size: 5000, seed: 7), ranges: .honour)
    try await Bench.run([.init("/whole", range), .init("/ignorant", .generated(5000, seed: 7))]) { bench in
      for name in ["whole", "ignorant"] { #expect(try bench.get(bench.url("/\(name)")).status == 0) }
      let before = bench.files
      for command in [["get"], ["request", "-O"]] {
        let run = try bench.xfer(command + ["-C", "-", bench.url("/whole")])
        #expect(run.status == 0, "\(run.standardError)")
      }
      #expect(
        bench.server.requests.filter { $0.target == "/whole" }.map { $0.headers["Range"] } == [nil, "bytes=5000-", "bytes=5000-"])
      #expect(try bench.get("-C", "-", bench.url("/whole")).standardError.contains("whole is complete already"))
      #expect(try bench.get("-C", "-", bench.url("/ignorant")).status == 0)
      #expect(bench.files == before)
      // A shorter file, and a longer one of another version, are replaced.
      for size in [100, 9000] {
        try Data(count: size).write(to: URL(fileURLWithPath: bench.path("work/whole")))
        #expect(try bench.get("-C", "-", bench.url("/whole")).status == 0)
        #expect(bench.files == before)
      }
      let run = try Self.replay(bench)
      #expect(run.status == 0 && run.text.hasSuffix("verdict: clean\n"), "\(run.text)")
    }
  }
}
