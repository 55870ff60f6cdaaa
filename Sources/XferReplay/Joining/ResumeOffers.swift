import XferEvents
import XferLifecycle

/// The resume data that ended tasks left, until another task for the same resource is created.
struct ResumeOffers: Sendable {
  private struct Offer {
    let task: TaskUID
    var data: TaskLifecycle.EarlierResumeData
  }

  private var offers: [ValueDigest: Offer] = [:]
  /// The resource of each resume data. A task of another session finds the offer by the resume data from which it is created,
  /// because digests of resources are comparable only within one session.
  private var resources: [ValueDigest: ValueDigest] = [:]
  /// The offers in order of insertion, including offers that were removed.
  private var order = Ring<(resource: ValueDigest, task: TaskUID, data: ValueDigest)>()

  /// The tasks whose cancellation was requested, by resource.
  private var cancelled: [ValueDigest: TaskUID] = [:]
  /// The last task that was created for the same resource before a cancelled task's resume data arrived, by the cancelled task.
  private var early: [TaskUID: TaskTable.Place] = [:]

  /// The maximum number of offers. When it is exceeded, the oldest offer is forgotten.
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

  /// Removes and returns the resume data that the previous task for a new task's resource left; `nil` if there is none.
  mutating func take(for task: TaskLifecycle) -> TaskLifecycle.EarlierResumeData? {
    guard !offers.isEmpty else { return nil }
    if let data = task.resumeData, let resource = resources[data], offers[resource]?.data.data == data {
      return offers.removeValue(forKey: resource)?.data
    }
    return task.resource.flatMap { offers.removeValue(forKey: $0)?.data }
  }

  /// Notes that the partial download of a task was deleted, and not by the app.
  mutating func remove(_ task: TaskLifecycle, _ fact: Fact) {
    guard let resource = task.resource, let offer = offers[resource], offer.task == task.identity.uid else { return }
    offers[resource]!.data = .init(offer.data, removed: fact)
  }

  /// Removes the offer of a task that the app has discarded.
  mutating func withdraw(_ task: TaskLifecycle) {
    guard let resource = task.resource, offers[resource]?.task == task.identity.uid else { return }
    offers[resource] = nil
  }

  // MARK: Late resume data

  /// Notes that the app has requested a task's cancellation. The resume data follows with the completion.
  mutating func noteCancelled(_ task: TaskLifecycle) {
    if let resource = task.resource { cancelled[resource] = task.identity.uid }
  }

  /// Notes a new task for a resource whose resume data has not arrived yet.
  mutating func noteMade(_ task: TaskLifecycle, at place: TaskTable.Place) {
    guard !cancelled.isEmpty, task.resumeData == nil, let resource = task.resource, let other = cancelled[resource],
      other != task.identity.uid
    else { return }
    early[other] = place
  }

  /// Removes and returns the task that was created before the resume data of an ended task arrived; `nil` if there is none.
  mutating func takeEarly(for task: TaskLifecycle) -> TaskTable.Place? {
    guard !cancelled.isEmpty, let resource = task.resource, cancelled[resource] == task.identity.uid else { return nil }
    cancelled[resource] = nil
    return early.removeValue(forKey: task.identity.uid)
  }
}
