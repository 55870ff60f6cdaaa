import Foundation
import LogTestSupport
import Testing
import XferScript

/// `xferlog diff` on the logs of real runs.
struct ComparedRunsTests {
  @Test func `Runs of a real program are compared`() async throws {
    let routes = [
      ServerScript.Route("/a/*", ScriptedResponse(body: .generated(size: 20_000))), .init("/b", .status(404)),
      .init("/c", ScriptedResponse(body: .generated(size: 5000))),
    ]
    let directory = TemporaryDirectory()
    func log(_ name: String, _ paths: [String]) async throws -> String {
      try await ScriptedServer.serving(ServerScript(routes)) { server in
        let log = directory.path("\(name).xlog")
        let urls = paths.enumerated().flatMap { ["-o", directory.path("\(name)-\($0)"), server.url($1)] }
        _ = try ToolRun("xfer", ["get", "-s", "-f"] + urls, environment: ["XFERLOG_DIR": log, "XDG_STATE_HOME": directory.path])
        return log
      }
    }
    let first = try await log("first", ["/a/1", "/a/2", "/b", "/c"])
    let second = try await log("second", ["/c", "/b", "/a/2", "/a/1"])
    let third = try await log("third", ["/a/1", "/a/2", "/c"])
    let same = try ToolRun("xferlog", ["diff", first, second])
    #expect(same.status == 0 && same.lines.last == "no difference: 4 tasks aligned", "\(same.text)\(same.standardError)")
    let other = try ToolRun("xferlog", ["diff", first, third])
    #expect(other.status == 1 && other.lines.contains { $0.hasPrefix("only in A  GET ") }, "\(other.text)\(other.standardError)")
    #expect(other.lines.last == "1 difference; 3 tasks aligned", "\(other.text)")
  }
}
