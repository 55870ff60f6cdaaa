import LogTestSupport
import XferEvents

/// Events of different threads that have nothing to do with each other may come in another order.
enum Reordering {
  /// Neighbours on the clock whose order is chance.
  private static let near: Int64 = .milliseconds(5)

  /// Exchanges the times of neighbours, here and there.
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

  /// Lets neighbours that have nothing to do with each other happen at the same instant.
  static func tie(_ history: inout History) {
    for place in history.tellings.indices.dropFirst() {
      let (first, second) = (history.tellings[place - 1], history.tellings[place])
      // No more than two at once: what is third might be bound to the first.
      let isTied = place > 1 && history.tellings[place - 2].time == first.time
      guard !isTied, second.time - first.time < near, !isBound(first, second) else { continue }
      history.tellings[place].time = first.time
    }
  }

  /// Exchanges some of what happens at the same instant.
  static func shuffleTies(_ history: inout History, using random: inout SeededRandom) {
    for place in history.tellings.indices.dropFirst()
    where history.tellings[place].time == history.tellings[place - 1].time && Bool.random(using: &random) {
      if !isBound(history.tellings[place - 1], history.tellings[place]) { history.tellings.swapAt(place - 1, place) }
    }
  }

  /// Whether one may be the other's cause, or both are about the same.
  private static func isBound(_ first: History.Telling, _ second: History.Telling) -> Bool {
    if first.pen == second.pen { return true }
    if first.event is LogRotated || second.event is LogRotated || first.event is LogOpened || second.event is LogOpened {
      return true
    }
    // What begins and ends a life stands around all of it.
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
