package import XferEvents

// Facts about earlier tasks for the same resource or intent; set by the replay, which knows all tasks.
extension TaskFacts {
  package mutating func joinEarlier(_ earlier: EarlierResumeData) {
    earlierResumeData = earlier
    traits.insert(.goesOn)
    // The body of a task that was created from this resume data begins with the earlier task's bytes. For any other task, that is
    // only likely.
    if resumeData == earlier.data { pieces = Pieces(entity: earlier.entity) } else { likelyEntity = earlier.entity }
  }

  /// Notes the entity of an unfinished task for the same address, as the likely origin of this task's resume data, which the log
  /// does not state.
  package mutating func joinUnfinished(_ entity: Entity) {
    if pieces.entity == nil, likelyEntity == nil { likelyEntity = entity }
  }

  /// Notes the later task that continues this task's partial download. The first one counts.
  package mutating func join(continuation: TaskLifecycle.Continuation) { self.continuation = self.continuation ?? continuation }

  package mutating func joinFailed(_ tries: [FailedTry]) {
    failedTries = tries
    traits.insert(.triedAgain)
  }
}

extension TaskLifecycle {
  /// The resume data that the previous task for the same resource left when it ended.
  package final class EarlierResumeData: Sendable {
    package let offered: Fact
    package let data: ValueDigest
    /// Whether the server accepts range requests; `nil` if unknown.
    package let serverTakesRanges: Bool?
    /// The entity of the partial download; `nil` if unknown.
    package let entity: Entity?
    /// The event in which the partial download was deleted to free space; `nil` if it was not deleted.
    package let removed: Fact?

    package init(offered: Fact, data: ValueDigest, of task: TaskLifecycle) {
      self.offered = offered
      self.data = data
      serverTakesRanges = task.attempt?.acceptsRanges
      entity = task.pieces.entity
      removed = nil
    }

    /// Creates a copy for a partial download that was deleted.
    package init(_ earlier: EarlierResumeData, removed: Fact) {
      (offered, data, serverTakesRanges, entity) = (
        earlier.offered, earlier.data, earlier.serverTakesRanges, earlier.entity
      )
      self.removed = removed
    }
  }

  /// The earlier task whose partial download a task continues. Few tasks continue another one, so this is stored out of line.
  package final class Continued: Sendable {
    package let uid: TaskUID

    init?(_ event: EventView) {
      guard case .plain(let text)? = event.continues, let uid = TaskUID(text) else { return nil }
      self.uid = uid
    }
  }

  /// The later task that continues a task's partial download.
  package final class Continuation: Sendable {
    package let task: TaskIdentity
    package let created: Fact

    package init(task: TaskIdentity, created: Fact) { (self.task, self.created) = (task, created) }
  }

  /// A failed task for the same intent.
  package struct FailedTry: Sendable {
    package let created: Fact
    package let completed: Fact
    /// The beginning of the completion callback, in which the app may create the next task before `completed`; `nil` if unknown.
    package let told: Fact?

    package init(created: Fact, completed: Fact, told: Fact?) {
      (self.created, self.completed, self.told) = (created, completed, told)
    }
  }
}
