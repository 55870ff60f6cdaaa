import XferEvents
import XferLifecycle

/// The first task that was created from each piece of resume data.
struct ResumeDataUses: Sendable {
  private struct Use {
    let created: Fact
    let place: TaskTable.Place
    var hadBegun = false
  }

  private var uses: [ValueDigest: Use] = [:]
  /// The resume data in order of insertion, without repetitions.
  private var order = Ring<ValueDigest>()

  mutating func noteMade(_ task: Int, in world: inout World) {
    guard let data = world.tasks[task].resumeData, let created = world.tasks[task].created else { return }
    if let first = uses[data] {
      let isOpen = world.tasks.isCurrent(first.place)
      let hadBegun = first.hadBegun || isOpen && !Self.hasEndedUnused(world.tasks[Int(first.place.index)])
      world.tasks[changing: task].facts.join(earlierUse: .init(created: first.created, hadBegun: hadBegun))
      // If the first task never started, the new task counts as the first use.
      if hadBegun { return }
    } else {
      order.append(data)
      if order.count > ResumeOffers.limit, let oldest = order.popFirst() { uses[oldest] = nil }
    }
    uses[data] = Use(created: created, place: world.tasks.place(task))
  }

  mutating func noteEnd(_ task: TaskLifecycle) {
    guard !uses.isEmpty, let data = task.resumeData, uses[data]?.created == task.created else { return }
    uses[data]!.hadBegun = task.firstAttempt != nil
  }

  private static func hasEndedUnused(_ task: TaskLifecycle) -> Bool { task.completed != nil && task.firstAttempt == nil }
}
