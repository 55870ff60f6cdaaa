internal import HTTPTypes
internal import XferEvents

extension Transfer {
  func makeTransaction(_ number: Int) -> Transaction {
    let limits = context.configuration
    return Transaction(
      number: number, started: context.clock.monotonic, decodes: decodes,
      head: ResponseHead(byteLimit: limits.maximumResponseHeaderBytes, countLimit: limits.maximumResponseHeaderFields))
  }

  /// Samples the file system of the partial file while the file still occupies its space.
  private func noteFullDisk(_ error: TransferError?) {
    if error?.osError == DiskSpace.noSpace { fullDisk = DiskSpace.sample(at: partPath) }
  }

  /// Closes the body's store, logs the end of the attempt and returns the outcome for the task. `failure` is `nil` after a
  /// successful transfer.
  func outcome(_ failure: TransferError?) -> TaskOutcome {
    var error = failure
    var outcome = TaskOutcome(response: response, received: received, sent: sent, redirectCount: redirects, transactions: metrics)
    switch store {
    case .nothing: break
    case .delegate, .iteration: outcome.content = digest?.value
    case .memory(let data):
      outcome.data = data
      outcome.content = digest?.value
    case .file(let file):
      noteFullDisk(error)
      if error == nil {
        do throws(TransferError) {
          let finished = try file.finish(synchronises: context.configuration.synchronisesDownloads)
          (outcome.file, outcome.content) = (finished, finished.content)
        } catch let problem {
          error = problem
          noteFullDisk(problem)
          file.remove()
        }
      } else {
        outcome.resumeData = makeResumeData(file)
        if outcome.resumeData == nil { file.remove() }
      }
      loop.recycle(file.buffer)
    }
    store = .nothing
    if error == nil {
      sendBytesWritten()
      sendBytesSent()
    }
    logAttemptEnded(Self.end(of: error), error)
    outcome.error = error
    return outcome
  }

  static func end(of error: TransferError?) -> AttemptEnd {
    guard let error else { return .finished }
    if error.stage == .redirect { return .redirectRefused }
    switch error.code {
    case .timedOut: return .timeout
    case .cancelled: return .cancelled
    case .cannotCreateFile, .cannotWriteToFile, .cannotMoveFile, .cannotOpenFile, .cannotReadBody: return .file
    case .dataLengthExceedsMaximum, .responseHeadersTooLarge, .insufficientResources: return .limit
    case .badServerResponse, .cannotDecodeContentData, .badURL, .unsupportedURL, .cannotResume: return .refused
    default: return .transport
    }
  }
}
