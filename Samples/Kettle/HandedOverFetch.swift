import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// Downloads in a foreground session, and hands the download over to the background session when the background time expires.
final class HandedOverFetch: TransferSessionDelegate {
  private let app: KettleApp
  private let time = Mutex(BackgroundTaskIdentifier.invalid)

  init(_ app: KettleApp) { self.app = app }

  func start(_ url: String) {
    let session = TransferSession(configuration: .default, delegate: self, sink: app.log)
    do throws(TransferError) {
      let task = try session.downloadTask(with: HTTPRequest(method: .get, urlText: url), taskDescription: url)
      app.log.emit(AppIntentDeclared(intent: url, task: task.identity, durable: true))
      let identifier = BackgroundApp.beginBackgroundTask(withName: "fetch") { self.handOver(task, url) }
      time.withLock { $0 = identifier }
      task.resume()
    } catch {
      print("\(error)")
      app.leave(code: 1)
    }
  }

  private func endTime() { BackgroundApp.endBackgroundTask(time.withLock { $0 }) }

  /// Hands the download over after the background time has expired.
  private func handOver(_ task: DownloadTask, _ url: String) {
    task.cancel { resumeData in
      if self.app.does(.endFirst) {
        // The app has already ended its background time, so it is suspended before this delayed code runs.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { self.continueInBackground(task, url, resumeData) }
      } else {
        self.continueInBackground(task, url, resumeData)
        if !self.app.does(.neverEnd) { self.endTime() }
      }
    }
    if app.does(.endFirst) { endTime() }
  }

  private func continueInBackground(_ task: DownloadTask, _ url: String, _ resumeData: Data?) {
    do throws(TransferError) {
      let successor =
        if let resumeData {
          try app.main.downloadTask(withResumeData: resumeData)
        } else {
          try app.main.downloadTask(with: HTTPRequest(method: .get, urlText: url), taskDescription: url)
        }
      app.log.emit(AppIntentDeclared(intent: url, task: successor.identity, durable: true))
      app.log.emit(
        TaskHandedOff(task: task.identity, successor: successor.identity, received: task.countOfBytesReceived))
      successor.resume()
    } catch {
      print("\(error)")
    }
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    app.keep(location, of: downloadTask)
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    // A cancelled task was handed over and is continued by the background session.
    guard error?.code != .cancelled else { return }
    app.log.emit(
      AppOutcomeRecorded(intent: task.taskDescription, task: task.identity, outcome: error == nil ? .success : .failure))
    endTime()
  }
}
