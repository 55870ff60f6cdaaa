package import XferEvents

// Facts that few tasks have, stored out of line.
extension TaskLifecycle {
  package struct Oddities: Sendable {
    /// A decrease of the number of transferred bytes.
    package var regress: Regress?
    /// The number of bytes at the end of the previous attempt.
    package var beforeRetry: Count?
    /// The entity of an earlier response with a declared size, if a later successful response of the task declared none or zero.
    package var announced: Entity?
    /// Another task with the same session and number that the app had not finished with.
    package var sameNumber: SameNumber?
    /// Another running task for the same address and purpose.
    package var twin: Twin?
    /// The event that shows that the app does not want the task any more, although it did not cancel it.
    package var unwanted: Fact?
    /// The period in which the daemon ran the task while no process had the task's session.
    package var unowned: Unowned?

    /// The reason why the task's network path could not be used, according to the error of the task.
    package var unsatisfied: UnsatisfiedReason?
    /// The property of the source file that shows that it is not the original.
    package var substitute: Substitute?

    package init() {}
  }

  /// The source of an upload that stands for another file.
  package enum Substitute: Sendable {
    /// The file is a placeholder of iCloud Drive with the name of another file, which is not on the device.
    case placeholder(Fact)
    /// The app expects to send several times the bytes of the file.
    case smaller(Fact, size: Int64, expected: Int64)
  }

  final class OdditiesBox: Sendable {
    let oddities: Oddities
    init(_ oddities: Oddities) { self.oddities = oddities }
  }

  package struct Count: Sendable {
    package let fact: Fact
    package let bytes: Int64
  }

  package struct Regress: Sendable {
    package let before: Count
    package let after: Count
    /// Whether a new attempt started between the two byte counts.
    package let isRetry: Bool
  }

  package struct SameNumber: Sendable {
    package let task: TaskIdentity
    /// The creation of the other task, or the app's record of the other task if the record is still valid.
    package let fact: Fact
    package let isRecord: Bool

    package init(task: TaskIdentity, fact: Fact, isRecord: Bool) {
      (self.task, self.fact, self.isRecord) = (task, fact, isRecord)
    }
  }

  package struct Twin: Sendable {
    package let task: TaskIdentity
    /// The index in the task table.
    package let index: Int
    package let created: Fact
    package let hasSameDestination: Bool

    package init(task: TaskIdentity, index: Int, created: Fact, hasSameDestination: Bool) {
      (self.task, self.index, self.created, self.hasSameDestination) = (task, index, created, hasSameDestination)
    }
  }

  package struct Unowned: Sendable {
    /// The end of the last process that had the session.
    package let ended: Fact
    /// The first event of the app's next life.
    package let lived: Fact
    package let attempt: Fact

    package init(ended: Fact, lived: Fact, attempt: Fact) {
      (self.ended, self.lived, self.attempt) = (ended, lived, attempt)
    }
  }
}

extension TaskFacts {
  package var oddities: Oddities { oddityBox?.oddities ?? Oddities() }

  package mutating func remark(_ trait: Traits, _ change: (inout Oddities) -> Void) {
    var oddities = oddities
    change(&oddities)
    oddityBox = OdditiesBox(oddities)
    traits.insert(trait)
  }

  /// Notes that the network path had changed before the event that is applied.
  package mutating func notePathChange() { traits.insert(.pathChanged) }

  // MARK: Oddities in the task's own events

  /// Compares an event's byte count with that of the attempt, before the attempt stores the new one. These events are the most
  /// frequent, so the attempt is neither copied nor retained.
  mutating func noteBytes(_ event: EventView, _ fact: Fact) {
    let isSent = fact.kind == .attemptBytesSent
    guard let now = isSent ? event.sent : event.received, attempt != nil else { return }
    if now < (isSent ? attempt!.sent : attempt!.received) {
      noteFewer(now, isSent: isSent, fact)
    } else if oddityBox != nil {
      noteAfterRetry(now, isSent: isSent, fact)
    }
  }

  private mutating func noteFewer(_ now: Int64, isSent: Bool, _ fact: Fact) {
    guard let attempt, oddities.regress == nil else { return noteAfterRetry(now, isSent: isSent, fact) }
    let (before, last, begun) =
      isSent
      ? (attempt.sent, attempt.lastByteSent, attempt.requestSent) : (attempt.received, attempt.lastByte, attempt.responseReceived)
    guard let last else { return noteAfterRetry(now, isSent: isSent, fact) }
    // Counting starts again with a new request or response, so a decrease after one is expected.
    if let begun, last.duration(to: begun) ?? .zero > .zero { return }
    remark(.regressed) {
      $0.regress = Regress(before: Count(fact: last, bytes: before), after: Count(fact: fact, bytes: now), isRetry: false)
    }
  }

  private mutating func noteAfterRetry(_ now: Int64, isSent: Bool, _ fact: Fact) {
    guard oddityBox != nil, let earlier = oddities.beforeRetry, oddities.regress == nil, restart == nil else { return }
    // The body of an error response is not part of the resource, so its size is not compared.
    if !isSent, let status = attempt?.status, !(200..<300).contains(status) { return }
    let total = (attempt?.offset ?? 0).addingClamped(now)
    remark([]) { $0.beforeRetry = nil }
    guard total < earlier.bytes else { return }
    remark(.regressed) { $0.regress = Regress(before: earlier, after: Count(fact: fact, bytes: total), isRetry: true) }
  }

  /// Notes the bytes of the last attempt before a new one replaces it.
  mutating func noteRetry() {
    guard let attempt, oddities.regress == nil else { return }
    if attempt.received > 0, let last = attempt.lastByte {
      remark([]) { $0.beforeRetry = Count(fact: last, bytes: attempt.offset.addingClamped(attempt.received)) }
    } else if attempt.sent > 0, let last = attempt.lastByteSent {
      remark([]) { $0.beforeRetry = Count(fact: last, bytes: attempt.offset.addingClamped(attempt.sent)) }
    }
  }
}
