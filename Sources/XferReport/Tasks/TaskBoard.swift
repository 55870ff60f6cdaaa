package import XferEvents
import XferLifecycle
import XferQuery
import XferReplay

/// The tasks of a log while it is read: their states, bytes and rates.
package struct TaskBoard {
  private var replay = SteppingReplay()
  private let patience: TaskRow.Patience
  private var entries: [TaskUID: Entry] = [:]
  /// The tasks in the order in which they were first mentioned. Those that are not in `entries` any more are removed from time to time.
  private var order: [TaskUID] = []
  private var ended = 0
  private var beginning: WallTime?
  /// The last wall-clock time of the log.
  package private(set) var last: WallTime?

  private struct Entry {
    var row: TaskRow
    var meter = RateMeter()
  }

  /// The maximum number of ended tasks that are kept.
  private static let endedLimit = 1000

  package init(_ patience: TaskRow.Patience = .init()) { self.patience = patience }

  // MARK: Events

  /// Applies an event or a gap.
  ///
  /// - Parameter isShown: whether the task of the event belongs on the board. A task stays there once it has been shown.
  /// - Returns: the rows of the tasks that the event made appear, or whose state or outcome it changed.
  package mutating func apply(_ member: LogMember, isShown: Bool) -> [TaskRow] {
    if case .event(let event) = member {
      last = event.wall ?? last
      beginning = beginning ?? event.wall
    }
    guard let change = replay.apply(member) else { return [] }
    var changed: [TaskRow] = []
    for place in places(of: change) {
      if let row = note(place, isShown: isShown && change.subject == .task(place)) { changed.append(row) }
    }
    return changed
  }

  /// Returns the indexes of the tasks that a change concerns.
  private func places(of change: Change) -> [Int] {
    let world = replay.world
    var places: [Int] = []
    switch change.subject {
    case .task(let place): places.append(place)
    // The end of a process ends its tasks, although the event does not name them.
    case .process(let process) where world.processes[process].endFact != nil: places += world.tasks.indexes(ofProcess: process)
    default: break
    }
    for case .task(let place) in world.touched where !places.contains(place) { places.append(place) }
    return places
  }

  private mutating func note(_ place: Int, isShown: Bool) -> TaskRow? {
    let world = replay.world
    var row = TaskRow(world.tasks[place], in: world, patience)
    let uid = row.task.uid
    guard let entry = entries[uid] else {
      guard isShown else { return nil }
      row.since = last
      entries[uid] = Entry(row: row)
      order.append(uid)
      if row.isOver { noteEnded() }
      return row
    }
    let isChanged = entry.row.state != row.state || entry.row.result != row.result
    row.since = isChanged ? last : entry.row.since
    row.rules = entry.row.rules
    let new = row.moved.subtractingClamped(entry.row.moved)
    // A new attempt may begin with fewer bytes.
    if new > 0, let time { entries[uid]?.meter.add(new, at: time) }
    entries[uid]?.row = row
    if row.isOver, !entry.row.isOver { noteEnded() }
    return isChanged ? row : nil
  }

  /// Notes a finding that counts, or that has been withdrawn.
  package mutating func note(_ inset: EventInset) {
    for task in inset.tasks {
      guard entries[task.uid] != nil else { continue }
      entries[task.uid]?.row.rules.removeAll { $0 == inset.title }
      if inset.counts { entries[task.uid]?.row.rules.append(inset.title) }
    }
  }

  /// The time since the beginning of the log.
  private var time: Duration? { last.flatMap(time(at:)) }

  private func time(at now: WallTime) -> Duration? {
    beginning.map { .nanoseconds(max(0, now.nanoseconds.subtractingClamped($0.nanoseconds))) }
  }

  private mutating func noteEnded() {
    ended += 1
    guard ended > 2 * Self.endedLimit else { return }
    var surplus = ended - Self.endedLimit
    order.removeAll { uid in
      guard surplus > 0, entries[uid]?.row.isOver ?? true else { return false }
      entries[uid] = nil
      surplus -= 1
      return true
    }
    ended = Self.endedLimit
  }

  // MARK: Rows

  /// A row with its figures at a time.
  package struct Line: Sendable {
    package let row: TaskRow
    /// The rate in bytes per second; 0 while nothing moves.
    package let rate: Int64
    /// The time that the rest takes at this rate; `nil` if it is unknown.
    package let remaining: Duration?
    /// The time since the last change of the state; `nil` if it is unknown.
    package let age: Duration?
    /// The time since the task's next step was due; `nil` if it is not overdue.
    package let overdue: Duration?
  }

  /// Returns the figures of a row at a time.
  package func line(_ row: TaskRow, at now: WallTime?) -> Line {
    let rate =
      row.state == .running && !row.isOver ? now.flatMap(time(at:)).flatMap { entries[row.task.uid]?.meter.rate(at: $0) } ?? 0 : 0
    var remaining: Duration?
    if rate > 0, let expected = row.expected, expected > row.moved {
      remaining = .seconds(expected.subtractingClamped(row.moved) / rate)
    }
    let overdue = row.isOverdue(at: now) ? row.due : nil
    return Line(
      row: row, rate: rate, remaining: remaining, age: Self.time(row.since, now), overdue: Self.time(overdue, now))
  }

  private static func time(_ start: WallTime?, _ end: WallTime?) -> Duration? {
    guard let start, let end else { return nil }
    return .nanoseconds(max(0, end.nanoseconds.subtractingClamped(start.nanoseconds)))
  }

  /// Returns all tasks at a time, in the order of interest: those that are overdue or have findings, running and waiting ones, and ended
  /// ones, the last of which come first.
  package func lines(at now: WallTime?) -> [Line] {
    let all = order.enumerated().compactMap { place, uid in entries[uid].map { (place, line($0.row, at: now)) } }
    func rank(_ line: Line) -> Int {
      if line.overdue != nil || !line.row.rules.isEmpty { return 0 }
      switch line.row.state {
      case .running: return 1
      case .transferred, .delivered, .failed, .cancelled: return 2
      case .created, .queued, .held, .suspended: return line.row.isOver ? 4 : 3
      case .completed, .acknowledged: return 4
      }
    }
    let ranked = all.map { (rank: rank($1), place: $0, line: $1) }
    return ranked.sorted { left, right in
      if left.rank != right.rank { return left.rank < right.rank }
      return left.rank == 4 ? left.place > right.place : left.place < right.place
    }.map(\.line)
  }
}
