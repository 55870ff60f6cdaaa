import XferEvents
import XferLifecycle

/// Answers that refused a range (416), by what was asked for: who asks for the same again is refused again.
struct RangeRefusals: Sendable {
  private enum Key: Hashable {
    case address(Address)
    case task(TaskUID)
  }

  private var last: [Key: TaskLifecycle.RefusedRange] = [:]
  /// Oldest first; those that are gone meanwhile stay in here.
  private var order = Ring<Key>()

  private static let limit = 1024

  var isEmpty: Bool { last.isEmpty }

  /// An attempt has ended with a refusal.
  mutating func note(_ task: Int, in world: inout World) {
    let lifecycle = world.tasks[task]
    guard let attempt = lifecycle.attempt, attempt.status == 416, let response = attempt.responseReceived,
      // Who has all of it asks for nothing.
      attempt.offset > 0, attempt.entity?.size != attempt.offset
    else { return }
    let key = Address(of: lifecycle).map(Key.address) ?? .task(lifecycle.identity.uid)
    var refusal = TaskLifecycle.RefusedRange(offset: attempt.offset, first: response, again: response, count: 1)
    if let known = last[key] {
      if known.offset == attempt.offset {
        refusal = .init(offset: known.offset, first: known.again, again: response, count: known.count + 1)
        world.tasks[changing: task].facts.join(refused: refusal)
      }
    } else {
      order.append(key)
      if order.count > Self.limit, let oldest = order.popFirst() { last[oldest] = nil }
    }
    last[key] = refusal
  }

  /// The task brought what was wanted: what was refused before is of no interest.
  mutating func forget(_ task: TaskLifecycle) {
    guard let address = Address(of: task) else { return }
    last[.address(address)] = nil
  }
}
