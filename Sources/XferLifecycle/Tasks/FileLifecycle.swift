package import XferEvents

/// A downloaded file, from the offer by the engine until the app has claimed it or it is removed.
package struct FileLifecycle: Sendable {
  package var offered: Fact?
  package var size: Int64?
  /// The first successful claim.
  package var claimed: Fact?
  package var operation: ClaimOperation?
  /// The last claim within the callback that failed.
  package var claimFailed: Fact?
  /// The errno of the claim `claimFailed`.
  package var claimError: Int?
  /// The first claim after the callback had returned.
  package var lateClaim: Fact?
  package var lateClaimError: Int?
  package var reaped: Fact?
  /// The event that reports that the app had not claimed the file when the callback returned.
  package var unclaimed: Fact?
  package var deleted: Fact?

  package init() {}

  /// - Parameter callbackIsRunning: whether the callback that offered the file is running; used if the event of a claim does not
  ///   state it
  package mutating func apply(_ kind: EventModel.File, _ event: EventView, _ fact: Fact, callbackIsRunning: Bool) {
    switch kind {
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
    }
  }
}
