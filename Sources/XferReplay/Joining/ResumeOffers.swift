import XferEvents
import XferLifecycle

/// Resume data that tasks were given when they ended, until a task for the same resource is made.
struct ResumeOffers: Sendable {
  private struct Offer {
    let task: TaskUID
    var data: TaskLifecycle.EarlierResumeData
  }

  private var offers: [ValueDigest: Offer] = [:]
  /// By the data itself, which a task of another session may be made from.
  private var resources: [ValueDigest: ValueDigest] = [:]
  /// Oldest first; offers that are gone meanwhile stay in here.
  private var order = Ring<(resource: ValueDigest, task: TaskUID, data: ValueDigest)>()

  /// Tasks that are being cancelled, by their resources.
  private var cancelled: [ValueDigest: TaskUID] = [:]
  /// By those, the tasks for the same that were made before their resume data was there.
  private var early: [TaskUID: TaskTable.Place] = [:]

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

  /// The part that a task had is gone, and the app had no hand in it.
  mutating func remove(_ task: TaskLifecycle, _ fact: Fact) {
    guard let resource = task.resource, let offer = offers[resource], offer.task == task.identity.uid else { return }
    offers[resource]!.data = .init(offer.data, removed: fact)
  }

  /// The app gave the task up.
  mutating func withdraw(_ task: TaskLifecycle) {
    guard let resource = task.resource, offers[resource]?.task == task.identity.uid else { return }
    offers[resource] = nil
  }

  // MARK: Data that comes too late

  /// The app has asked for the task's end: what is there of it comes with that.
  mutating func noteCancelled(_ task: TaskLifecycle) {
    if let resource = task.resource { cancelled[resource] = task.identity.uid }
  }

  /// A task for the same was made while the data was on its way.
  mutating func noteMade(_ task: TaskLifecycle, at place: TaskTable.Place) {
    guard !cancelled.isEmpty, task.resumeData == nil, let resource = task.resource, let other = cancelled[resource],
      other != task.identity.uid
    else { return }
    early[other] = place
  }

  /// - Returns: who was made without the resume data that comes with this end.
  mutating func takeEarly(for task: TaskLifecycle) -> TaskTable.Place? {
    guard !cancelled.isEmpty, let resource = task.resource, cancelled[resource] == task.identity.uid else { return nil }
    cancelled[resource] = nil
    return early.removeValue(forKey: task.identity.uid)
  }
}
