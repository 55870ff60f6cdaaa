import XferEvents
import XferLifecycle

/// The entities of downloads that were unfinished when their process ended. An app can obtain resume data from a running download
/// without an event in the log. A task that is created from such data is matched to its download by the address.
struct UnfinishedDownloads: Sendable {
  private var entities: [Address: Entity] = [:]
  /// The addresses in order of insertion, without repetitions.
  private var order = Ring<Address>()

  /// Notes a download whose process has ended.
  mutating func leave(_ task: TaskLifecycle) {
    guard task.type != .upload, let entity = task.pieces.entity, let address = Address(of: task) else { return }
    guard entities.updateValue(entity, forKey: address) == nil else { return }
    order.append(address)
    if order.count > ResumeOffers.limit, let oldest = order.popFirst() { entities[oldest] = nil }
  }

  /// Returns the entity of the last unfinished download from a task's address; `nil` if there is none. The entry stays, because
  /// the task may end before it receives a response.
  func entity(for task: TaskLifecycle) -> Entity? {
    entities.isEmpty || task.resumeData == nil ? nil : Address(of: task).flatMap { entities[$0] }
  }
}
