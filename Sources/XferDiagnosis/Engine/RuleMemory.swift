package import XferEvents
package import XferLifecycle
package import XferReplay

/// A rule about tasks that keeps knowledge which no other rule needs.
///
/// The rule is asked about a task only if it has a memory of the task, so the memory replaces `presupposes`.
package protocol RememberingTaskRule: TaskRule {
  associatedtype Memory: Sendable

  /// Updates the memory of a task with an event. Called after the event has been applied to the task's lifecycle and before the
  /// rule is asked, for the events in `remembers`, and for those in `updates` while any rule remembers something of the task.
  ///
  /// - Parameter memory: what the rule remembers of the task; `nil` while it remembers nothing.
  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?)

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict?
  /// Returns the summary of one of the rule's findings at the end of the log; see `TaskRule`.
  func finalSummary(of finding: Finding, on task: TaskLifecycle, remembering memory: Memory, in world: World) -> String?
}

extension RememberingTaskRule {
  package func finalSummary(of finding: Finding, on task: TaskLifecycle, remembering memory: Memory, in world: World) -> String? {
    nil
  }

  package func finalSummary(
    of finding: Finding, on task: TaskLifecycle, _ memories: (all: RuleMemories, rule: Int), in world: World
  ) -> String? {
    memories.all[memories.rule, Memory.self].flatMap { finalSummary(of: finding, on: task, remembering: $0, in: world) }
  }

  package static var presupposes: Set<TaskSign>? { [] }

  package func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    asked.isTaskOver ? .silentSoFar : nil
  }

  package func asker(at index: Int) -> TaskAsker {
    TaskAsker(
      ask: { task, memories, world, asked in
        guard let memory = memories[index, Memory.self] else { return verdict(on: task, in: world, asked: asked) }
        return verdict(on: task, remembering: memory, in: world, asked: asked)
      },
      remember: { event, fact, task, memories in
        // Nearly all tasks have no memories. For these tasks, nothing is copied or stored unless the rule begins to remember
        // something.
        guard !memories.isEmpty else {
          var memory: Memory?
          Self.remember(event, fact, of: task, &memory)
          guard let memory else { return false }
          memories[index, Memory.self] = memory
          return true
        }
        var memory = memories[index, Memory.self]
        Self.remember(event, fact, of: task, &memory)
        memories[index, Memory.self] = memory
        return memory != nil
      })
  }
}

/// The memories that rules have of one subject. Few subjects have any.
package struct RuleMemories: Sendable {
  private var entries: [(rule: Int, box: MemoryBox)] = []

  @inline(__always)
  var isEmpty: Bool { entries.isEmpty }

  subscript<Memory: Sendable>(rule: Int, _: Memory.Type) -> Memory? {
    @inline(__always) get {
      if entries.isEmpty { return nil }
      // All memories of a rule have the same type, so the cast cannot fail. A checked cast would search the runtime's tables each time.
      return entries.first { $0.rule == rule }.map { unsafeDowncast($0.box, to: TypedBox<Memory>.self).memory }
    }
    set {
      let place = entries.firstIndex { $0.rule == rule }
      switch (place, newValue.map(TypedBox.init)) {
      case (let place?, let box?): entries[place].box = box
      case (nil, let box?): entries.append((rule, box))
      case (let place?, nil): entries.remove(at: place)
      case (nil, nil): break
      }
    }
  }

  // @unchecked Sendable: the only subclass has one constant of a Sendable type.
  private class MemoryBox: @unchecked Sendable {}

  private final class TypedBox<Memory: Sendable>: MemoryBox, @unchecked Sendable {
    let memory: Memory
    init(_ memory: Memory) { self.memory = memory }
  }
}
