import XferEvents
import XferLifecycle

/// Responses that refused a range (status 416), by address or task. A repeated request for the same range will be refused
/// again.
struct RangeRefusals: Sendable {
  private enum Key: Hashable {
    case address(Address)
    case task(TaskUID)
  }

  private var last: [Key: TaskLifecycle.RefusedRange] = [:]
  /// The keys in order of insertion, including keys that were removed from `last`.
  private var order = Ring<Key>()

  private static let limit = 1024

  var isEmpty: Bool { last.isEmpty }

  /// Notes an attempt that ended with status 416.
  mutating func note(_ task: Int, in world: inout World) {
    let lifecycle = world.tasks[task]
    guard let attempt = lifecycle.attempt, attempt.status == 416, let response = attempt.responseReceived,
      // A task that already has the whole resource has nothing left to request, so its refusal is not noted.
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

  /// Forgets the refusals for a task's address, because the task has succeeded.
  mutating func forget(_ task: TaskLifecycle) {
    guard let address = Address(of: task) else { return }
    last[.address(address)] = nil
  }
}
