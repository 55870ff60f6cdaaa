import XferEvents
import XferLifecycle

/// The tasks that failed in succession, for each intent whose last task failed.
struct IntentTries: Sendable {
  private struct Story {
    var failed: [TaskLifecycle.FailedTry]
    /// The number of failed tasks, including those that are no longer kept.
    var count = 1
    /// The newest task for the intent.
    var task: TaskUID
  }

  private var stories: [String: Story] = [:]
  /// The tasks whose completion callback is running, by intent, each with the next task that the app has created for the intent
  /// since the callback began. The log states the result only after the callback.
  private var inCallback: [String: (task: TaskUID, next: TaskUID?)] = [:]
  /// The intents in order of insertion, including intents that have succeeded since.
  private var order = Ring<String>()

  /// The number of failed tasks to keep: one more than a retry storm needs. The additional one shows whether the storm was
  /// already reported.
  private static let triesLimit = 6
  private static let storiesLimit = 4096
  /// The number of failed tasks in succession from which they are counted for a finding.
  static let stormCount = 5

  /// Notes that the completion callback of a task begins.
  mutating func enter(_ task: TaskLifecycle) {
    if let intent = task.intent, task.completed == nil { inCallback[intent] = (task.identity.uid, nil) }
  }

  /// Returns the failed tasks before a new task for the same intent; empty if they were already returned for this task.
  mutating func begin(_ task: TaskLifecycle) -> [TaskLifecycle.FailedTry] {
    if stories.isEmpty, inCallback.isEmpty { return [] }
    guard let intent = task.intent else { return [] }
    if let running = inCallback[intent], running.task != task.identity.uid {
      inCallback[intent] = (running.task, running.next ?? task.identity.uid)
      return []
    }
    guard let story = stories[intent], story.task != task.identity.uid else { return [] }
    stories[intent]!.task = task.identity.uid
    return story.failed
  }

  /// Notes the completion of a task.
  ///
  /// - Returns: the task that the app created for the intent in the completion callback of this one, and the failed tasks before it;
  ///   `nil` if there is none.
  mutating func end(_ task: TaskLifecycle) -> (next: TaskUID, failed: [TaskLifecycle.FailedTry])? {
    guard let intent = task.intent else { return nil }
    var next: TaskUID?
    if inCallback[intent]?.task == task.identity.uid { next = inCallback.removeValue(forKey: intent)?.next }
    guard task.result == .failed, let created = task.created, let completed = task.completed else {
      if !stories.isEmpty { stories[intent] = nil }
      return nil
    }
    let failed = TaskLifecycle.FailedTry(created: created, completed: completed, told: task.completionDelivery?.entered)
    if var story = stories[intent] {
      story.task = task.identity.uid
      story.failed = (story.failed + [failed]).suffix(Self.triesLimit)
      story.count += 1
      stories[intent] = story
    } else {
      stories[intent] = Story(failed: [failed], task: task.identity.uid)
      order.append(intent)
      if order.count > Self.storiesLimit, let oldest = order.popFirst() { stories[oldest] = nil }
    }
    guard let next, let failed = stories[intent]?.failed else { return nil }
    stories[intent]?.task = next
    return (next, failed)
  }

  /// Returns how many tasks for an intent have failed in succession.
  func count(_ intent: String) -> Int { stories[intent]?.count ?? 0 }
}
