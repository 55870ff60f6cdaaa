import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of the `--capture` modes and of the fault that marks an unmasked log.
struct CaptureModeTests {
  private let directory = TemporaryDirectory()
  private var log: String { directory.path("log.xlog") }
  private var environment: [String: String] { ["XFERLOG_DIR": log, "XDG_STATE_HOME": directory.path("state")] }

  @Test(arguments: ["hashed", "redacted", "full"])
  func `Only a log in full capture mode records a fault that says so`(mode: String) throws {
    let run = try ToolRun("xferlog", ["emit", "--private", "--capture", mode, "hush"], environment: environment)
    #expect(run.status == 0, "\(run.standardError)")
    let faults = try ToolRun("xferlog", ["show", log, "--level", "=fault"]).lines
    #expect(faults.count == (mode == "full" ? 1 : 0))
    #expect(faults.allSatisfy { $0.contains("[xferlog:privacy] This log contains private values and secrets") })
    let message = try #require(try ToolRun("xferlog", ["show", log]).lines.first { $0.contains("[shell:default]") })
    #expect(message.hasSuffix(mode == "full" ? "hush" : mode == "redacted" ? "<private>" : ">"))
    #expect(message.contains("<mask.hash:") == (mode == "hashed"))
  }

  @Test func `An unknown capture mode is rejected`() throws {
    let run = try ToolRun("xfer", ["get", "--capture", "all", "http://127.0.0.1:1/"], environment: environment)
    #expect(run.status == 2)
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test func `An error message on standard error contains no password and no signature`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/*", .status(404))])) { server in
      let url = server.url("/a;sid=hush?page=2&X-Amz-Signature=hush#hush").replacing("http://", with: "http://me:hush@")
      let run = try ToolRun("xfer", ["get", url, "-o", "-"], environment: environment)
      #expect(run.status == 22)
      #expect(run.remarks.first == "xfer: (22) \(server.url("/a?page=2")): the server responded with status 404")
      #expect(!run.standardError.contains("hush"))
      let same = server.url("/a?sig=hush")
      let twice = try ToolRun("xfer", ["get", same, same], environment: environment)
      #expect(twice.status == 2 && !twice.standardError.contains("hush"), "\(twice.standardError)")
    }
  }
}
