import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of `Samples/ci/postmortem` with successful transfers, failing transfers, and commands without transfers.
struct PostmortemTests {
  private static let script = "\(Sample.folder)/ci/postmortem"

  /// Runs a command under the script in a separate directory.
  private static func run(
    _ command: String..., in directory: TemporaryDirectory, keeping: Bool = false, environment: [String: String] = [:]
  ) throws -> ToolRun {
    let keep = keeping ? ["--keep", directory.path("kept")] : []
    let surroundings = ["XFERLOG_BIN": ToolRun.directory, "XDG_STATE_HOME": directory.path("state"), "TMPDIR": directory.path]
    return try ToolRun(
      script, keep + command, environment: surroundings.merging(environment) { $1 }, in: directory.path)
  }

  private static let routes = [
    ServerScript.Route("/good", ScriptedResponse(body: .generated(size: 30_000))),
    ServerScript.Route("/cut", ScriptedResponse(body: .generated(size: 30_000), cut: .init(.midBody, .reset))),
    ServerScript.Route("/gone", .status(404)),
  ]

  @Test
  func `A successful transfer exits with 0 and leaves no files`() async throws {
    try await ScriptedServer.serving(ServerScript(Self.routes)) { server in
      let directory = TemporaryDirectory()
      let run = try Self.run("xfer", "get", "-s", "-o", "file", server.url("/good"), in: directory)
      #expect(run.status == 0, "\(run.text) \(run.standardError)")
      #expect(run.lines.contains { $0.hasSuffix(" 1 task (1 succeeded), 0 findings") })
      #expect(run.lines.last == "== no findings")
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      #expect(left == ["file", "state"])
    }
  }

  @Test
  func `A correctly handled failure exits with the command's own code`() async throws {
    try await ScriptedServer.serving(ServerScript(Self.routes)) { server in
      let run = try Self.run("xfer", "get", "-s", "-o", "file", server.url("/cut"), in: TemporaryDirectory())
      #expect(run.lines.last == "== no findings, but the command exited with \(run.status)")
      // curl's exit codes for a truncated transfer: 18 for a closed connection, 56 for a reset.
      #expect(run.status == 56 || run.status == 18)
    }
  }

  @Test
  func `An error page taken for the file exits with 1 and names the finding, whatever the command's exit code`() async throws {
    do {
      let directory = TemporaryDirectory()
      // The app of this sample takes the error page for the file and exits with 0.
      let sample = "\(Sample.folder)/not-found-taken-for-success/log.xlog"
      let run = try Self.run(
        "bash", "-c", "mkdir -p \"$XFERLOG_DIR\" && cp \(sample)/*.seg \"$XFERLOG_DIR\"", in: directory, keeping: true,
        environment: ["GITHUB_ACTIONS": "true"])
      #expect(run.status == 1, "\(run.text) \(run.standardError)")
      #expect(run.lines.contains("critical http-error-as-success (certain)"))
      #expect(run.lines.contains("== xferlog: exit 1 (findings): 1 finding: http-error-as-success"))
      let annotations = run.lines.filter { $0.hasPrefix("::") }
      #expect(annotations.count == 1 && annotations[0].hasPrefix("::error title=http-error-as-success (critical%2C certain)::"))
      // The kept log can be replayed later.
      #expect(try Replayed(log: directory.path("kept/log.xlog")).findings.map(\.rule) == ["http-error-as-success"])
      let document = try Data(contentsOf: URL(fileURLWithPath: directory.path("kept/replay.json")))
      #expect(try JSONDecoder().decode(Replayed.self, from: document).exitCode == 1)
      for name in ["replay.txt", "junit.xml", "xferlog.sarif", "gl-code-quality-report.json", "summary.md"] {
        let text = try String(contentsOfFile: directory.path("kept/\(name)"), encoding: .utf8)
        #expect(text.contains("http-error-as-success") && !text.contains("::error"), "\(name)")
      }
      // Another run must not mix its log with the kept one.
      let again = try Self.run("true", in: directory, keeping: true)
      #expect(again.status == 2 && again.standardError.contains("contains the log of another run"))
    }
  }

  @Test
  func `A command that records no transfer exits with 3, or with its own code if it failed`() throws {
    let idle = try Self.run("true", in: TemporaryDirectory())
    #expect(idle.status == 3)
    let failed = try Self.run("bash", "-c", "exit 7", in: TemporaryDirectory())
    #expect(failed.status == 7)
    #expect(failed.lines.last == "== the command exited with 7 and recorded no transfer")
  }

  @Test(arguments: [false, true])
  func `An incomplete log fails the job, except with --lenient`(isLenient: Bool) throws {
    let directory = TemporaryDirectory()
    // The log of a complete run, and an unreadable segment.
    let sample = "\(Sample.folder)/clean-run/log.xlog"
    let command = """
      mkdir -p "$XFERLOG_DIR" && cp \(sample)/*.seg "$XFERLOG_DIR" && mkdir "$XFERLOG_DIR/000099.seg"
      """
    let options = isLenient ? ["--lenient"] : []
    let run = try ToolRun(
      Self.script, options + ["bash", "-c", command],
      environment: ["XFERLOG_BIN": ToolRun.directory, "XDG_STATE_HOME": directory.path("state"), "TMPDIR": directory.path],
      in: directory.path)
    #expect(run.status == (isLenient ? 0 : 4), "\(run.text) \(run.standardError)")
    if !isLenient { #expect(run.lines.last?.hasPrefix("== xferlog: exit 4 (incomplete): ") == true, "\(run.text)") }
  }

  @Test
  func `A failure without findings is annotated, and a baseline accepts the findings of the log`() throws {
    let failed = try Self.run("bash", "-c", "exit 7", in: TemporaryDirectory(), environment: ["GITHUB_ACTIONS": "true"])
    #expect(
      failed.status == 7 && failed.lines.contains { $0.hasPrefix("::error title=xferlog::exit 3 (nothing analysed)") },
      "\(failed.text)")
    let directory = TemporaryDirectory()
    let sample = "\(Sample.folder)/killed-before-delivery/log.xlog"
    let update = try ToolRun("xferlog", ["baseline", "update", "--baseline", directory.path("known.yaml"), sample])
    #expect(update.status == 0)
    let copy = "mkdir -p \"$XFERLOG_DIR\" && cp \(sample)/*.seg \"$XFERLOG_DIR\""
    for (options, status) in [
      ([], 1), (["--baseline", directory.path("known.yaml")], 0), (["--fail-on", "never", "--category", "x"], 0),
      (["--baseline", directory.path("none.yaml")], 2),
    ] as [([String], Int32)] {
      let run = try ToolRun(
        Self.script, options + ["bash", "-c", copy],
        environment: ["XFERLOG_BIN": ToolRun.directory, "XDG_STATE_HOME": directory.path("state"), "TMPDIR": directory.path],
        in: directory.path)
      #expect(run.status == status, "\(options): \(run.text)\(run.standardError)")
    }
  }

  @Test
  func `A missing command or missing tools are reported with a remedy`() throws {
    let usage = try Self.run(in: TemporaryDirectory())
    #expect(usage.status == 2 && usage.standardError.contains("usage: postmortem"))
    // A copy of the script outside the checkout does not find the built tools.
    let directory = TemporaryDirectory()
    let copy = directory.path("postmortem")
    try FileManager.default.copyItem(atPath: Self.script, toPath: copy)
    let run = try ToolRun(copy, ["true"])
    #expect(run.status == 2 && run.standardError.contains("swift build -c release"))
  }
}
