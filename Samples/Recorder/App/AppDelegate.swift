import Synchronization
import XferEngine
import XferEvents
import XferLogStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The app's code in the callbacks of its transfers.
final class AppDelegate: TransferSessionDelegate {
  private let sink: WatchedLog
  /// The logger for the progress that the app displays.
  private let screen: EventLogger
  /// The directory in which the app keeps its files.
  private let directory: String
  private let state = Mutex(State())

  private struct State {
    var wishes: [TaskUID: Wish] = [:]
    var tasks: [String: TaskIdentity] = [:]
    /// Cancelled tasks whose download will be continued by another task.
    var unfinished: Set<TaskUID> = []
    /// Paths of temporary files that the app intends to read later.
    var addresses: [String] = []
    var files: [TaskUID: DownloadedFile] = [:]
    var isInvalid = false
  }

  init(sink: WatchedLog, log: EventLog, directory: String) {
    self.sink = sink
    screen = EventLogger(subsystem: "sample", category: "progress", log: log)
    self.directory = directory
  }

  /// Stores the requested transfer of a task. Must be called before the task is resumed.
  func note(_ wish: Wish, for task: TransferTask) {
    state.withLock { ($0.wishes[task.uid], $0.tasks[wish.key]) = (wish, task.identity) }
  }

  /// Marks a task whose download will be continued by another task.
  func markUnfinished(of task: TransferTask) { state.withLock { _ = $0.unfinished.insert(task.uid) } }

  /// Records the outcome of a requested transfer, as judged by the app.
  func conclude(_ wish: Wish, error: TransferError?, status: Int, received: Int64) {
    let outcome = wish.outcome(error: error, status: status, received: received)
    sink.emit(AppOutcomeRecorded(intent: wish.key, task: state.withLock { $0.tasks[wish.key] }, outcome: outcome))
  }

  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  // MARK: Delegate callbacks

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    let wish = wish(of: downloadTask)
    // An app that checks the status does not keep an error page.
    if wish.judgement == .errorAndStatus, Self.status(of: downloadTask) >= 400 { return }
    switch wish.file {
    case .move: move(location, wish)
    case .moveByForce: moveByForce(location, wish)
    case .rememberAddress: state.withLock { $0.addresses.append(location.path) }
    case .moveLater: state.withLock { $0.files[downloadTask.uid] = location }
    }
  }

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    let wish = wish(of: downloadTask)
    switch wish.progress {
    case .none: break
    case .ratio: show(wish, ratio: Double(totalBytesWritten) / Double(totalBytesExpectedToWrite))
    case .ofTask:
      let now = downloadTask.progress.snapshot
      if now.totalUnitCount < 0 { show(wish, bytes: now.completedUnitCount) } else { show(wish, ratio: now.fractionCompleted) }
    }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let wish = wish(of: task)
    if let file = state.withLock({ $0.files.removeValue(forKey: task.uid) }) { move(file, wish) }
    if state.withLock({ $0.unfinished.contains(task.uid) }) { return }
    conclude(wish, error: error, status: Self.status(of: task), received: task.countOfBytesReceived)
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    state.withLock { $0.isInvalid = true }
  }

  private func wish(of task: TransferTask) -> Wish {
    guard let wish = state.withLock({ $0.wishes[task.uid] }) else {
      preconditionFailure("the requested transfer must be stored before its task is resumed")
    }
    return wish
  }

  // MARK: Progress

  private func show(_ wish: Wish, ratio: Double) {
    screen.notice("download: \(wish.key, privacy: .public) progress: \(ratio, format: .fixed(precision: 2))")
  }

  private func show(_ wish: Wish, bytes: Int64) {
    screen.notice("download: \(wish.key, privacy: .public), \(bytes) bytes so far")
  }

  // MARK: Files

  /// Moves the file and ignores errors, which are in the log.
  private func move(_ file: DownloadedFile, _ wish: Wish) { try? file.move(to: place(of: wish), replacing: true) }

  /// Moves the file with `try!`, which crashes the process if the destination exists.
  private func moveByForce(_ file: DownloadedFile, _ wish: Wish) {
    // Wait until the engine has sent all three callbacks of the task, so that every recording has the same order of events.
    sink.wait(for: .deliverySent, 3 * sink.count(.taskTransferred))
    try! file.move(to: place(of: wish))
  }

  private func place(of wish: Wish) -> String { "\(directory)/\(wish.key)" }

  /// Returns the response's status, or 0 without a response.
  private static func status(of task: TransferTask) -> Int { task.response?.statusCode ?? 0 }
}
