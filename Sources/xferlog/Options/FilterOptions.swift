import ArgumentParser
import XferEvents
import XferLogStore
import XferPredicate
import XferReading
import XferReport

/// Options that select events.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "Lowest level (debug, info, default, error, fault, or a first letter; =LEVEL for that level alone).",
    completion: .levels)
  var level: LevelLimit?

  @Flag(help: "Same as --level info.")
  var info = false

  @Flag(help: "Same as --level debug.")
  var debug = false

  @Option(
    name: [.customShort("S"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Select events from this time on (5m, '5m ago', today, friday, '2026-11-20 14:00', RFC 3339 or @SECONDS).",
      valueName: "time"))
  var since: String?

  @Option(
    name: [.customShort("U"), .long], parsing: .unconditional,
    help: ArgumentHelp("Select events before this time (formats as for --since).", valueName: "time"))
  var until: String?

  @Option(
    name: .shortAndLong,
    help: """
      Select a task (NUMBER, SESSION/NUMBER, task UUID or its beginning, key declared in app.intentDeclared, or a glob of \
      these; URL; transferred file; repeatable).
      """, completion: .task)
  var task: [String] = []

  @Option(help: "Select a session (an identifier or a glob; repeatable).", completion: .session)
  var session: [String] = []

  @Option(help: "Select a host and the tasks that contact it (a name or a glob; repeatable).")
  var host: [String] = []

  @Option(
    help: ArgumentHelp(
      "Select events by name (task.created, created, or a glob such as 'file.*'; repeatable).", valueName: "glob"),
    completion: .event)
  var event: [String] = []

  @Option(
    name: [.customShort("g"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Select events whose message or fields match (ignores case unless the expression has uppercase letters).",
      valueName: "regex"))
  var grep: String?

  @OptionGroup
  var condition: PredicateOptions

  /// - Parameter isFollowing: whether the log has no end, so that what only its end tells cannot be asked.
  func filter(_ surroundings: Surroundings, isFollowing: Bool = false) throws -> EventFilter {
    var filter = EventFilter()
    filter.predicate = try condition.test(surroundings, isFollowing: isFollowing)
    filter.level = level ?? (debug ? LevelLimit(.debug) : info ? LevelLimit(.info) : nil)
    try setTimes(of: &filter, expression(surroundings))
    filter.tasks = task.map(TaskSelector.init)
    filter.sessions = session.map(GlobPattern.init)
    filter.hosts = host.map(GlobPattern.init)
    filter.events = try event.map(Self.eventPattern)
    do {
      filter.search = try grep.map(EventSearch.init)
    } catch {
      throw CommandExit(.wrongUsage, "'\(grep ?? "")' is not a regular expression: \(error)")
    }
    return filter
  }

  private func expression(_ surroundings: Surroundings) -> TimeExpression {
    TimeExpression(now: surroundings.now(), zone: surroundings.localZone)
  }

  private func setTimes(of filter: inout EventFilter, _ expression: TimeExpression) throws {
    do throws(TimeExpression.Problem) {
      filter.since = try since.map { text throws(TimeExpression.Problem) in try expression.time(text) }
      filter.until = try until.map { text throws(TimeExpression.Problem) in try expression.time(text) }
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }

  private static func eventPattern(_ text: String) throws -> GlobPattern {
    if !GlobPattern.isPattern(text), text != "finding", EventNames.named(text).isEmpty {
      if Vocabulary.families.contains(where: { $0.name == text }) {
        throw CommandExit(.wrongUsage, "'\(text)' is a family of events.\nWrite '\(text).*' for all of its events.")
      }
      throw CommandExit(.wrongUsage, UserMessage(EventNames.advice(text)))
    }
    return GlobPattern(text)
  }

  // MARK: What the log tells

  /// Resolves options that depend on the log: times of day, `--task` values that name an intent, a URL or a file, and the fields of
  /// subjects in `--predicate` and in the output.
  ///
  /// - Parameter shown: the fields that the output shows of each event.
  func resolve(
    _ filter: inout EventFilter, shown: [QueryField], in inputs: LogInputs, _ surroundings: Surroundings,
    isFollowing: Bool = false, rules: RuleOptions, recovery: RecoveryMode
  ) throws {
    filter.subjects = try condition.subjects(of: filter.predicate, shown: shown, in: inputs, rules: rules, recovery: recovery)
    var expression = expression(surroundings)
    if [since, until].contains(where: { $0.map(expression.isTimeOfDay) ?? false }), let span = try inputs.span() {
      // A followed log covers the time until now, even if its last event is older.
      expression.covered = isFollowing ? span.lowerBound...max(span.upperBound, expression.now) : span
      try setTimes(of: &filter, expression)
    }
    for (name, text, time) in [("--since", since, filter.since), ("--until", until, filter.until)] {
      if let text, let time, expression.isTimeOfDay(text) { StandardError.remark("\(name) \(text) is \(time)") }
    }
    for (text, selector) in zip(task, filter.tasks) where try !TaskCandidates.exists(selector, in: inputs) {
      filter.intents.append(GlobPattern(text))
      filter.chosen.formUnion(try TaskCandidates(inputs).described(by: text))
    }
  }

  /// The names of the options that were given, without their values.
  var givenOptions: [String] {
    let options: [(name: String, isGiven: Bool)] = [
      ("--level", level != nil || info || debug), ("--since", since != nil), ("--until", until != nil), ("--task", !task.isEmpty),
      ("--session", !session.isEmpty), ("--host", !host.isEmpty), ("--event", !event.isEmpty), ("--grep", grep != nil),
      ("--predicate", !condition.predicate.isEmpty),
    ]
    return options.filter(\.isGiven).map(\.name)
  }

  /// The options as they were given, for remarks.
  var summary: String {
    var parts: [String] = []
    if let level { parts.append("--level \(level.isExact ? "=" : "")\(level.level.name)") }
    if let since { parts.append("--since '\(since)'") }
    if let until { parts.append("--until '\(until)'") }
    parts += event.map { "--event \($0)" }
    if let grep { parts.append("--grep '\(grep)'") }
    parts += condition.predicate.map { "--predicate '\($0)'" }
    parts += task.map { "--task \($0)" } + session.map { "--session \($0)" } + host.map { "--host \($0)" }
    return parts.joined(separator: " ")
  }
}
