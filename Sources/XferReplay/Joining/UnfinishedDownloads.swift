import XferEvents
import XferLifecycle

/// What downloads had when their process ended. Resume data that an app was given while they ran is in no event, so a task that
/// is made from it is only known to be for the same address.
struct UnfinishedDownloads: Sendable {
  private var entities: [Address: Entity] = [:]
  /// Oldest first, each once.
  private var order = Ring<Address>()

  /// The task's process is over.
  mutating func leave(_ task: TaskLifecycle) {
    guard task.type != .upload, let entity = task.pieces.entity, let address = Address(of: task) else { return }
    guard entities.updateValue(entity, forKey: address) == nil else { return }
    order.append(address)
    if order.count > ResumeOffers.limit, let oldest = order.popFirst() { entities[oldest] = nil }
  }

  /// Of what the last one for a new task's address had bytes. It stays: the new one may not get as far as an answer.
  func entity(for task: TaskLifecycle) -> Entity? {
    entities.isEmpty || task.resumeData == nil ? nil : Address(of: task).flatMap { entities[$0] }
  }
}
