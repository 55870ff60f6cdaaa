package import XferEvents

/// One try of a task on the wire, to which a redirect adds a transaction: its facts, and what follows from them.
///
/// By reference, as tasks are. Whoever changes it makes sure to be the only one who has it: see `TaskFacts`.
package final class AttemptLifecycle {
  // One thread reads a log; checks for overlapping access would cost more than the accesses.
  @exclusivity(unchecked) var facts: AttemptFacts

  init(_ facts: AttemptFacts) { self.facts = facts }

  /// The length that the body must have, when the response declares one that counts on the wire.
  package var declaredLength: Int64? {
    guard let expected, let status, !isChunked, !hasContentEncoding, method != "HEAD" else { return nil }
    return status == 204 || status == 304 || status < 200 ? nil : expected
  }

  /// The last event that brought it on.
  package var lastMovement: Fact? {
    var last: Fact?
    func note(_ fact: Fact?) {
      guard let fact else { return }
      if last.map({ ($0.monotonic ?? .min) < fact.monotonic ?? .min }) ?? true { last = fact }
    }
    // One by one: a list of them would cost more than all the rest, and this is asked for of every attempt.
    note(started)
    note(connectionAcquired)
    note(requestSent)
    note(responseReceived)
    note(lastByte)
    note(lastByteSent)
    note(challengeAnswered)
    note(redirects.received)
    note(redirects.answered)
    return last
  }

  /// Whether bytes of a body should be on the wire, or should have been when it ended. A server that has the whole request
  /// and thinks is another matter.
  package var isBodyUnderWay: Bool {
    guard let status else { return lastByteSent != nil && sent < expectedToSend ?? .max }
    return status >= 200 && received < declaredLength ?? .max
  }
}
