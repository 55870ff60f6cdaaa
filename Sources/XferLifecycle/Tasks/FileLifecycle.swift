package import XferEvents

/// A downloaded file on its way from the engine to the app.
package struct FileLifecycle: Sendable {
  package var offered: Fact?
  package var size: Int64?
  /// The first claim that worked.
  package var claimed: Fact?
  package var operation: ClaimOperation?
  /// The last claim that was made in time and did not work, and errno.
  package var claimFailed: Fact?
  package var claimError: Int?
  /// A claim that was tried after the callback had returned.
  package var lateClaim: Fact?
  package var lateClaimError: Int?
  package var reaped: Fact?
  /// It was still in its place when the callback had returned, and nobody had taken it.
  package var unclaimed: Fact?
  package var deleted: Fact?

  package init() {}

  /// - Parameter callbackIsRunning: whether the callback that offered the file has been entered and not left; for logs
  ///   whose claims do not say so themselves.
  package mutating func apply(_ event: EventView, _ fact: Fact, callbackIsRunning: Bool) {
    switch fact.kind {
    case .fileOffered:
      offered = fact
      size = event.size
    case .fileClaimed:
      let isLate = !(event.inCallback ?? callbackIsRunning)
      if isLate {
        lateClaim = lateClaim ?? fact
        lateClaimError = event.osError
      }
      if let number = event.osError {
        guard !isLate else { break }
        claimFailed = fact
        claimError = number
      } else {
        claimed = claimed ?? fact
        operation = event.operation
      }
    case .fileReaped: reaped = fact
    case .fileUnclaimed: unclaimed = fact
    case .fileDeleted: deleted = fact
    default: break
    }
  }
}
