internal import XferEvents

// Tasks that get what is stored.
extension EngineLoop {
  /// - Returns: whether the next request of the transfer is made no more, because it has its answer.
  func answerFromCache(_ transfer: Transfer) -> Bool {
    do throws(TransferError) {
      guard let answer = try transfer.consultCache() else { return false }
      give(transfer, answer)
    } catch {
      abort(transfer, error)
    }
    return true
  }

  /// Gives the task a stored response, after the attempt that brought no other.
  func give(_ transfer: Transfer, _ answer: CacheUse.Answer, after error: TransferError? = nil) {
    transfer.caching.pending = nil
    transfer.ending = nil
    transfer.sayAttemptEnded(Transfer.end(of: error), error)
    do throws(TransferError) {
      try transfer.take(answer)
    } catch {
      return abort(transfer, error)
    }
    feed(transfer)
  }

  /// Goes on with it, when the app has room again or has answered.
  func feed(_ transfer: Transfer) {
    guard transfer.caching.replay != nil, transfer.pauses.isEmpty else { return }
    do throws(TransferError) {
      guard try transfer.feed() else { return }
    } catch {
      return abort(transfer, error)
    }
    transfer.ending = .finished
    conclude(transfer)
  }
}
