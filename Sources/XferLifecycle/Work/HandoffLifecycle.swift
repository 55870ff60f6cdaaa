package import XferEvents

/// A transfer that an app passes from a session that stops with it to one that does not: one task ends, another is to go on.
package struct HandoffLifecycle: Sendable {
  /// Place of the process life in which it began.
  package let process: Int
  package let first: TaskIdentity
  package let type: TaskType?
  /// What both are for.
  package let intent: String?
  package let resource: ValueDigest?

  /// The end of the background time, and what the app did then.
  package private(set) var expired: Fact?
  package private(set) var cancelled: Fact?
  package private(set) var announced: Fact?
  /// The app was stopped, or about to be, before the other task was made.
  package private(set) var stopped: Fact?

  package private(set) var successor: TaskIdentity?
  package private(set) var successorCreated: Fact?
  /// Whether it was made to go on where the first had stopped.
  package private(set) var goesOn = false
  /// Its first attempt, and where in the resource that began.
  package private(set) var successorStarted: Fact?
  package private(set) var offset: Int64 = 0

  /// Bytes that the first task had of the body, received or sent, as far as is known.
  package private(set) var bytes: Int64 = 0
  package private(set) var firstSucceeded: Fact?
  package private(set) var successorSucceeded: Fact?
  /// The first task is over, however it ended.
  package private(set) var firstCompleted: Fact?
  /// The app does not want it any more.
  package private(set) var isGivenUp = false

  package init(of task: TaskLifecycle, process: Int) {
    self.process = process
    first = task.identity
    type = task.type
    intent = task.intent
    resource = task.resource
    note(task)
  }

  /// Whether another task is for the same.
  package func concerns(_ task: TaskLifecycle) -> Bool {
    if task.identity.uid == first.uid { return false }
    if let successor { return successor.uid == task.identity.uid }
    if let intent, let other = task.intent { return intent == other }
    return resource != nil && resource == task.resource
  }

  /// The first task was cancelled because the background time had run out.
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

  /// Something changed for one of the two.
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
