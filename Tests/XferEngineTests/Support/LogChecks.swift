import XferEvents

/// Checks that every log of the engine must satisfy.
enum LogChecks {
  static func problems(in events: [NotedEvent]) -> [String] {
    unexpectedOrders(in: events) + incompleteDeliveries(in: events) + wrongCompletions(in: events)
  }

  /// Returns the events that violate the vocabulary's tables of allowed orders, by family and subject.
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

  /// Returns the deliveries that were queued but not completed.
  static func incompleteDeliveries(in events: [NotedEvent]) -> [String] {
    let steps: [EventKind] = [.deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft]
    var seen: [UInt64: [EventKind]] = [:]
    for event in events where steps.contains(event.kind) { seen[event.identifier("delivery")!, default: []].append(event.kind) }
    return seen.filter { $0.value != steps }.map { "delivery \($0.key): \($0.value)" }
  }

  /// Returns the tasks that did not complete exactly once, or whose transfer events contradict their result.
  static func wrongCompletions(in events: [NotedEvent]) -> [String] {
    let created = events.filter { $0.kind == .taskCreated }.compactMap(\.task)
    return created.compactMap { task in
      let own = events.filter { $0.task == task }
      // A task that was handed off does not complete; its successor does.
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
