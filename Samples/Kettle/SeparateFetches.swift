import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// Downloads each URL in a separate background session. The first task of every session has the number 1.
final class SeparateFetches: TransferSessionDelegate {
  private let app: KettleApp
  private let state = Mutex(State())

  private struct State {
    var sessions: [TransferSession] = []
    /// The URLs of the app's downloads, by the key with which the app identifies tasks.
    var intents: [String: String] = [:]
    var open = 0
  }

  init(_ app: KettleApp) { self.app = app }

  func start(_ urls: [String]) {
    let tasks = urls.enumerated().compactMap { place, url in task(for: url, place) }
    for task in tasks { task.resume() }
  }

  private func task(for url: String, _ place: Int) -> DownloadTask? {
    let session = TransferSession(
      configuration: .background(withIdentifier: "com.example.kettle.\(place)"), delegate: self, sink: app.log)
    do throws(TransferError) {
      let task = try session.downloadTask(with: HTTPRequest(method: .get, urlText: url), taskDescription: url)
      app.log.emit(AppIntentDeclared(intent: url, task: task.identity, durable: true))
      app.log.emit(
        AppIntentBound(intent: url, task: task.identity, key: app.does(.numberAlone) ? "number" : "session+number"))
      state.withLock { state in
        state.sessions.append(session)
        state.intents[key(of: task)] = url
        state.open += 1
      }
      return task
    } catch {
      print("\(error)")
      return nil
    }
  }

  private func key(of task: TransferTask) -> String {
    app.does(.numberAlone) ? "\(task.taskIdentifier)" : "\(task.session.name) \(task.taskIdentifier)"
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    app.keep(location, of: downloadTask)
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let key = key(of: task)
    let intent = state.withLock { $0.intents[key] }
    app.log.emit(AppOutcomeRecorded(intent: intent, task: task.identity, outcome: error == nil ? .success : .failure))
    let isLast = state.withLock { state in
      state.open -= 1
      return state.open == 0
    }
    // Query the tasks to wait until the completion is acknowledged.
    if isLast { session.getAllTasks { _ in self.app.leave(code: 0) } }
  }
}
