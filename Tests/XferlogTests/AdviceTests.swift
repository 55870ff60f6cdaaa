import Foundation
import LogTestSupport
import Testing

/// Output limited to what was asked for, and advice that fits its cause.
@Suite struct AdviceTests {
  @Test func `Schema prints single events with the choices of their fields`() throws {
    let run = try ToolRun.xferlog("schema", "task.created")
    #expect(run.status == 0 && run.lines.first == "### task.created")
    #expect(run.text.contains("### TaskType") && !run.text.contains("### task.resumed") && run.lines.count < 80)
    #expect(try ToolRun.xferlog("schema", "created").text == run.text)
    let family = try ToolRun.xferlog("schema", "file.*").lines.filter { $0.hasPrefix("### file.") }
    #expect(family.count > 3)
    let unknown = try ToolRun.xferlog("schema", "task.creatd")
    #expect(unknown.status == 2 && unknown.standardError.contains("Did you mean task.created"))
    #expect(try ToolRun.xferlog("schema", "created", "--json-schema").status == 2)
  }

  @Test func `Stats of an empty log lists no rule`() throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path("empty.xlog"), withIntermediateDirectories: true)
    let log = try RecordedLog(in: directory)
    log.close()
    for path in [directory.path("empty.xlog"), log.path] {
      #expect(try !ToolRun.xferlog("stats", "--allow-empty", path).text.contains("lost-completion"), "\(path)")
    }
  }

  static let hints: [(arguments: [String], says: String, isSilentOn: String)] = [
    (["replay", ""], "the name of the log is empty; name a log", "neither"),
    (["salvage", "--output", "/proc/x", "@"], "Choose another path with --output", "disk space"),
    (["salvage", "--output", "/proc/x/y", "@"], "Choose another path with --output", "--log"),
  ]

  @Test(arguments: hints)
  func `Advice fits its cause`(_ hint: (arguments: [String], says: String, isSilentOn: String)) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.xferlog(hint.arguments.map { $0 == "@" ? log : $0 })
    #expect(run.status != 0 && run.standardError.contains(hint.says), "\(run.standardError)")
    #expect(!run.standardError.contains(hint.isSilentOn), "\(run.standardError)")
  }
}
