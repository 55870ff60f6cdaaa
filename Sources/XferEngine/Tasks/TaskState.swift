internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Where a task stands, as the app may ask at any time.
struct TaskState: Sendable {
  enum Phase: Sendable {
    case created, running, suspended, cancelling
    /// The end is known, and its callbacks are on their way.
    case deciding
    case completed

    var `public`: TransferTask.State {
      switch self {
      case .created, .suspended: .suspended
      case .running: .running
      case .cancelling: .canceling
      case .deciding, .completed: .completed
      }
    }
  }

  var phase = Phase.created
  /// Whether a hold was said and its end was not.
  var isHeld = false
  var cancelReason: CancelReason?
  var resumeDataHandler: (@Sendable (Data?) -> Void)?
  var currentRequest: HTTPRequest
  var response: TransferResponse?
  var error: TransferError?
  var description: String?
  var priority: Float
  var expectedToSend: Int64
  var expectedToReceive: Int64
  /// Whose transfer it shares.
  var carrier: TransferTask?

  init(currentRequest: HTTPRequest, options: TransferSession.TaskOptions) {
    self.currentRequest = currentRequest
    description = options.taskDescription
    priority = options.priority
    expectedToSend = options.countOfBytesClientExpectsToSend
    expectedToReceive = options.countOfBytesClientExpectsToReceive
  }

  /// - Returns: whether anything changed; so do the others.
  mutating func resume() -> Bool {
    guard phase == .created || phase == .suspended else { return false }
    phase = .running
    return true
  }

  mutating func suspend() -> Bool {
    guard phase == .running else { return false }
    phase = .suspended
    return true
  }

  /// Another task goes on with the response; nobody hears of this one again.
  ///
  /// - Returns: how that one stands from the beginning; `nil` when this one is about to end.
  mutating func handOff() -> Phase? {
    guard phase == .running || phase == .suspended else { return nil }
    defer { phase = .completed }
    return phase
  }

  mutating func cancel(_ reason: CancelReason) -> Bool {
    guard phase == .created || phase == .running || phase == .suspended else { return false }
    phase = .cancelling
    cancelReason = reason
    return true
  }
}
