package import XferEvents

/// The limits that a condition sets to the events that can meet it. A reader uses them to skip parts of a log.
///
/// The limits never exclude an event that meets the condition.
package struct BlockBounds: Sendable {
  /// A bit mask of the levels, indexed by level number.
  package var levels: UInt8 = .max
  package var since: Int64 = .min
  /// The latest time, inclusive.
  package var until: Int64 = .max
  /// The conditions that the event's task must meet; empty if the event need not name a task.
  package var tasks: [@Sendable (TaskIdentity) -> Bool] = []
  /// The number that all tasks have that meet the conditions; `nil` if they may have several numbers.
  package var taskNumber: UInt32?
  /// The conditions that the event's session must meet.
  package var sessions: [@Sendable (String) -> Bool] = []

  package init() {}

  package init(_ predicate: Predicate) { self = Self.bounds(predicate) }

  /// Whether the limits exclude nothing.
  package var isOpen: Bool { levels == .max && since == .min && until == .max && tasks.isEmpty && sessions.isEmpty }

  private static func bounds(_ predicate: Predicate) -> BlockBounds {
    switch predicate {
    case .everything, .search, .exists: return BlockBounds()
    case .and(let members): return members.map(bounds).reduce(BlockBounds()) { $0.intersection($1) }
    case .or(let members):
      let bounds = members.map(bounds)
      return bounds.dropFirst().reduce(bounds.first ?? BlockBounds()) { $0.union($1) }
    case .not(let member):
      // Every event has a level, so the other levels are those that do not meet the condition.
      if case .comparison(let comparison) = member, comparison.field.source == .property(.level) {
        var bounds = BlockBounds()
        bounds.levels = levels { ValueTest(comparison).truth(of: .number($0)) != .yes }
        return bounds
      }
      return BlockBounds()
    case .comparison(let comparison): return bounds(comparison)
    }
  }

  private static func levels(where holds: (Int64) -> Bool) -> UInt8 {
    Level.allCases.reduce(0) { holds(Int64($1.rawValue)) ? $0 | 1 << $1.rawValue : $0 }
  }

  private static func bounds(_ comparison: Comparison) -> BlockBounds {
    var bounds = BlockBounds()
    let test = ValueTest(comparison)
    switch comparison.field.source {
    case .property(.level): bounds.levels = levels { test.truth(of: .number($0)) == .yes }
    case .property(.event):
      // All events of a kind have the same level. Events of other vocabularies may have any.
      let kinds = EventKind.allCases.filter { test.truth(of: .text($0.name)) == .yes }
      if case .equal = comparison.test { bounds.levels = levels(of: kinds) }
      if case .isIn = comparison.test { bounds.levels = levels(of: kinds) }
    case .property(.time): bounds.setTimes(comparison.test)
    case .property(.task) where comparison.options.isEmpty:
      if case .equalOrMissing = comparison.test { break }
      if case .equal(.text(let text)) = comparison.test {
        let task = TaskTest(text)
        bounds.tasks = [task.matches]
        bounds.taskNumber = task.onlyNumber
      } else {
        bounds.tasks = [{ test.truth(of: FieldReading(task: $0)) == .yes }]
      }
    case .property(.task), .property(.taskUID), .property(.taskNumber):
      if case .equalOrMissing = comparison.test { break }
      let field = comparison.field
      bounds.tasks = [{ test.truth(of: field.reading(of: $0)) == .yes }]
    case .property(.session), .subject(SubjectField(.task, "session")):
      if case .equalOrMissing = comparison.test { break }
      bounds.sessions = [{ test.truth(of: .text($0)) == .yes }]
    case .subject(SubjectField(.task, "number")):
      if case .equalOrMissing = comparison.test { break }
      bounds.tasks = [{ test.truth(of: .number(Int64($0.number))) == .yes }]
    case .subject(SubjectField(.task, "uid")):
      if case .equalOrMissing = comparison.test { break }
      bounds.tasks = [{ test.truth(of: .text("\($0.uid)")) == .yes }]
    default: break
    }
    return bounds
  }

  private static func levels(of kinds: [EventKind]) -> UInt8 {
    kinds.reduce(0) { mask, kind in
      let number = Int(kind.rawValue)
      guard number < EventLayout.known.count, let layout = EventLayout.known[number] else { return .max }
      return mask | 1 << layout.level.rawValue
    }
  }

  private mutating func setTimes(_ test: Comparison.Test) {
    switch test {
    case .equal(.number(let time)): (since, until) = (time, time)
    case .less(.number(let time)): until = time == .min ? .min : time - 1
    case .lessOrEqual(.number(let time)): until = time
    case .greater(.number(let time)): since = time == .max ? .max : time + 1
    case .greaterOrEqual(.number(let time)): since = time
    case .between(.number(let low), .number(let high)): (since, until) = (low, high)
    default: break
    }
  }

  private func intersection(_ other: BlockBounds) -> BlockBounds {
    var both = BlockBounds()
    both.levels = levels & other.levels
    both.since = max(since, other.since)
    both.until = min(until, other.until)
    both.tasks = tasks + other.tasks
    both.taskNumber = taskNumber ?? other.taskNumber
    both.sessions = sessions + other.sessions
    return both
  }

  private func union(_ other: BlockBounds) -> BlockBounds {
    var either = BlockBounds()
    either.levels = levels | other.levels
    either.since = min(since, other.since)
    either.until = max(until, other.until)
    if !tasks.isEmpty, !other.tasks.isEmpty {
      let (left, right) = (tasks, other.tasks)
      either.tasks = [{ task in left.allSatisfy { $0(task) } || right.allSatisfy { $0(task) } }]
      if taskNumber == other.taskNumber { either.taskNumber = taskNumber }
    }
    if !sessions.isEmpty, !other.sessions.isEmpty {
      let (left, right) = (sessions, other.sessions)
      either.sessions = [{ session in left.allSatisfy { $0(session) } || right.allSatisfy { $0(session) } }]
    }
    return either
  }
}

extension QueryField {
  /// Reads a property of a task.
  fileprivate func reading(of task: TaskIdentity) -> FieldReading {
    switch source {
    case .property(.taskUID): .text("\(task.uid)")
    case .property(.taskNumber): .number(Int64(task.number))
    default: FieldReading(task: task)
    }
  }
}
