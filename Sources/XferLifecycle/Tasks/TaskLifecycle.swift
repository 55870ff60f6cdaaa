package import XferEvents

/// One task, from its creation until it is forgotten: its facts, and what follows from them.
///
/// The facts take about a thousand bytes, and many rules read them, so tasks are objects. Code that changes a task first makes
/// sure that nothing else refers to it; see `TaskTable`.
@usableFromInline package final class TaskLifecycle {
  // Only one thread reads a log, and the checks for overlapping access would cost more than the accesses. Other modules still
  // check, so the frequent accesses are in this module.
  @exclusivity(unchecked) @usableFromInline package var facts: TaskFacts

  package init(_ facts: TaskFacts) { self.facts = facts }

  package init(_ identity: TaskIdentity, process: Int) { facts = TaskFacts(identity: identity, process: process) }

  package func apply(_ model: EventModel, _ event: EventView, _ fact: Fact) { facts.apply(model, event, fact) }

  /// The properties that are read with every event.
  @usableFromInline package struct Glance: Sendable {
    @usableFromInline package let process: Int
    @usableFromInline package let traits: Traits
    @usableFromInline package let isCompleted: Bool

    @inlinable init(process: Int, traits: Traits, isCompleted: Bool) {
      self.process = process
      self.traits = traits
      self.isCompleted = isCompleted
    }
  }

  /// Returns several properties at once, because each separate access would retain the task.
  @inlinable package func glance() -> Glance {
    Glance(process: facts.process, traits: facts.traits, isCompleted: facts.completed != nil)
  }

  /// An error of an attempt or a task.
  package struct ErrorFacts: Hashable, Sendable {
    package let domain: ErrorDomain?
    package let number: Int
    package let name: String?
    /// The errno, if the system reported one.
    package let osError: Int?

    package init(domain: ErrorDomain?, number: Int, name: String?, osError: Int? = nil) {
      self.domain = domain
      self.number = number
      self.name = name
      self.osError = osError
    }
  }

  /// Flags for facts that few tasks have. A rule about such a fact is evaluated only for tasks with its flag.
  @usableFromInline package struct Traits: OptionSet, Hashable, Sendable {
    @usableFromInline package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An attempt or the task ended with an error.
    package static let failed = Traits(rawValue: 1 << 0)
    /// The task was completed with a status of 400 or more.
    package static let refused = Traits(rawValue: 1 << 1)
    /// The task continued an earlier transfer, or could have continued one.
    package static let goesOn = Traits(rawValue: 1 << 2)
    /// The task has several attempts, or a previous task for the same intent failed.
    package static let triedAgain = Traits(rawValue: 1 << 3)
    /// Progress followed the completion.
    package static let late = Traits(rawValue: 1 << 4)
    /// The source file was created for this task alone.
    package static let ownsSource = Traits(rawValue: 1 << 5)
    /// The task had to wait because its app was woken too often.
    package static let rateLimited = Traits(rawValue: 1 << 6)
    /// A callback was redelivered.
    package static let redelivered = Traits(rawValue: 1 << 7)
    /// The app identifies the task by its number alone.
    package static let boundByNumber = Traits(rawValue: 1 << 8)
    /// A request was repeated after a success, or after it may have been carried out.
    package static let repeated = Traits(rawValue: 1 << 9)
    /// A requested range was refused.
    package static let rangeRefused = Traits(rawValue: 1 << 10)
    /// The task's transfer succeeded without receiving a byte.
    package static let empty = Traits(rawValue: 1 << 11)
    /// The task sent a part of a resumable upload, and the server responded.
    package static let uploadGoesOn = Traits(rawValue: 1 << 12)
    /// A policy changed after the task was created.
    package static let policyChanged = Traits(rawValue: 1 << 13)
    /// The task belongs to the last wake of a chain.
    package static let chained = Traits(rawValue: 1 << 14)
    /// The app was woken for the task's open challenge.
    package static let wokeForChallenge = Traits(rawValue: 1 << 15)
    /// The task took `slowStartTime` or longer to start, and nothing held it.
    package static let slowStart = Traits(rawValue: 1 << 16)
    /// The number of transferred bytes decreased.
    package static let regressed = Traits(rawValue: 1 << 17)
    /// Another task of the session has the same number.
    package static let sharesNumber = Traits(rawValue: 1 << 18)
    /// Another running task has the same address and purpose.
    package static let hasTwin = Traits(rawValue: 1 << 19)
    /// The app does not want the task any more, or no process has its session.
    package static let orphaned = Traits(rawValue: 1 << 20)
    /// A file operation failed, or the source file changed.
    package static let fileTrouble = Traits(rawValue: 1 << 21)
    /// An attempt sent its request or ended after the network path had changed.
    package static let pathChanged = Traits(rawValue: 1 << 22)
    /// The server confirmed an upload before it had received the whole file.
    package static let answeredEarly = Traits(rawValue: 1 << 23)
  }

  /// The fields of `task.held` other than the reason. Few tasks wait, so the fields are stored out of line.
  package final class HoldTerms: Sendable {
    package let slotsUsed: Int?
    package let delay: Duration?
    package let until: WallTime?

    init?(_ event: EventView) {
      (slotsUsed, delay, until) = (event.slotsUsed, event.delay, event.until)
      if slotsUsed == nil, delay == nil, until == nil { return nil }
    }
  }

  /// The event in which the app bound an intent to the task, and the event in which the app removed the binding.
  package final class AppRecord: Sendable {
    package let bound: Fact?
    package let unbound: Fact?

    init(bound: Fact?, unbound: Fact?) { (self.bound, self.unbound) = (bound, unbound) }
  }

  package struct RunningCallback: Sendable {
    package let delivery: DeliveryID
    package let callback: Callback
    package let entered: Fact
  }

  package enum State: String, Sendable, CaseIterable {
    case created, queued, running, held, suspended, transferred, delivered, completed, acknowledged
    /// The last attempt failed, or the transfer was cancelled, and the app has not been told yet.
    case failed, cancelled
  }

  package var state: State {
    if facts.acknowledged != nil { return .acknowledged }
    if facts.completed != nil || facts.handedOff != nil { return .completed }
    if facts.completionDelivery?.entered != nil { return .delivered }
    if isCancelledUntold { return .cancelled }
    if wireEnd != nil { return hasFailedAttempt ? .failed : .transferred }
    if facts.held != nil { return .held }
    if facts.suspended != nil { return .suspended }
    if facts.attempt != nil || facts.coalesced != nil { return .running }
    return facts.resumed == nil ? .created : .queued
  }

  package enum Result: String, Sendable, CaseIterable {
    case succeeded, failed, cancelled, lost, open, unknown
    /// The task was lost with its process, and a later task continued its partial download.
    case resumed
  }

  package var result: Result {
    if facts.completed != nil {
      if let error = facts.error { return isCancellation(error) ? .cancelled : .failed }
      return (facts.status ?? 0) >= 400 && !acceptsErrorStatus ? .failed : .succeeded
    }
    if isCancelledUntold { return .cancelled }
    if facts.continuation != nil { return .resumed }
    // Another task continues the transfer, so this one counts as succeeded.
    if facts.handedOff != nil { return .succeeded }
    // A daemon carries the task, and its next generation can continue it, so the end of a process does not end the task.
    if facts.carrier != nil, facts.forgotten == nil { return .open }
    // An app that acknowledged the completion has received it, although the log lacks the end of the task.
    if facts.processEnd != nil { return facts.created == nil || isCompletionAcknowledged ? .unknown : .lost }
    return .open
  }

  /// Whether the app acknowledged the completion, and not only the file.
  package var isCompletionAcknowledged: Bool {
    facts.acknowledged != nil && facts.acknowledged != facts.fileDelivery?.acknowledged
  }

  /// Whether the response has an HTTP error status that the app accepts on purpose.
  package var acceptsErrorStatus: Bool { facts.acceptedStatus.map { $0 == facts.status && $0 >= 400 } ?? false }

  /// The outcome that the app recorded, as a clause, if it contradicts the task's own outcome, such as a failure because of a wrong
  /// checksum. `nil` if it does not.
  package var contradiction: String? {
    switch (result, facts.outcome) {
    case (.cancelled, .success): return "the app recorded a success"
    case (.succeeded, .failure), (.cancelled, .failure):
      switch facts.outcomeMessage {
      case .plain(let text), .cut(let text, _): return "the app recorded a failure: \(text)"
      case .hashed, .redacted, nil: return "the app recorded a failure"
      }
    default: return nil
    }
  }

  /// Whether an error is `NSURLErrorCancelled` or the engine's name for it.
  private func isCancellation(_ error: ErrorFacts) -> Bool {
    error.name == "cancelled" || (error.domain == .url && error.number == -999)
  }

  /// Whether the user, the daemon or a policy cancelled the task, and the app has not received the completion.
  package var isCancelledUntold: Bool {
    guard facts.completed == nil, facts.handedOff == nil, facts.transferred == nil, facts.cancelRequested != nil else {
      return false
    }
    switch facts.cancelledBy {
    case .user, .daemon, .policy: break
    case .unknown, .app, .engine, .server, .progress, nil: return false
    }
    guard let attempt = facts.attempt else { return true }
    return attempt.ended != nil && attempt.end != .finished
  }

  /// Whether the transfer ended with an attempt that did not receive a complete response.
  package var hasFailedAttempt: Bool {
    guard facts.transferred == nil, let attempt = facts.attempt, attempt.ended != nil else { return false }
    switch attempt.end {
    case .finished, .handedOff, nil: return false
    case .transport, .timeout, .cancelled, .suspended, .refused, .redirectRefused, .file, .appBackgrounded, .processEnded, .limit:
      return true
    }
  }

  /// The end of the transfer: all bytes were transferred, or the last attempt failed and there will be no other.
  package var wireEnd: Fact? {
    if let transferred = facts.transferred { return transferred }
    guard let attempt = facts.attempt, let ended = attempt.ended, attempt.retryIn == nil else { return nil }
    // A task that waits after a failed attempt will have another.
    if facts.held != nil { return nil }
    return attempt.end == .suspended ? nil : ended
  }

  /// The number of body bytes received, according to the task's end or else its last attempt.
  package var bytesReceived: Int64? {
    if let received = facts.received { return received }
    // The end of a task in a foreign log may not tell the size of the body.
    let hasEnded = facts.completed != nil || facts.transferred != nil
    return facts.attempt.flatMap { hasEnded && $0.received == 0 ? nil : $0.received }
  }
  package var bytesSent: Int64? { facts.sent ?? facts.attempt?.sent }

  /// The number of bytes that the last attempt had still to receive; `nil` if the length is unknown.
  package var bytesMissing: Int64? {
    guard let attempt = facts.attempt, let expected = attempt.expected ?? facts.expectedToReceive else { return nil }
    return max(0, expected.subtractingClamped(attempt.received))
  }

  /// Whether the transfer can still continue: it has not ended, and the task was not completed, forgotten or handed off.
  package var isLive: Bool { wireEnd == nil && facts.completed == nil && facts.forgotten == nil && facts.handedOff == nil }
}
