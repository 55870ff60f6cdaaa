import ArgumentParser
import XferEvents
import XferReport

/// Options that select events.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "Only this level and above: debug, info, default, error, fault, or a first letter; =LEVEL for that one alone.")
  var level: LevelLimit?

  @Flag(help: "The same as --level info.")
  var info = false

  @Flag(help: "The same as --level debug.")
  var debug = false

  @Option(
    name: [.customShort("S"), .long], parsing: .unconditional,
    help: "Only events from TIME on: 5m, '5m ago', today, friday, '2026-11-20 14:00', RFC 3339, @SECONDS.")
  var since: String?

  @Option(name: [.customShort("U"), .long], parsing: .unconditional, help: "Only events before TIME.")
  var until: String?

  @Option(name: .shortAndLong, help: "Only this task: NUMBER, SESSION/NUMBER, a uid or its beginning. Repeatable; globs.")
  var task: [String] = []

  @Option(help: "Only this session. Repeatable; globs.")
  var session: [String] = []

  @Option(help: "Only this host, and the tasks that go there. Repeatable; globs.")
  var host: [String] = []

  /// - Parameter isUTC: whether times without an offset are in UTC instead of the local zone.
  func filter(_ surroundings: Surroundings, isUTC: Bool) throws -> EventFilter {
    var filter = EventFilter()
    filter.level = level ?? (debug ? LevelLimit(.debug) : info ? LevelLimit(.info) : nil)
    let expression = TimeExpression(now: surroundings.now(), zone: isUTC ? .utc : surroundings.localZone)
    do throws(TimeExpression.Problem) {
      filter.since = try since.map { text throws(TimeExpression.Problem) in try expression.time(text) }
      filter.until = try until.map { text throws(TimeExpression.Problem) in try expression.time(text) }
    } catch {
      throw CommandExit(.wrongUsage, error.description)
    }
    filter.tasks = task.map(TaskSelector.init)
    filter.sessions = session.map(GlobPattern.init)
    filter.hosts = host.map(GlobPattern.init)
    return filter
  }

  /// The options as they were given, for remarks.
  var summary: String {
    var parts: [String] = []
    if let level { parts.append("--level \(level.isExact ? "=" : "")\(level.level.name)") }
    if let since { parts.append("--since '\(since)'") }
    if let until { parts.append("--until '\(until)'") }
    parts += task.map { "--task \($0)" } + session.map { "--session \($0)" } + host.map { "--host \($0)" }
    return parts.joined(separator: " ")
  }
}
