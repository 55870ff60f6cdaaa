import Dispatch
import XferEngine

/// Syncs the directories of new files on a separate thread. One sync covers all waiting files of a directory.
final class DirectorySynchroniser: Sendable {
  private struct Entry: Sendable {
    let path: String
    let completion: @Sendable (TransferError?) -> Void
  }

  private let entries: BatchQueue<Entry>

  /// - Parameter answers: The queue on which completions are called.
  init(_ answers: DispatchQueue) {
    entries = BatchQueue(label: "xfer.directories") { batch in
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

  /// Syncs the directory of a path and then calls the completion, with an error if the sync failed.
  func synchronise(_ path: String, _ completion: @escaping @Sendable (TransferError?) -> Void) {
    // The queue has no limit, so it accepts every entry.
    _ = entries.add(Entry(path: path, completion: completion))
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
