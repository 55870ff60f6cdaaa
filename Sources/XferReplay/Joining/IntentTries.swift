import XferEvents
import XferLifecycle

/// The tasks that failed in succession, for each intent whose last task failed.
struct IntentTries: Sendable {
  private struct Story {
    var failed: [TaskLifecycle.FailedTry]
    /// The newest task for the intent.
    var task: TaskUID
  }

  private var stories: [String: Story] = [:]
  /// The intents in order of insertion, including intents that have succeeded since.
  private var order = Ring<String>()

  /// The number of failed tasks to keep: one more than a retry storm needs. The additional one shows whether the storm was
  /// already reported.
  private static let triesLimit = 6
  private static let storiesLimit = 4096

  /// Returns the failed tasks before a new task for the same intent; empty if they were already returned for this task.
  mutating func begin(_ task: TaskLifecycle) -> [TaskLifecycle.FailedTry] {
    guard !stories.isEmpty, let intent = task.intent, let story = stories[intent], story.task != task.identity.uid else {
      return []
    }
    stories[intent]!.task = task.identity.uid
    return story.failed
  }

  mutating func end(_ task: TaskLifecycle) {
    guard let intent = task.intent else { return }
    guard task.result == .failed, let created = task.created, let completed = task.completed else {
      if !stories.isEmpty { stories[intent] = nil }
      return
    }
    let failed = TaskLifecycle.FailedTry(created: created, completed: completed)
    if var story = stories[intent] {
      story.task = task.identity.uid
      story.failed = (story.failed + [failed]).suffix(Self.triesLimit)
      stories[intent] = story
    } else {
      stories[intent] = Story(failed: [failed], task: task.identity.uid)
      order.append(intent)
      if order.count > Self.storiesLimit, let oldest = order.popFirst() { stories[oldest] = nil }
    }
  }
}
