package import XferEvents

/// A transfer that an app moves from a session that ends with the app to a background session: one task ends, and another one
/// continues the transfer.
package struct HandoffLifecycle: Sendable {
  /// The index of the process life in which the handoff began.
  package let process: Int
  package let first: TaskIdentity
  package let type: TaskType?
  /// The intent of both tasks.
  package let intent: String?
  package let resource: ValueDigest?

  /// The expiration of background time that led to the cancellation of the first task.
  package private(set) var expired: Fact?
  package private(set) var cancelled: Fact?
  package private(set) var announced: Fact?
  /// The suspension or the end of the app before the second task was created.
  package private(set) var stopped: Fact?

  package private(set) var successor: TaskIdentity?
  package private(set) var successorCreated: Fact?
  /// Whether the second task was created to continue where the first had stopped.
  package private(set) var goesOn = false
  /// The first attempt of the second task.
  package private(set) var successorStarted: Fact?
  /// The offset in the resource of the byte at which this attempt began.
  package private(set) var offset: Int64 = 0

  /// The number of body bytes that the first task had received or sent, as far as known.
  package private(set) var bytes: Int64 = 0
  package private(set) var firstSucceeded: Fact?
  package private(set) var successorSucceeded: Fact?
  /// The completion of the first task, whatever its result.
  package private(set) var firstCompleted: Fact?
  /// Whether the app recorded that it cancelled or discarded the transfer.
  package private(set) var isGivenUp = false

  package init(of task: TaskLifecycle, process: Int) {
    self.process = process
    first = task.identity
    type = task.type
    intent = task.intent
    resource = task.resource
    note(task)
  }

  /// Whether a task is for the same intent or content as the first task.
  package func concerns(_ task: TaskLifecycle) -> Bool {
    if task.identity.uid == first.uid { return false }
    if let successor { return successor.uid == task.identity.uid }
    if let intent, let other = task.intent { return intent == other }
    return resource != nil && resource == task.resource
  }

  /// Notes that the first task was cancelled because background time had expired.
  package mutating func cancel(_ fact: Fact, after expired: Fact) { (cancelled, self.expired) = (fact, expired) }

  package mutating func announce(_ fact: Fact, successor: TaskIdentity) {
    announced = announced ?? fact
    self.successor = self.successor ?? successor
  }

  package mutating func stop(_ fact: Fact) { if successorCreated == nil { stopped = stopped ?? fact } }

  package mutating func begin(_ task: TaskLifecycle, _ created: Fact) {
    successor = task.identity
    successorCreated = successorCreated ?? created
    goesOn = task.resumeData != nil || task.offset ?? 0 > 0
  }

  /// Updates the handoff after a change of one of its two tasks.
  package mutating func note(_ task: TaskLifecycle) {
    let isSuccess = task.result == .succeeded && task.completed != nil
    if task.identity.uid == first.uid {
      bytes = max(bytes, (type == .upload ? task.bytesSent : task.bytesReceived) ?? 0)
      firstCompleted = task.completed
      if isSuccess { firstSucceeded = firstSucceeded ?? task.completed }
    } else {
      if successorStarted == nil, let attempt = task.attempt, let started = attempt.started {
        (successorStarted, offset) = (started, attempt.offset)
      }
      if isSuccess { successorSucceeded = successorSucceeded ?? task.completed }
    }
    if task.outcome == .cancelled || task.outcome == .discarded { isGivenUp = true }
  }
}
