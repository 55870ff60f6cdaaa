import LogTestSupport
import XferEvents

/// Reorderings of unrelated events of different threads.
enum Reordering {
  /// The maximum distance of neighbours that may be reordered, in nanoseconds.
  private static let near: Int64 = .milliseconds(5)

  /// Swaps random pairs of unrelated neighbours.
  static func apply(to story: inout Story) {
    guard story.history.tellings.count > 2 else { return }
    for _ in 0..<story.history.tellings.count {
      let place = story.number(0...story.history.tellings.count - 2)
      let (first, second) = (story.history.tellings[place], story.history.tellings[place + 1])
      guard second.time - first.time < near, !isBound(first, second) else { continue }
      story.note(.reordering)
      story.history.tellings[place] = second
      story.history.tellings[place + 1] = first
      story.history.tellings[place].time = first.time
      story.history.tellings[place + 1].time = second.time
    }
  }

  /// Gives unrelated neighbours the same time.
  static func tie(_ history: inout History) {
    for place in history.tellings.indices.dropFirst() {
      let (first, second) = (history.tellings[place - 1], history.tellings[place])
      // At most two events at a time: a third might be related to the first.
      let isTied = place > 1 && history.tellings[place - 2].time == first.time
      guard !isTied, second.time - first.time < near, !isBound(first, second) else { continue }
      history.tellings[place].time = first.time
    }
  }

  /// Swaps random pairs of simultaneous unrelated events.
  static func shuffleTies(_ history: inout History, using random: inout SeededRandom) {
    for place in history.tellings.indices.dropFirst()
    where history.tellings[place].time == history.tellings[place - 1].time && Bool.random(using: &random) {
      if !isBound(history.tellings[place - 1], history.tellings[place]) { history.tellings.swapAt(place - 1, place) }
    }
  }

  /// Whether one of two events may be the cause of the other, or both have a common subject.
  private static func isBound(_ first: History.Telling, _ second: History.Telling) -> Bool {
    if first.pen == second.pen { return true }
    if first.event is LogRotated || second.event is LogRotated || first.event is LogOpened || second.event is LogOpened {
      return true
    }
    // Events that begin or end a life must stay before or after all of that life's events.
    if isEdge(first.event) || isEdge(second.event) { return true }
    let (one, other) = (subjects(of: first.event), subjects(of: second.event))
    return !one.isDisjoint(with: other)
  }

  private static func isEdge(_ event: any TransferEvent) -> Bool {
    switch type(of: event).kind.family {
    case "process", "link", "daemon", "log", "wake", "session": true
    default: false
    }
  }

  private enum Subject: Hashable {
    case task(TaskUID)
    case delivery(DeliveryID)
    case session(String)
    case other(UInt64)
  }

  private static func subjects(of event: any TransferEvent) -> Set<Subject> {
    var found: Set<Subject> = []
    if let task = event.subject { found.insert(.task(task.uid)) }
    for (_, value) in Mirror(reflecting: event).children {
      switch value {
      case let task as TaskIdentity: found.insert(.task(task.uid))
      case let delivery as DeliveryID: found.insert(.delivery(delivery))
      case let correlation as CorrelationID: found.insert(.other(correlation.rawValue))
      default: break
      }
    }
    return found
  }
}
