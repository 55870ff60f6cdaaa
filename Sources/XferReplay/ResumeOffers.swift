import XferEvents
import XferLifecycle

/// Resume data that tasks were given when they ended, until a task for the same resource is made.
struct ResumeOffers: Sendable {
  private struct Offer {
    let task: TaskUID
    let data: TaskLifecycle.EarlierResumeData
  }

  private var offers: [ValueDigest: Offer] = [:]
  /// By the data itself, which a task of another session may be made from.
  private var resources: [ValueDigest: ValueDigest] = [:]
  /// Oldest first; offers that are gone meanwhile stay in here.
  private var order = Ring<(resource: ValueDigest, task: TaskUID, data: ValueDigest)>()

  /// Whoever leaves more downloads unfinished is not asked about the oldest.
  static let limit = 4096

  mutating func add(_ digest: ValueDigest, of task: TaskLifecycle, _ fact: Fact) {
    guard let resource = task.resource, offers[resource]?.task != task.identity.uid else { return }
    offers[resource] = Offer(task: task.identity.uid, data: .init(offered: fact, data: digest, of: task))
    resources[digest] = resource
    order.append((resource, task.identity.uid, digest))
    guard order.count > Self.limit, let oldest = order.popFirst() else { return }
    if offers[oldest.resource]?.task == oldest.task { offers[oldest.resource] = nil }
    if resources[oldest.data] == oldest.resource { resources[oldest.data] = nil }
  }

  /// What the last task for a new task's resource left, which is the new one's to use or not.
  mutating func take(for task: TaskLifecycle) -> TaskLifecycle.EarlierResumeData? {
    guard !offers.isEmpty else { return nil }
    if let data = task.resumeData, let resource = resources[data], offers[resource]?.data.data == data {
      return offers.removeValue(forKey: resource)?.data
    }
    return task.resource.flatMap { offers.removeValue(forKey: $0)?.data }
  }

  /// The app gave the task up.
  mutating func withdraw(_ task: TaskLifecycle) {
    guard let resource = task.resource, offers[resource]?.task == task.identity.uid else { return }
    offers[resource] = nil
  }
}
