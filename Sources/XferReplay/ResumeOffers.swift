import XferEvents
import XferLifecycle

/// Resume data that tasks were given when they ended, until a task for the same resource is made; and what tasks whose process
/// ended had by then.
struct ResumeOffers: Sendable {
  private struct Offer {
    let task: TaskUID
    let data: TaskLifecycle.EarlierResumeData
  }

  private var offers: [ValueDigest: Offer] = [:]
  /// Oldest first; offers that are gone meanwhile stay in here.
  private var order = Ring<(resource: ValueDigest, task: TaskUID)>()

  private var unfinished: [ValueDigest: Entity] = [:]
  /// Oldest first; what is gone meanwhile stays in here.
  private var unfinishedOrder = Ring<ValueDigest>()

  /// Whoever leaves more downloads unfinished is not asked about the oldest.
  private static let limit = 4096

  mutating func add(_ digest: ValueDigest, of task: TaskLifecycle, _ fact: Fact) {
    guard let resource = task.resource, offers[resource]?.task != task.identity.uid else { return }
    offers[resource] = Offer(task: task.identity.uid, data: .init(offered: fact, data: digest, of: task))
    unfinished[resource] = nil
    order.append((resource, task.identity.uid))
    guard order.count > Self.limit, let oldest = order.popFirst() else { return }
    if offers[oldest.resource]?.task == oldest.task { offers[oldest.resource] = nil }
  }

  /// What the last task for a new task's resource left, which is the new one's to use or not.
  mutating func take(for resource: ValueDigest) -> TaskLifecycle.EarlierResumeData? {
    offers.isEmpty ? nil : offers.removeValue(forKey: resource)?.data
  }

  /// What the last task for a resource whose process ended had of it. It stays: the next one may not get as far as an answer.
  func unfinished(_ resource: ValueDigest) -> Entity? { unfinished.isEmpty ? nil : unfinished[resource] }

  /// The task's process is over. Resume data that it had been given meanwhile is in no event of this log.
  mutating func leave(_ task: TaskLifecycle) {
    guard let resource = task.resource, task.type != .upload, let entity = task.pieces.entity else { return }
    guard unfinished.updateValue(entity, forKey: resource) == nil else { return }
    unfinishedOrder.append(resource)
    if unfinishedOrder.count > Self.limit, let oldest = unfinishedOrder.popFirst() { unfinished[oldest] = nil }
  }

  /// The app gave the task up.
  mutating func withdraw(_ task: TaskLifecycle) {
    guard let resource = task.resource, offers[resource]?.task == task.identity.uid else { return }
    offers[resource] = nil
  }
}
