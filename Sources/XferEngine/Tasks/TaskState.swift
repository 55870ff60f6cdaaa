internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state of a task, which the app can read at any time.
struct TaskState: Sendable {
  enum Phase: Sendable {
    case created, running, suspended, cancelling
    /// The result is decided, and the final callbacks are queued.
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
  /// Whether a hold was logged and its end was not.
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
  /// The task whose transfer this task shares. `nil` if the task has its own transfer.
  var carrier: TransferTask?

  init(currentRequest: HTTPRequest, options: TransferSession.TaskOptions) {
    self.currentRequest = currentRequest
    description = options.taskDescription
    priority = options.priority
    expectedToSend = options.countOfBytesClientExpectsToSend
    expectedToReceive = options.countOfBytesClientExpectsToReceive
  }

  /// - Returns: Whether the state changed.
  mutating func resume() -> Bool {
    guard phase == .created || phase == .suspended else { return false }
    phase = .running
    return true
  }

  /// - Returns: Whether the state changed.
  mutating func suspend() -> Bool {
    guard phase == .running else { return false }
    phase = .suspended
    return true
  }

  /// Completes this task without a callback, because a successor task receives the rest of the response.
  ///
  /// - Returns: The initial state of the successor, or `nil` if this task is about to end.
  mutating func handOff() -> Phase? {
    guard phase == .running || phase == .suspended else { return nil }
    defer { phase = .completed }
    return phase
  }

  /// - Returns: Whether the state changed.
  mutating func cancel(_ reason: CancelReason) -> Bool {
    guard phase == .created || phase == .running || phase == .suspended else { return false }
    phase = .cancelling
    cancelReason = reason
    return true
  }
}
