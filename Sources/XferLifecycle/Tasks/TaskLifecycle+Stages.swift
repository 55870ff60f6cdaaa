import XferEvents

/// How long a task spent where. Consecutive: each stage begins where the one before it ended, so that what a task waited
/// for is never counted twice. Of several attempts the last one counts; what came before it is the queue's.
///
/// Monotonic time where the log has it, else wall time; `nil` while an end of the stage is missing.
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

  /// From resume until the last attempt was started.
  package var queueTime: Duration? { Self.time(facts.resumed, facts.attempt?.started) }

  /// From there until it had a connection, new or reused.
  package var connectTime: Duration? { Self.time(facts.attempt?.started, facts.attempt?.connectionAcquired) }

  /// From there until the final response's header had come.
  package var firstByteTime: Duration? { Self.time(facts.attempt?.connectionAcquired, facts.attempt?.responseReceived) }

  /// From there until nothing more could come over the wire.
  package var bodyTime: Duration? { Self.time(facts.attempt?.responseReceived, wireEnd) }

  /// From there until the app's code was called with the task's completion.
  package var deliveryTime: Duration? { Self.time(wireEnd, facts.completionDelivery?.entered) }

  /// From resume until the task was completed.
  package var totalTime: Duration? { Self.time(facts.resumed, facts.completed) }

  private static func time(_ start: Fact?, _ end: Fact?) -> Duration? {
    guard let start, let end, let time = start.duration(to: end), time >= .zero else { return nil }
    return time
  }
}
