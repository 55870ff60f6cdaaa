import Dispatch
import XferEngine

/// Brings directory entries of new files to the disk on a thread of its own: one call for all files of a directory that are waiting.
final class DirectorySynchroniser: Sendable {
  private struct Entry: Sendable {
    let path: String
    let completion: @Sendable (TransferError?) -> Void
  }

  private let entries: BatchQueue<Entry>

  /// - Parameter answers: the queue on which completions are called.
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

  /// Calls once the entry of this path is on the disk, or with the error that the disk has reported.
  func synchronise(_ path: String, _ completion: @escaping @Sendable (TransferError?) -> Void) {
    // Without a limit every entry is taken.
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
