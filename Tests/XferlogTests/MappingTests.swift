import Foundation
import LogTestSupport
import Testing

/// Mappings of logs of JSON lines.
@Suite struct MappingTests {
  private static func run(_ mapping: String, _ log: String) throws -> ToolRun {
    let directory = TemporaryDirectory()
    _ = try directory.write(Array(mapping.utf8), to: "map.yaml")
    _ = try directory.write(Array(log.utf8), to: "app.ndjson")
    return try ToolRun.bash(
      "cd \"$work\" && \"$xferlog\" replay --fail-on never --mapping map.yaml app.ndjson",
      environment: ["work": directory.path(".")])
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let what: String
    let mapping: String
    let message: String
    var testDescription: String { what }
  }

  private static let mistakes = [
    Mistake(
      what: "an unknown key", mapping: "time: ts\nstatsu: code\n",
      message: "map.yaml:2:1: `statsu` is not a key of a mapping. Did you mean `status`"),
    Mistake(
      what: "an unknown step", mapping: "event: msg\nevents:\n  done: ended\n", message: "map.yaml:3:9: `ended` is not a step"),
    Mistake(
      what: "a unit that is none", mapping: "event: msg\ntimeUnit: hours\n",
      message: "map.yaml:2:11: `timeUnit` is s, ms, us or ns"),
    Mistake(
      what: "nothing that tells what happened", mapping: "time: ts\n",
      message: "needs one of the keys event, outcome, status and error"),
    Mistake(what: "no YAML", mapping: "time: [ts\n", message: "invalid YAML"),
  ]

  @Test(arguments: mistakes)
  func `A mistake in a mapping is reported with its place`(_ mistake: Mistake) throws {
    let run = try Self.run(mistake.mapping, "{}\n")
    #expect(run.status == 2)
    #expect(run.standardError.contains(mistake.message), "\(run.standardError)")
  }

  @Test func `A mistake in the log is reported with line and column`() throws {
    let run = try Self.run(
      "task: id\noutcome: result\n", "{\"id\": 1, \"result\": \"success\"}\n{\"id\": 2, \"result\" \"success\"}\n")
    #expect(run.text.contains("1 record is damaged") || run.text.contains("damaged"), "\(run.text)")
    #expect(run.text.contains("1 task (1 succeeded)"), "\(run.text)")
  }

  @Test func `A line with a duration tells of the whole request`() throws {
    let run = try Self.run(
      "time: t\noutcome: result\nduration: ms\nurl: u\n",
      #"{"t": 1795687200, "result": "timeout", "ms": 30000, "u": "https://example.com/a"}"# + "\n")
    #expect(run.text.contains("1 task (1 failed)"), "\(run.text)")
  }

  @Test func `Without a mapping, JSON lines are not a log`() throws {
    let directory = TemporaryDirectory()
    let path = try directory.write(Array("{\"a\": 1}\n".utf8), to: "app.ndjson")
    #expect(try ToolRun.xferlog("replay", path).status == 2)
  }
}
