package import XferEvents

/// One attempt of a task: its facts, and what follows from them. An attempt has one transaction, and one more for each redirect.
///
/// Attempts are objects like tasks. Code that changes an attempt first makes sure that nothing else refers to it; see
/// `TaskFacts`.
package final class AttemptLifecycle {
  // Only one thread reads a log, and the checks for overlapping access would cost more than the accesses.
  @exclusivity(unchecked) var facts: AttemptFacts

  init(_ facts: AttemptFacts) { self.facts = facts }

  /// The length of the body in bytes; `nil` if the response declares none, or one that does not apply to the bytes on the wire.
  package var declaredLength: Int64? {
    guard let expected, let status, !isChunked, !hasContentEncoding, method != "HEAD" else { return nil }
    return status == 204 || status == 304 || status < 200 ? nil : expected
  }

  /// Whether the app requested a part of the resource itself. The offset of such a request is 0, because nothing is resumed.
  package var hasOwnRange: Bool {
    offset == 0 && facts.requestHeaders?.split(separator: ",").contains { $0.lowercased() == "range" } ?? false
  }

  /// The offset in the resource behind the last byte that a partial response declares; `nil` for other responses.
  package var rangeEnd: Int64? {
    guard status == 206, let start = facts.rangeStart, let declaredLength else { return nil }
    return start.addingClamped(declaredLength)
  }

  /// Whether the attempt has received the last byte of a partial response. The bytes of several such responses are counted together, and
  /// those that the file had already are not counted.
  package var hasReachedRangeEnd: Bool {
    rangeEnd.map { (facts.firstOffset ?? 0).addingClamped(received) == $0 } ?? false
  }

  /// The number of bytes of the uploaded file that the server lacks although it confirmed the upload; `nil` if it lacks none.
  package var unsentBytes: Int64? {
    // A request after a redirect may have no body.
    guard let sourceSize, end == .finished, let status, 200..<300 ~= status, method != "GET", method != "HEAD" else { return nil }
    let sent = max(offset, uploadOffset ?? 0).addingClamped(sent)
    return sent < sourceSize ? sourceSize - sent : nil
  }

  /// The last event that shows progress of the attempt.
  package var lastMovement: Fact? {
    var last: Fact?
    func note(_ fact: Fact?) {
      guard let fact else { return }
      if last.map({ $0.isBefore(fact) ?? false }) ?? true { last = fact }
    }
    // An array of these facts would be slower, and this property is read for every attempt.
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

  /// Whether the body is being transferred or, after the attempt, whether it was when the attempt ended. False while the server
  /// has the whole request and has not responded.
  package var isBodyUnderWay: Bool {
    guard let status else { return lastByteSent != nil && sent < expectedToSend ?? .max }
    return status >= 200 && received < declaredLength ?? .max
  }
}
