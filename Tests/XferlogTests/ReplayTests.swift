import Foundation
import LogTestSupport
import Testing

/// `xferlog replay` on a log with a lost completion, and on inputs that are not logs.
struct ReplayTests {
  private static func replay(_ arguments: String...) throws -> (output: String, remarks: String, status: Int32) {
    let run = try ToolRun.xferlog(["replay"] + arguments)
    return (run.text, run.standardError, run.status)
  }

  @Test
  func `A finding is shown with its evidence, and the exit code is 1`() throws {
    let (text, remarks, status) = try Self.replay(ReplayLogs.lost)
    #expect(text.contains("critical lost-completion (certain)"))
    #expect(text.contains("evidence  07:20:44.507049919Z  task.transferred  1/2/19"))
    #expect(text.hasSuffix("verdict: findings\n"))
    #expect(remarks == "xferlog: exit 1 (findings): 1 finding: lost-completion\n")
    #expect(status == 1)
  }

  @Test
  func `No finding counts with --fail-on never`() throws {
    #expect(try Self.replay("--fail-on", "never", ReplayLogs.lost).status == 0)
  }

  @Test
  func `The document is JSON with the verdict and the exit code`() throws {
    let (text, _, _) = try Self.replay("-o", "json", ReplayLogs.lost)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "xferlog.replay/1")
    #expect(document["verdict"] as? String == "findings")
    #expect(document["exitCode"] as? Int == 1)
    #expect((document["findings"] as? [[String: Any]])?.first?["rule"] as? String == "lost-completion")
  }

  @Test
  func `An empty log ends with 3; a file that is not a log and wrong usage end with 2`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("xferlog-replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("empty.xlog"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    #expect(try Self.replay(directory.appendingPathComponent("empty.xlog").path).status == 3)
    let noise = directory.appendingPathComponent("noise.seg")
    try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) }).write(to: noise)
    let (_, remarks, status) = try Self.replay(noise.path)
    #expect(status == 2)
    #expect(remarks.contains("not a segment of an xferlog log"))
    #expect(try Self.replay("--fail-on", "sometimes", ReplayLogs.lost).status == 2)
  }
}
