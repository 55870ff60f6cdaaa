import Foundation
import LogTestSupport
import Testing

/// Commands on a log before and after it is sealed.
struct SealedLogTests {
  private let directory = TemporaryDirectory()

  /// Returns a log of about 4,000 events and a copy that was sealed by the tool.
  private func logs() throws -> (live: String, sealed: String) {
    let live = try CrowdedLog(in: directory, name: "live.xlog", tasks: 400, seed: 11).path
    let sealed = "\(directory.path)/sealed.xlog"
    try FileManager.default.copyItem(atPath: live, toPath: sealed)
    let run = try ToolRun.xferlog("index", "--seal", sealed, environment: ["XDG_CACHE_HOME": "\(directory.path)/cache"])
    #expect(run.status == 0)
    let said = try #require(run.standardError.split(separator: "\n").first)
    #expect(said.hasPrefix("xferlog: sealed ") && said.contains(" in \(sealed): "), "\(said)")
    return (live, sealed)
  }

  private func size(_ log: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: log).filter { $0.hasSuffix(".seg") }.reduce(0) { sum, name in
      sum + (try FileManager.default.attributesOfItem(atPath: "\(log)/\(name)")[.size] as? Int ?? 0)
    }
  }

  @Test func `A sealed log is smaller and gives the same answers`() throws {
    let (live, sealed) = try logs()
    #expect(try size(sealed) * 3 < size(live))
    for arguments in [
      ["show"], ["show", "--findings"], ["show", "-n", "7", "-o", "json"], ["tail", "--no-findings"], ["stats", "-o", "json"],
      ["replay", "--fail-on", "never"], ["replay", "--at", "#20"], ["replay", "--at", "#20", "-o", "json"],
    ] {
      // Some answers contain the path of the log.
      func answer(_ log: String) throws -> String {
        let run = try ToolRun.xferlog(arguments + [log])
        #expect(run.status == 0, "\(arguments): \(run.standardError)")
        return run.text.replacing(log, with: "LOG")
      }
      #expect(try answer(sealed) == answer(live), "\(arguments)")
    }
  }

  @Test(
    arguments: [
      "--task 17", "--task img/300 --task img/5", "--session img", "--session other", "--level error", "--level =default",
      "--since @1795183327.5 --until @1795183328", "--until @1795183327.001", "--host a.example.com",
      "--level error --since @1795183328 --session img", "--task 17 --since @1795183330",
    ])
  func `Skipping blocks of a sealed log does not change filtered output`(filter: String) throws {
    let (live, sealed) = try logs()
    let options = filter.split(separator: " ").map(String.init)
    let (one, other) = (try ToolRun.xferlog(["show"] + options + [live]), try ToolRun.xferlog(["show"] + options + [sealed]))
    #expect(one.text == other.text)
    #expect(one.status == other.status)
    // Skipped events are included in the reported number of events.
    #expect(one.standardError == other.standardError)
  }
}
