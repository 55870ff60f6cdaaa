package import XferEvents

// What tasks before this one left behind for it; set by the replay, which knows them all.
extension TaskFacts {
  package mutating func joinEarlier(_ earlier: EarlierResumeData) {
    earlierResumeData = earlier
    traits.insert(.goesOn)
    // Made from that data, it goes on with those bytes.
    if resumeData == earlier.data { pieces = Pieces(entity: earlier.entity) } else { likelyEntity = earlier.entity }
  }

  /// What a task for the same address had when its process ended: nothing says which resume data it had been given.
  package mutating func joinUnfinished(_ entity: Entity) {
    if pieces.entity == nil, likelyEntity == nil { likelyEntity = entity }
  }

  package mutating func joinFailed(_ tries: [FailedTry]) {
    failedTries = tries
    traits.insert(.triedAgain)
  }
}

extension TaskLifecycle {
  /// Resume data that the last task for the same resource was given when it ended.
  package final class EarlierResumeData: Sendable {
    package let offered: Fact
    package let data: ValueDigest
    /// Whether its server said that it takes ranges; `nil` when it said nothing.
    package let serverTakesRanges: Bool?
    /// Of which the bytes are.
    package let entity: Entity?
    /// The part that was there has been removed by whoever makes room.
    package let removed: Fact?

    package init(offered: Fact, data: ValueDigest, of task: TaskLifecycle) {
      self.offered = offered
      self.data = data
      serverTakesRanges = task.attempt?.acceptsRanges
      entity = task.pieces.entity
      removed = nil
    }

    /// The same, without the part that it is about.
    package init(_ earlier: EarlierResumeData, removed: Fact) {
      (offered, data, serverTakesRanges, entity) = (
        earlier.offered, earlier.data, earlier.serverTakesRanges, earlier.entity
      )
      self.removed = removed
    }
  }

  /// A task for the same intent that failed.
  package struct FailedTry: Sendable {
    package let created: Fact
    package let completed: Fact

    package init(created: Fact, completed: Fact) {
      self.created = created
      self.completed = completed
    }
  }
}
