import Dispatch
import Synchronization
import XferEngine

/// Brings directory entries of new files to the disk on a thread of its own: one call for all files of a directory that are waiting.
final class DirectorySynchroniser: Sendable {
  private struct Entry: Sendable {
    let path: String
    let completion: @Sendable (TransferError?) -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let answers: DispatchQueue
  private let queue = DispatchQueue(label: "xfer.directories")

  /// - Parameter answers: the queue on which completions are called.
  init(_ answers: DispatchQueue) { self.answers = answers }

  /// Calls once the entry of this path is on the disk, or with the error that the disk has reported.
  func synchronise(_ path: String, _ completion: @escaping @Sendable (TransferError?) -> Void) {
    let mustStart = state.withLock { state in
      state.waiting.append(Entry(path: path, completion: completion))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.drain() } }
  }

  private func drain() {
    while true {
      let batch = state.withLock { state in
        if state.waiting.isEmpty { state.isRunning = false }
        defer { state.waiting.removeAll() }
        return state.waiting
      }
      if batch.isEmpty { return }
      var errors: [String: TransferError?] = [:]
      for entry in batch {
        let directory = DurableFile.directory(of: entry.path)
        if errors[directory] == nil { errors[directory] = .some(Self.error(synchronising: entry.path)) }
      }
      let results = errors
      answers.async {
        for entry in batch { entry.completion(results[DurableFile.directory(of: entry.path)] ?? nil) }
      }
    }
  }

  private static func error(synchronising path: String) -> TransferError? {
    do throws(TransferError) {
      try DurableFile.syncDirectory(of: path)
      return nil
    } catch {
      return error
    }
  }
}
