package import XferEvents

/// One task, from its creation until it is forgotten: its facts, and what follows from them.
///
/// The facts are a value of some thousand bytes that many rules look at, so they are handed around by reference. Whoever changes
/// them makes sure to be the only one who has them: see `TaskTable`.
package final class TaskLifecycle {
  // One thread reads a log; checks for overlapping access would cost more than the accesses. Other modules check all the same,
  // so what is done with every event is done here.
  @exclusivity(unchecked) package var facts: TaskFacts

  package init(_ facts: TaskFacts) { self.facts = facts }

  package init(_ identity: TaskIdentity, process: Int) { facts = TaskFacts(identity: identity, process: process) }

  package func apply(_ event: EventView, _ fact: Fact) { facts.apply(event, fact) }

  /// What is looked at with every event.
  package struct Glance: Sendable {
    package let process: Int
    package let traits: Traits
    package let isCompleted: Bool
  }

  /// All at once: for each property, which is a call, the task would be retained.
  package func glance() -> Glance {
    Glance(process: facts.process, traits: facts.traits, isCompleted: facts.completed != nil)
  }

  /// An error as the engine names it.
  package struct ErrorFacts: Hashable, Sendable {
    package let domain: ErrorDomain?
    package let number: Int
    package let name: String?
    /// errno, when the system gave one.
    package let osError: Int?

    package init(domain: ErrorDomain?, number: Int, name: String?, osError: Int? = nil) {
      self.domain = domain
      self.number = number
      self.name = name
      self.osError = osError
    }
  }

  /// What few tasks have, so that whoever looks for it need not look at the others.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An attempt or the task ended with an error.
    package static let failed = Traits(rawValue: 1)
    /// It was completed with a status of 400 or more.
    package static let refused = Traits(rawValue: 2)
    /// It goes on where it, or another task, had stopped, or could have.
    package static let goesOn = Traits(rawValue: 4)
    /// There was another attempt, or another task for the same intent that failed.
    package static let triedAgain = Traits(rawValue: 8)
    /// Progress or another completion came when it was complete.
    package static let late = Traits(rawValue: 16)
    /// The file to send was made for it alone.
    package static let ownsSource = Traits(rawValue: 32)
    /// It had to wait because its app was woken too often.
    package static let rateLimited = Traits(rawValue: 64)
    /// A callback of it was sent again.
    package static let redelivered = Traits(rawValue: 128)
    /// The app finds its record of it by its number alone.
    package static let boundByNumber = Traits(rawValue: 256)
    /// It is known until when its credential holds.
    package static let expires = Traits(rawValue: 512)
    /// It was tried again after a success, or after a request that may have been carried out.
    package static let repeated = Traits(rawValue: 1024)
    /// A range that it asked for was refused.
    package static let rangeRefused = Traits(rawValue: 2048)
    /// An attempt timed out and was followed by another.
    package static let timedOutAgain = Traits(rawValue: 4096)
    /// An answer was of another kind than was asked for.
    package static let oddContent = Traits(rawValue: 8192)
    /// A part was not the one that was asked for.
    package static let oddRange = Traits(rawValue: 16384)
    /// It was a success without a byte.
    package static let empty = Traits(rawValue: 32768)
    /// It sent a part of an upload, and the server answered.
    package static let uploadGoesOn = Traits(rawValue: 65536)
    /// A setting of the user's became another than the one it was made under.
    package static let policyChanged = Traits(rawValue: 1 << 17)
    /// It is the last of a chain of wakes.
    package static let chained = Traits(rawValue: 1 << 18)
    /// Its app was woken for its open challenge.
    package static let wokeForChallenge = Traits(rawValue: 1 << 19)
    /// It took `slowStartTime` or longer to begin, and nothing held it.
    package static let slowStart = Traits(rawValue: 1 << 20)
    /// It was told to have gone well, and not to have.
    package static let contradicted = Traits(rawValue: 1 << 21)
    /// Bytes that were counted were not, afterwards.
    package static let regressed = Traits(rawValue: 1 << 22)
    /// An upload whose answer may not have reached the app.
    package static let answerLost = Traits(rawValue: 1 << 23)
    /// It came back with another description.
    package static let relabelled = Traits(rawValue: 1 << 24)
    /// Another task of its session has its number.
    package static let sharesNumber = Traits(rawValue: 1 << 25)
    /// Another task fetches the same.
    package static let hasTwin = Traits(rawValue: 1 << 26)
    /// Nobody wants what it does, or nobody is there to take it.
    package static let orphaned = Traits(rawValue: 1 << 27)
    /// It belongs to a background session and was made with a completion handler.
    package static let hasHandler = Traits(rawValue: 1 << 28)
    /// It was complete before anything had told that it was there.
    package static let unannounced = Traits(rawValue: 1 << 29)
    /// The file system refused something, or the file to send is another one than it was.
    package static let fileTrouble = Traits(rawValue: 1 << 30)
  }

  /// What `task.held` says beside the reason. Few tasks wait, so that is kept apart.
  package final class HoldTerms: Sendable {
    package let slotsUsed: Int?
    package let delay: Duration?
    package let until: WallTime?

    init?(_ event: EventView) {
      (slotsUsed, delay, until) = (event.slotsUsed, event.delay, event.until)
      if slotsUsed == nil, delay == nil, until == nil { return nil }
    }
  }

  /// The app's record of what it wants is this task's, or no longer.
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
  }

  package var state: State {
    if facts.acknowledged != nil { return .acknowledged }
    if facts.completed != nil || facts.handedOff != nil { return .completed }
    if facts.completionDelivery?.entered != nil { return .delivered }
    if wireEnd != nil { return .transferred }
    if facts.held != nil { return .held }
    if facts.suspended != nil { return .suspended }
    if facts.attempt != nil || facts.coalesced != nil { return .running }
    return facts.resumed == nil ? .created : .queued
  }

  package enum Result: String, Sendable, CaseIterable {
    case succeeded, failed, cancelled, lost, open, unknown
  }

  package var result: Result {
    if facts.completed != nil {
      if let error = facts.error { return isCancellation(error) ? .cancelled : .failed }
      return (facts.status ?? 0) >= 400 ? .failed : .succeeded
    }
    // What it was to bring, another task brings.
    if facts.handedOff != nil { return .succeeded }
    // What a daemon has, it has in its next life, too.
    if facts.carrier != nil, facts.forgotten == nil { return .open }
    if facts.processEnd != nil { return facts.created == nil ? .unknown : .lost }
    return .open
  }

  /// `NSURLErrorCancelled`, or the engine's name for it.
  private func isCancellation(_ error: ErrorFacts) -> Bool {
    error.name == "cancelled" || (error.domain == .url && error.number == -999)
  }

  /// The fact after which nothing more can come over the wire for this task: its bytes are there, or its last attempt
  /// has failed for good.
  package var wireEnd: Fact? {
    if let transferred = facts.transferred { return transferred }
    guard let attempt = facts.attempt, let ended = attempt.ended, attempt.retryIn == nil else { return nil }
    return attempt.end == .suspended ? nil : ended
  }

  /// Bytes of the body as the task's end gives them, else as far as its last attempt had got.
  package var bytesReceived: Int64? { facts.received ?? facts.attempt?.received }
  package var bytesSent: Int64? { facts.sent ?? facts.attempt?.sent }

  /// What its last attempt had still to receive; `nil` when no length was declared.
  package var bytesMissing: Int64? {
    guard let attempt = facts.attempt, let expected = attempt.expected ?? facts.expectedToReceive else { return nil }
    return max(0, expected.subtractingClamped(attempt.received))
  }

  /// Whether the engine still had something to do when the log, or the process, ended.
  package var isLive: Bool { wireEnd == nil && facts.completed == nil && facts.forgotten == nil && facts.handedOff == nil }
}
