import XferEvents

/// What every log of the engine has to satisfy, whatever happened.
enum LogChecks {
  static func problems(in events: [NotedEvent]) -> [String] {
    unexpectedOrders(in: events) + incompleteDeliveries(in: events) + wrongCompletions(in: events)
  }

  /// Events that stand where the vocabulary's tables do not allow them, by family and subject.
  static func unexpectedOrders(in events: [NotedEvent]) -> [String] {
    let definitions = Dictionary(uniqueKeysWithValues: Vocabulary.events.map { ($0.name, $0) })
    let subjects = Dictionary(uniqueKeysWithValues: Vocabulary.families.map { ($0.name, $0.subject) })
    var last: [String: String] = [:]
    var problems: [String] = []
    for event in events {
      let definition = definitions[event.kind.name]!
      guard let subject = subjects[definition.family]!, let value = event.values[subject] else { continue }
      let key = "\(definition.family) \(value)"
      let before = last[key] ?? "start"
      if !definition.follows.contains(before), definition.follows != ["any"] {
        problems.append("\(definition.name) after \(before): \(event)")
      }
      last[key] = definition.name
    }
    return problems
  }

  /// Deliveries that were queued and did not go all the way.
  static func incompleteDeliveries(in events: [NotedEvent]) -> [String] {
    let steps: [EventKind] = [.deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft]
    var seen: [UInt64: [EventKind]] = [:]
    for event in events where steps.contains(event.kind) { seen[event.identifier("delivery")!, default: []].append(event.kind) }
    return seen.filter { $0.value != steps }.map { "delivery \($0.key): \($0.value)" }
  }

  /// Tasks that did not complete exactly once, or succeeded without their bytes, or failed with them.
  static func wrongCompletions(in events: [NotedEvent]) -> [String] {
    let created = events.filter { $0.kind == .taskCreated }.compactMap(\.task)
    return created.compactMap { task in
      let own = events.filter { $0.task == task }
      // Its successor completes.
      if own.contains(where: { $0.kind == .taskHandedOff }) {
        let ends: [EventKind] = [.taskCompleted, .taskTransferred, .taskAcknowledged]
        return own.contains { ends.contains($0.kind) } ? "task \(task.number): \(own.map { "\($0)" })" : nil
      }
      let completed = own.filter { $0.kind == .taskCompleted }
      let transferred = own.count { $0.kind == .taskTransferred }
      let carried = own.filter { $0.kind == .deliverySent && $0.text("callback") == "didComplete" }
      let succeeded = completed.first.map { $0.values["error"] == nil || $0.text("domain") == "posix" } ?? false
      let isRight =
        completed.count == 1 && carried.count == 1 && own.count { $0.kind == .taskAcknowledged } == 1
        && transferred == (succeeded ? 1 : 0) && own.last { $0.kind.name.hasPrefix("task.") }?.kind == .taskAcknowledged
      return isRight ? nil : "task \(task.number): \(own.map { "\($0)" })"
    }
  }
}
