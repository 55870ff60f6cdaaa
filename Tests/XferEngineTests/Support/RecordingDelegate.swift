import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferScript

/// A delegate that records its calls and answers with the test's closures.
final class RecordingDelegate: TransferSessionDelegate {
  struct Notes: Sendable {
    /// The names of the calls in order. Consecutive equal data and progress calls count once.
    var calls: [String] = []
    var data: [Int: [UInt8]] = [:]
    var largestData = 0
    var errors: [Int: TransferError?] = [:]
    var metrics: [Int: TaskMetrics] = [:]
    var written: [(count: Int64, total: Int64, expected: Int64)] = []
    var resumed: [(offset: Int64, expected: Int64)] = []
    var handed: [(count: Int64, total: Int64, expected: Int64)] = []
    var completions: [Int: Int] = [:]
    var invalidations = 0
    var running = 0
    var overlaps = 0
    var files: [DownloadedFile] = []
    var became: [(data: DataTask, download: DownloadTask)] = []
  }

  typealias Challenge =
    @Sendable (TransferSession.AuthenticationChallenge) -> (TransferSession.AuthChallengeDisposition, TransferSession.Credential?)
  typealias Caching = @Sendable (TransferSession.CachedResponse) -> TransferSession.CachedResponse?
  typealias Redirect = @Sendable (HTTPRequest) -> HTTPRequest?

  private let notes = Mutex(Notes())
  private let onRedirect: Redirect
  private let onResponse: @Sendable (TransferResponse) -> TransferSession.ResponseDisposition
  private let onFile: @Sendable (DownloadedFile) throws -> Void
  private let onData: @Sendable (TransferTask) -> Void
  private let onChallenge: Challenge
  private let onStream: @Sendable () -> RequestBodyStream?
  private let onCaching: Caching

  init(
    redirect: @escaping Redirect = { $0 },
    response: @escaping @Sendable (TransferResponse) -> TransferSession.ResponseDisposition = { _ in .allow },
    file: @escaping @Sendable (DownloadedFile) throws -> Void = { _ in },
    data: @escaping @Sendable (TransferTask) -> Void = { _ in },
    stream: @escaping @Sendable () -> RequestBodyStream? = { nil }, caching: @escaping Caching = { $0 },
    challenge: @escaping Challenge = { _ in (.performDefaultHandling, nil) }
  ) {
    onRedirect = redirect
    onResponse = response
    onFile = file
    onData = data
    onStream = stream
    onCaching = caching
    onChallenge = challenge
  }

  var seen: Notes { notes.withLock { $0 } }

  private func note(_ call: String, _ change: (inout Notes) -> Void = { _ in }, _ act: () throws -> Void = {}) {
    notes.withLock { notes in
      notes.overlaps += notes.running
      notes.running += 1
      if notes.calls.last != call || !["data", "written", "sent"].contains(call) { notes.calls.append(call) }
      change(&notes)
    }
    try? act()
    notes.withLock { $0.running -= 1 }
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    note("invalid") { $0.invalidations += 1 }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    note("complete") { notes in
      notes.errors[task.taskIdentifier] = .some(error)
      notes.completions[task.taskIdentifier, default: 0] += 1
    }
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
    newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void
  ) {
    note("redirect", { _ in }) {
      completionHandler(onRedirect(request))
      // A second answer, which the engine must ignore.
      completionHandler(nil)
    }
  }

  func urlSession(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) {
    note("waiting")
  }

  func urlSession(
    _ session: TransferSession, dataTask: DataTask, willCacheResponse proposedResponse: TransferSession.CachedResponse,
    completionHandler: @escaping @Sendable (TransferSession.CachedResponse?) -> Void
  ) {
    note("caching", { _ in }) {
      completionHandler(onCaching(proposedResponse))
      // A second answer, which the engine must ignore.
      completionHandler(nil)
    }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didFinishCollecting metrics: TaskMetrics) {
    note("metrics") { $0.metrics[task.taskIdentifier] = metrics }
  }

  func urlSession(
    _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse,
    completionHandler: @escaping @Sendable (TransferSession.ResponseDisposition) -> Void
  ) {
    note("response", { _ in }) { completionHandler(onResponse(response)) }
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didBecome downloadTask: DownloadTask) {
    note("became") { $0.became.append((dataTask, downloadTask)) }
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {
    note("data") { notes in
      notes.data[dataTask.taskIdentifier, default: []] += data
      notes.largestData = max(notes.largestData, data.count)
    } _: {
      onData(dataTask)
    }
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
  ) {
    note("challenge", { _ in }) {
      let (disposition, credential) = onChallenge(challenge)
      completionHandler(disposition, credential)
    }
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask,
    needNewBodyStream completionHandler: @escaping @Sendable (RequestBodyStream?) -> Void
  ) {
    note("stream", { _ in }) { completionHandler(onStream()) }
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note("sent") { $0.handed.append((bytesSent, totalBytesSent, totalBytesExpectedToSend)) }
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    note("file") {
      $0.files.append(location)
    } _: {
      try onFile(location)
    }
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
  ) {
    note("resumed") { $0.resumed.append((fileOffset, expectedTotalBytes)) }
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    note("written") { $0.written.append((bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)) }
  }
}
