import XferEvents
import XferLogStore
import XferQuery
import XferReading
import XferReplay
import XferReport

/// The command `replay --at`, which prints the state at one place of a log.
struct StateAt {
  let text: String
  let scope: StateScope
  let isJSON: Bool
  let outcome: OutcomeOptions

  func run(_ inputs: LogInputs, recovery: RecoveryMode, _ surroundings: Surroundings) throws {
    inputs.remarkRefusals()
    let place = try PlaceExpression.argument(text, of: inputs, surroundings)
    let source = try inputs.source(recovery: recovery)
    var replay = SteppingReplay()
    var (last, gaps) = (nil as RecordedEvent?, 0)
    var finder = PlaceFinder(place)
    var ordered = OrderedMembers { source.next() }
    var isFound = false
    while !isFound, let member = ordered() {
      let answer = finder.look(at: member)
      if case .before = answer { break }
      replay.apply(member)
      switch member {
      case .event(let event): last = event
      case .gap: gaps += 1
      }
      if case .after = answer { isFound = true }
      if replay.events & 0xFFFF == 0 { try Interruption.check() }
    }
    let hasMore = isFound || ordered() != nil
    if !hasMore { try conclude(finder, source, replay.events) }
    if replay.events == 0, case .time = place { StandardError.remark("\(text) is before the first event of the log") }
    try write(replay.state, at: StatePlace(number: replay.events, event: last), surroundings)
    guard gaps > 0 else { return }
    let reason = "the log has \(gaps.counted("gap")) before this place"
    if outcome.strict { throw CommandExit(.incomplete, UserMessage(reason)) }
    StandardError.remark("incomplete: \(reason)")
  }

  private func conclude(_ finder: PlaceFinder, _ source: any EventSource, _ events: Int) throws {
    if events == 0 {
      if let part = source.unreadable.first { throw CommandExit(.failed, "nothing could be read: \(part.error.problem)") }
      if outcome.allowEmpty { return }
      throw CommandExit(.nothingAnalysed, "the log has no events")
    }
    switch finder.end(text) {
    case .here(let remark): if let remark { StandardError.remark(UserMessage(remark)) }
    case .nowhere(let problem): throw CommandExit(.nothingAnalysed, UserMessage(problem))
    }
  }

  private func write(_ state: StateDocument, at place: StatePlace, _ surroundings: Surroundings) throws {
    let output = StandardOutput(descriptor: surroundings.output)
    let limited = scope.limit(state)
    if isJSON {
      try output.appendLine { limited.writeJSON(at: place, to: &$0) }
    } else {
      let head = ["state " + TerminalText.escaped(place.text), ""]
      let lines = head + StateText(now: place.moment).lines(limited, showsAll: !scope.isEmpty)
      let page = PageStyle(columns: surroundings.columns())
      for line in page.wrapped(lines) { output.buffer.append(line + "\n") }
    }
    try output.flush()
  }
}
