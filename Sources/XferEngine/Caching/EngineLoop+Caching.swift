internal import XferEvents

// Answering tasks from the cache.
extension EngineLoop {
  /// Answers the transfer's next request from the cache, if possible.
  ///
  /// - Returns: whether the request need not be sent, because it was answered or has failed.
  func answerFromCache(_ transfer: Transfer) -> Bool {
    do throws(TransferError) {
      guard let answer = try transfer.consultCache() else { return false }
      give(transfer, answer)
    } catch {
      abort(transfer, error)
    }
    return true
  }

  /// Delivers a stored response to the task and ends the current attempt, if any.
  ///
  /// - Parameter error: the error for which the stored response is a substitute; `nil` when there was none.
  func give(_ transfer: Transfer, _ answer: CacheUse.Answer, after error: TransferError? = nil) {
    transfer.caching.pending = nil
    transfer.ending = nil
    transfer.logAttemptEnded(Transfer.end(of: error), error)
    do throws(TransferError) {
      try transfer.take(answer)
    } catch {
      return abort(transfer, error)
    }
    feed(transfer)
  }

  /// Continues to deliver a stored body once the transfer is no longer paused.
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
