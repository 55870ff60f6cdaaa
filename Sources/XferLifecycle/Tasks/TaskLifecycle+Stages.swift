import XferEvents

/// The durations of a task's stages. Each stage begins where the previous one ended, so that no time is counted twice. If there
/// were several attempts, the last one counts, and the time before it belongs to the queue.
///
/// The durations are measured on the monotonic clock if the log has its times, else on the wall clock. A duration is `nil` while
/// an event that begins or ends the stage is missing.
extension TaskLifecycle {
  package enum Stage: String, CaseIterable, Sendable {
    case queue, connect, firstByte, body, delivery, total
  }

  package func duration(of stage: Stage) -> Duration? {
    switch stage {
    case .queue: queueTime
    case .connect: connectTime
    case .firstByte: firstByteTime
    case .body: bodyTime
    case .delivery: deliveryTime
    case .total: totalTime
    }
  }

  /// The time from the resume to the start of the last attempt.
  package var queueTime: Duration? { Self.time(facts.resumed, facts.attempt?.started) }

  /// The time from the start of the attempt to its connection, new or reused.
  package var connectTime: Duration? { Self.time(facts.attempt?.started, facts.attempt?.connectionAcquired) }

  /// The time from the start of the attempt to its last redirect, a part of `connectTime`; `nil` if there was none.
  package var redirectTime: Duration? { Self.time(facts.attempt?.started, facts.attempt?.redirects.received) }

  /// The time from the connection to the header of the final response.
  package var firstByteTime: Duration? { Self.time(facts.attempt?.connectionAcquired, facts.attempt?.responseReceived) }

  /// The time from the response's header to the end of the transfer.
  package var bodyTime: Duration? { Self.time(facts.attempt?.responseReceived, wireEnd) }

  /// The time from the end of the transfer to the call of the app's completion code.
  package var deliveryTime: Duration? { Self.time(wireEnd, facts.completionDelivery?.entered) }

  /// The time from the resume to the completion.
  package var totalTime: Duration? { Self.time(facts.resumed, facts.completed) }

  private static func time(_ start: Fact?, _ end: Fact?) -> Duration? {
    guard let start, let end, let time = start.duration(to: end), time >= .zero else { return nil }
    return time
  }
}
