public import Foundation
internal import XferEvents

// Background work that the system grants, which URLSession does not know of.
extension AppRecorder {
  /// A kind of request to `BGTaskScheduler`.
  public enum BackgroundRequest: Sendable, Hashable {
    case appRefresh, processing

    fileprivate var triggerKind: TriggerKind {
      switch self {
      case .appRefresh: .appRefresh
      case .processing: .processing
      }
    }
  }

  /// Records that the app submitted a request to `BGTaskScheduler`. Call this method after `submit(_:)` has returned.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the request. Public in the log.
  ///   - earliest: The request's `earliestBeginDate`. `nil` when it has none.
  public func submitted(_ request: BackgroundRequest, identifier: String, earliest: Date? = nil) {
    // A date outside the range of the log is left out.
    let firesAt = earliest.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1e9).rounded()) }.map(WallTime.init(nanoseconds:))
    sink.emit(
      TriggerArmed(
        trigger: Self.trigger(identifier), triggerKind: request.triggerKind, name: identifier, firesAt: firesAt))
  }

  /// Records that the system runs a submitted request. Call this method first in the launch handler.
  public func granted(_ request: BackgroundRequest, identifier: String) {
    sink.emit(TriggerFired(trigger: Self.trigger(identifier), triggerKind: request.triggerKind, name: identifier))
  }

  /// Records the start of a `BGContinuedProcessingTask`. Call this method first in the launch handler.
  ///
  /// - Returns: The task, whose expiration or end the app must record.
  public func beganContinuedProcessing(_ identifier: String) -> AppContinuedTask {
    let task = AppContinuedTask(id: makeCorrelation(), identifier: identifier, sink: sink)
    sink.emit(AssertionBegun(assertion: task.id, name: identifier, needsProgress: true))
    return task
  }

  /// Returns the same ID for an identifier in all launches of the app (FNV-1a).
  private static func trigger(_ identifier: String) -> CorrelationID {
    CorrelationID(identifier.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}

/// A `BGContinuedProcessingTask` that runs.
public struct AppContinuedTask: Sendable {
  let id: CorrelationID
  public let identifier: String
  let sink: any EventSink

  /// Records that the system expired the task. Call this method first in the expiration handler.
  public func expire() { sink.emit(AssertionExpired(assertion: id, name: identifier)) }
  /// Records that the app called `setTaskCompleted(success:)`.
  public func end() { sink.emit(AssertionEnded(assertion: id, name: identifier)) }
}
