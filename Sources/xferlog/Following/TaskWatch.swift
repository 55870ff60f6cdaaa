import CXferPlatform
import XferDiagnosis
import XferEvents
import XferReading
import XferReplay
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `tail --tasks`: the tasks of a log instead of its events.
///
/// On a terminal that can redraw, a followed log is a table that is redrawn in place. Elsewhere, it is a line for each change of a task's state, which the
/// log alone determines. A log that is not followed is one table.
struct TaskWatch {
  private var filter: EventFilter
  private let findings: FindingObserver?
  private let stop: StopCondition
  private let output: StandardOutput
  private let style: EventTextStyle
  private let title: String
  private let now: @Sendable () -> WallTime
  private var board: TaskBoard
  private var text: TaskBoardText
  private var ordered: OrderedMembers?
  private(set) var counts = EventListing.Counts()
  private(set) var stopReason: StopCondition.Reason?

  init(
    filter: EventFilter, findings: FindingObserver?, stop: StopCondition, patience: TaskRow.Patience, style: EventTextStyle,
    title: String, _ output: StandardOutput, _ surroundings: Surroundings
  ) {
    (self.filter, self.findings, self.stop, self.output, self.style) = (filter, findings, stop, output, style)
    (self.title, now) = (title, surroundings.now)
    board = TaskBoard(patience)
    text = TaskBoardText(style)
  }

  // MARK: Without following

  /// Prints the table at the end of the log.
  mutating func printTable(_ source: any EventSource) throws {
    _ = try read(source) { _ in }
    try write(text.table(board, at: board.last))
  }

  // MARK: Following

  /// Follows a log until `deadline` or the stop condition.
  mutating func follow(_ source: any FollowableSource, until deadline: Int64?, _ surroundings: Surroundings) throws {
    _ = try read(source) { _ in }
    var follower = LogFollower(source, output: surroundings.output)
    let awaited = follower.awaited
    if output.terminal(surroundings.environment)?.understandsControls ?? false {
      try show(&follower, until: deadline, surroundings, awaited)
    } else {
      for path in awaited { StandardError.remark("waiting for \(path)") }
      try list(&follower, until: deadline)
    }
  }

  /// Prints a line for each task that has not ended, and then for each change.
  private mutating func list(_ follower: inout LogFollower, until deadline: Int64?) throws {
    try write(board.lines(at: board.last).filter { !$0.row.isOver }.map { text.change($0.row, on: board) })
    try follower.follow(until: deadline, onChange: { StandardError.remark($0.message) }) { source in
      var lines: [String] = []
      let isNew = try read(source, isEndless: true) { lines.append($0) }
      try write(lines)
      return stopReason != nil ? .done : isNew ? .new : .nothing
    }
  }

  /// Shows the table on a screen of its own until the end, and then prints it.
  private mutating func show(
    _ follower: inout LogFollower, until deadline: Int64?, _ surroundings: Surroundings, _ awaited: [String]
  ) throws {
    var state = awaited.first.map { "waiting for \($0)" } ?? title
    do {
      let screen = try TerminalScreen(output, surroundings)
      defer { screen.leave() }
      try follower.follow(
        until: deadline,
        onChange: { change in
          if case .appeared = change { state = title } else { state = change.message.description }
        },
        { source in
          let isNew = try read(source, isEndless: true) { _ in }
          try screen.draw(isChanged: isNew) { columns, rows in
            var style = style
            style.columns = columns
            return TaskBoardText(style).table(board, at: now(), rows: rows, title: state)
          }
          return stopReason != nil || screen.isLeft ? .done : isNew ? .new : .nothing
        })
      if screen.isLeft { isLeft = true }
    } catch let error {
      output.ignoresInterruption = true
      try? write(lastTable(surroundings))
      throw error
    }
    try write(lastTable(surroundings))
  }

  /// Returns the table that remains after the screen.
  private func lastTable(_ surroundings: Surroundings) -> [String] {
    var style = style
    style.columns = output.terminal(surroundings.environment)?.columns ?? style.columns
    return TaskBoardText(style).table(board, at: now())
  }

  /// Whether the user has left the table with a key.
  private(set) var isLeft = false

  // MARK: Events

  /// Applies the available events.
  ///
  /// - Parameters:
  ///   - isEndless: whether the stop condition ends the reading.
  ///   - change: called with a line for each change and each finding.
  /// - Returns: whether there were any events or gaps.
  private mutating func read(
    _ source: any EventSource, isEndless: Bool = false, _ change: (String) -> Void
  ) throws -> Bool {
    var any = false
    var ordered = self.ordered ?? OrderedMembers { source.next() }
    // Without another reference, the members are not copied when they change.
    self.ordered = nil
    defer { self.ordered = ordered }
    while stopReason == nil, let member = ordered() {
      any = true
      var isShown = false
      if case .event(let event) = member {
        isShown = filter.admits(event)
        counts.events += 1
        if isShown { counts.matched += 1 }
        if isEndless, stop.isMet(by: event) { stopReason = .event }
      } else if case .gap(let gap) = member {
        counts.note(gap)
      }
      for row in board.apply(member, isShown: isShown) { change(text.change(row, on: board)) }
      for inset in findings?.observe(member) ?? [] where filter.admits(inset) {
        board.note(inset)
        change(text.finding(inset))
        if isEndless, stopReason == nil, stop.isMet(by: inset) { stopReason = .finding(inset) }
      }
      if counts.events & 0xFFF == 0 { try Interruption.check() }
    }
    return any
  }

  private func write(_ lines: [String]) throws {
    for line in lines { try output.append { $0.append(line + "\n") } }
    try output.flush()
  }
}
