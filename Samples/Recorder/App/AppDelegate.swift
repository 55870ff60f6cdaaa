import Synchronization
import XferEngine
import XferEvents

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The app's own code: what it does in the callbacks of its transfers.
final class AppDelegate: TransferSessionDelegate {
  private let sink: any EventSink
  /// Where the app keeps its files.
  private let directory: String
  private let state = Mutex(State())

  private struct State {
    var wishes: [TaskUID: Wish] = [:]
    /// Addresses of temporary files that the app means to look at later.
    var addresses: [String] = []
    var files: [TaskUID: DownloadedFile] = [:]
    var isInvalid = false
  }

  init(sink: any EventSink, directory: String) {
    self.sink = sink
    self.directory = directory
  }

  /// Remembers what a task is for, before it is resumed.
  func note(_ wish: Wish, for task: TransferTask) { state.withLock { $0.wishes[task.uid] = wish } }

  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  // MARK: Callbacks

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    let wish = wish(of: downloadTask)
    // Whoever looks at the status leaves an error page alone.
    if wish.judgement == .errorAndStatus, Self.status(of: downloadTask) >= 400 { return }
    switch wish.file {
    case .move: move(location, wish)
    case .rememberAddress: state.withLock { $0.addresses.append(location.path) }
    case .moveLater: state.withLock { $0.files[downloadTask.uid] = location }
    }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let wish = wish(of: task)
    if let file = state.withLock({ $0.files.removeValue(forKey: task.uid) }) { move(file, wish) }
    let outcome = wish.outcome(error: error, status: Self.status(of: task), received: task.countOfBytesReceived)
    sink.emit(AppOutcomeRecorded(intent: wish.key, task: task.identityInLog, outcome: outcome))
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    state.withLock { $0.isInvalid = true }
  }

  private func wish(of task: TransferTask) -> Wish {
    guard let wish = state.withLock({ $0.wishes[task.uid] }) else { preconditionFailure("a wish is noted before the resume") }
    return wish
  }

  /// What goes wrong is in the log; this app does not look.
  private func move(_ file: DownloadedFile, _ wish: Wish) { try? file.move(to: "\(directory)/\(wish.key)", replacing: true) }

  /// 0 when no response came.
  private static func status(of task: TransferTask) -> Int { task.response?.statusCode ?? 0 }
}

extension TransferTask {
  /// What events call it.
  var identityInLog: TaskIdentity { TaskIdentity(uid: uid, session: session.name, number: UInt32(taskIdentifier)) }
}
