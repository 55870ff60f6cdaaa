import Synchronization
import XferEngine
import XferEvents
import XferLogStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The app's own code: what it does in the callbacks of its transfers.
final class AppDelegate: TransferSessionDelegate {
  private let sink: WatchedLog
  /// For what the app shows of its progress.
  private let screen: EventLogger
  /// Where the app keeps its files.
  private let directory: String
  private let state = Mutex(State())

  private struct State {
    var wishes: [TaskUID: Wish] = [:]
    var tasks: [String: TaskIdentity] = [:]
    /// Tasks whose wish another one is to fulfil.
    var unfinished: Set<TaskUID> = []
    /// Addresses of temporary files that the app means to look at later.
    var addresses: [String] = []
    var files: [TaskUID: DownloadedFile] = [:]
    var isInvalid = false
  }

  init(sink: WatchedLog, log: EventLog, directory: String) {
    self.sink = sink
    screen = EventLogger(subsystem: "sample", category: "progress", log: log)
    self.directory = directory
  }

  /// Remembers what a task is for, before it is resumed.
  func note(_ wish: Wish, for task: TransferTask) {
    state.withLock { ($0.wishes[task.uid], $0.tasks[wish.key]) = (wish, task.identityInLog) }
  }

  /// The end of this task is not that of what it is for.
  func expectMore(of task: TransferTask) { state.withLock { _ = $0.unfinished.insert(task.uid) } }

  /// Records what the app makes of the result.
  func conclude(_ wish: Wish, error: TransferError?, status: Int, received: Int64) {
    let outcome = wish.outcome(error: error, status: status, received: received)
    sink.emit(AppOutcomeRecorded(intent: wish.key, task: state.withLock { $0.tasks[wish.key] }, outcome: outcome))
  }

  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  // MARK: Callbacks

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    let wish = wish(of: downloadTask)
    // Whoever looks at the status leaves an error page alone.
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
    guard let wish = state.withLock({ $0.wishes[task.uid] }) else { preconditionFailure("a wish is noted before the resume") }
    return wish
  }

  // MARK: Showing

  private func show(_ wish: Wish, ratio: Double) {
    screen.notice("download: \(wish.key, privacy: .public) progress: \(ratio, format: .fixed(precision: 2))")
  }

  private func show(_ wish: Wish, bytes: Int64) {
    screen.notice("download: \(wish.key, privacy: .public), \(bytes) bytes so far")
  }

  // MARK: Keeping

  /// What goes wrong is in the log; this app does not look.
  private func move(_ file: DownloadedFile, _ wish: Wish) { try? file.move(to: place(of: wish), replacing: true) }

  /// Where there is a file already, the process ends here.
  private func moveByForce(_ file: DownloadedFile, _ wish: Wish) {
    // The engine has said all that it has to say of the task, three callbacks, so that this is always the same place of the story.
    sink.wait(for: .deliverySent, 3 * sink.count(.taskTransferred))
    try! file.move(to: place(of: wish))
  }

  private func place(of wish: Wish) -> String { "\(directory)/\(wish.key)" }

  /// 0 when no response came.
  private static func status(of task: TransferTask) -> Int { task.response?.statusCode ?? 0 }
}

extension TransferTask {
  /// What events call it.
  var identityInLog: TaskIdentity { TaskIdentity(uid: uid, session: session.name, number: UInt32(taskIdentifier)) }
}
