import ArgumentParser
import XferEvents
import XferReading
import XferReport

/// Options that limit the verdict of a replay to a span of time.
struct WindowOptions: ParsableArguments {
  @Option(
    name: [.customShort("S"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Judge what happened from this time on (5m, '5m ago', today, '2026-11-20 14:00', RFC 3339 or @SECONDS).", valueName: "time")
  )
  var since: String?

  @Option(
    name: [.customShort("U"), .long], parsing: .unconditional,
    help: ArgumentHelp("Judge what happened before this time (formats as for --since).", valueName: "time"))
  var until: String?

  @Option(help: ArgumentHelp("Judge the last part of the log, measured from its end (for example 10m).", valueName: "duration"))
  var last: TimeSpan?

  var isGiven: Bool { since != nil || until != nil || last != nil }

  /// Returns the window of the verdict; `nil` for the whole log.
  ///
  /// - Parameters:
  ///   - tasks: the values of `--task`.
  ///   - sessions: the values of `--session`.
  func window(tasks: [String], sessions: [String], _ inputs: LogInputs, _ surroundings: Surroundings) throws -> JudgedWindow? {
    guard isGiven || !tasks.isEmpty || !sessions.isEmpty else { return nil }
    if last != nil, since != nil { throw CommandExit(.wrongUsage, "--last and --since cannot be combined") }
    var expression = TimeExpression(now: surroundings.now(), zone: surroundings.localZone)
    let needsSpan = last != nil || [since, until].contains { $0.map(expression.isTimeOfDay) ?? false }
    let span = needsSpan ? try inputs.span() : nil
    expression.covered = span
    let times: (since: WallTime?, until: WallTime?)
    do throws(TimeExpression.Problem) {
      times = (
        try since.map { text throws(TimeExpression.Problem) in try expression.time(text) },
        try until.map { text throws(TimeExpression.Problem) in try expression.time(text) }
      )
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
    for (name, text, time) in [("--since", since, times.since), ("--until", until, times.until)] {
      if let text, let time, expression.isTimeOfDay(text) { StandardError.remark("\(name) \(text) is \(time)") }
    }
    var begin = times.since
    if let last, let end = times.until ?? span?.upperBound {
      begin = WallTime(nanoseconds: end.nanoseconds.subtractingClamped(last.nanoseconds))
    }
    var chosen: Set<TaskUID> = []
    for task in tasks where try !TaskCandidates.exists(TaskSelector(task), in: inputs) {
      chosen.formUnion(try TaskCandidates(inputs).described(by: task))
    }
    return JudgedWindow(since: begin, until: times.until, tasks: tasks, chosen: chosen, sessions: sessions)
  }
}
