internal import HTTPTypes
internal import Synchronization
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

  init(currentRequest: HTTPRequest, description: String?) {
    self.currentRequest = currentRequest
    self.description = description
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

  mutating func cancel(_ reason: CancelReason) -> Bool {
    guard phase == .created || phase == .running || phase == .suspended else { return false }
    phase = .cancelling
    cancelReason = reason
    return true
  }
}

/// Counters that the engine moves and anyone may read.
final class TaskProgress: Sendable {
  private let receivedBytes = Atomic<Int64>(0)
  private let expectedBytes = Atomic<Int64>(-1)
  private let sentBytes = Atomic<Int64>(0)
  private let expectedToSendBytes = Atomic<Int64>(0)

  var received: Int64 { receivedBytes.load(ordering: .relaxed) }
  /// -1 when the server declared no length.
  var expected: Int64 { expectedBytes.load(ordering: .relaxed) }

  var sent: Int64 { sentBytes.load(ordering: .relaxed) }
  /// -1 when the body's length is not known.
  var expectedToSend: Int64 { expectedToSendBytes.load(ordering: .relaxed) }

  func setSent(_ count: Int64) { sentBytes.store(count, ordering: .relaxed) }
  func setExpectedToSend(_ count: Int64) { expectedToSendBytes.store(count, ordering: .relaxed) }
  func setReceived(_ count: Int64) { receivedBytes.store(count, ordering: .relaxed) }
  func setExpected(_ count: Int64) { expectedBytes.store(count, ordering: .relaxed) }
}
