import Foundation
import LogTestSupport
import Testing

/// `tail` and `show -n`, which read only the end of a log if that suffices.
@Suite struct TailEndTests {
  /// Returns a log of many events in several sealed segments.
  private static func log(in directory: TemporaryDirectory) throws -> String {
    let log = try CrowdedLog(in: directory, tasks: 2000, seed: 5).path
    _ = try ToolRun.xferlog("index", "--seal", log, environment: ["XDG_CACHE_HOME": directory.path("cache")])
    return log
  }

  private static let filters = [
    [], ["--level", "error"], ["-p", "event=task.completed"], ["--session", "*"], ["--event", "task.created"],
    ["-p", "level>=fault"], ["--host", "a.example.com"], ["-t", "*/17"],
  ]

  @Test func `The last events are those that the whole log ends with`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    for filter in Self.filters {
      func run(_ arguments: String...) throws -> ToolRun {
        let run = try ToolRun.xferlog(arguments + [log, "-o", "ndjson", "--allow-empty"] + filter)
        #expect(run.status == 0 && run.standardError == "", "\(arguments) \(filter): \(run.standardError)")
        return run
      }
      let all = try run("show").lines
      for count in [0, 10, 5000, all.count * 88 / 100] {
        let expected = Array(all.suffix(count))
        #expect(try run("tail", "-n", "\(count)").lines == expected, "\(filter), last \(count)")
        #expect(try run("show", "-r", "-n", "\(count)").lines == expected.reversed(), "\(filter), last \(count)")
      }
    }
  }

  @Test func `Damage in the beginning of a log is reported by show and not by tail, which does not read it`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    let path = "\(log)/000002.seg"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for place in stride(from: 5000, to: bytes.count / 2, by: 1000) { bytes[place] ^= 0xFF }
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: "\(log)/000001.seg")
    let (end, all) = try (ToolRun.xferlog("tail", log), ToolRun.xferlog("show", log))
    #expect(end.status == 0 && end.standardError == "" && end.lines.count == 10, "\(end.standardError)")
    #expect(all.standardError.contains("incomplete: "), "\(all.standardError)")
  }

  @Test func `Events of a copied segment are counted once`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.log(in: directory)
    let all = try ToolRun.xferlog("show", log, "-o", "ndjson").lines
    let last = try #require(FileManager.default.contentsOfDirectory(atPath: log).filter { $0.hasSuffix(".seg") }.max())
    try FileManager.default.copyItem(atPath: "\(log)/\(last)", toPath: "\(log)/000090.seg")
    for count in [10, 3000] {
      #expect(try ToolRun.xferlog("tail", log, "-n", "\(count)", "-o", "ndjson").lines == all.suffix(count))
    }
  }

  @Test func `A tail that follows, or that is asked to, prints what the rules find`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    func tail(_ options: String...) throws -> Bool {
      try ToolRun.xferlog(["tail", log, "-n", "all", "-o", "ndjson"] + options).lines.contains { $0.contains("lost-completion") }
    }
    #expect(try !tail() && tail("--findings") && tail("--follow", "--timeout", "100ms"))
    #expect(try !tail("--follow", "--timeout", "100ms", "--no-findings"))
  }
}
