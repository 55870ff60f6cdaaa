import XferEvents
import XferLifecycle

/// Tasks that the app identifies by their number alone. For each number, only the last task is kept.
struct NumberBindings: Sendable {
  private var boundToNumber: [UInt32: TaskTable.Place] = [:]

  mutating func bind(_ task: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    guard event.key == "number" else { return }
    let number = world.tasks[task].identity.number
    var earlier: TaskLifecycle.NumberBinding.Other?
    if let place = boundToNumber[number], world.tasks.isCurrent(place), Int(place.index) != task {
      let other = world.tasks[Int(place.index)]
      if other.identity.session != world.tasks[task].identity.session, other.completed == nil, other.outcome == nil,
        let binding = other.numberBinding
      {
        earlier = .init(task: other.identity, bound: binding.bound)
      }
    }
    world.tasks[changing: task].facts.bind(.init(bound: fact, earlier: earlier))
    boundToNumber[number] = world.tasks.place(task)
  }

  /// Notes an outcome that names the intent of another task with the same number.
  func conclude(_ task: Int, _ event: EventView, _ fact: Fact, in world: inout World) {
    guard world.tasks[task].numberBinding != nil, let intent = event.intent?.key, let own = world.tasks[task].intent,
      intent != own, let place = boundToNumber[world.tasks[task].identity.number], world.tasks.isCurrent(place)
    else { return }
    // The fact is stored in the task that was bound last, no matter which of the two tasks the outcome names.
    let last = Int(place.index)
    guard let binding = world.tasks[last].numberBinding, let earlier = binding.earlier, binding.mistaken == nil,
      world.tasks[last].intent == intent || last == task
    else { return }
    world.tasks[changing: last].facts.bind(.init(bound: binding.bound, earlier: earlier, mistaken: fact))
  }
}
