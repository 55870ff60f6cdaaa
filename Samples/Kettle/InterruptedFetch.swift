import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// Downloads part of a file, cancels, and resumes with the resume data.
final class InterruptedFetch: TransferSessionDelegate {
  private let app: KettleApp
  private let url = Mutex("")
  private let hasStopped = Mutex(false)

  init(_ app: KettleApp) { self.app = app }

  func start(_ url: String) {
    self.url.withLock { $0 = url }
    begin(in: TransferSession(configuration: .default, delegate: self, sink: app.log))
  }

  private func begin(in session: TransferSession, resumeData: Data? = nil) {
    let url = url.withLock { $0 }
    do throws(TransferError) {
      let task =
        if let resumeData {
          try session.downloadTask(withResumeData: resumeData)
        } else {
          try session.downloadTask(with: HTTPRequest(method: .get, urlText: url), taskDescription: url)
        }
      task.resume()
    } catch {
      print("\(error)")
      app.leave(code: 1)
    }
  }

  /// Cancels the download and resumes it, as if the user had changed their mind.
  private func stop(_ session: TransferSession, _ task: DownloadTask) {
    if app.does(.readEarly) {
      let kept = KeptData()
      task.cancel { kept.data = $0 }
      return begin(in: session, resumeData: kept.data)
    }
    task.cancel { self.begin(in: session, resumeData: $0) }
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    guard totalBytesWritten > 1_500_000,
      hasStopped.withLock({ stopped in
        defer { stopped = true }; return !stopped
      })
    else { return }
    stop(session, downloadTask)
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    app.keep(location, of: downloadTask)
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    if error?.code == .cancelled { return }
    app.log.emit(
      AppOutcomeRecorded(intent: task.taskDescription, task: task.identity, outcome: error == nil ? .success : .failure))
    session.finishTasksAndInvalidate()
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) { app.leave(code: 0) }
}

/// A value delivered by a callback and read by code that does not wait for the callback.
private final class KeptData: Sendable {
  private let kept = Mutex<Data?>(nil)

  var data: Data? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}
