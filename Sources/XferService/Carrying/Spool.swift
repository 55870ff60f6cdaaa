import Foundation
import Synchronization
import XferEngine
import XferEvents

/// Results that tasks have written to the spool, kept until the task completes.
///
/// A result is reported in the same transaction as the completion. If a daemon were killed between two separate reports, the
/// next daemon would find a result for a task that it runs again.
final class SpooledResults: Sendable {
  private let results = Mutex<[TaskUID: Spooled]>([:])

  struct Spooled {
    var body: FinishedTask.Body?
    /// The first error that occurred while writing to the spool. `nil` if none occurred.
    var error: TransferError?
  }

  func note(_ body: FinishedTask.Body, of task: TaskUID) { results.withLock { $0[task, default: Spooled()].body = body } }

  func note(_ error: TransferError, of task: TaskUID) {
    results.withLock { results in
      if results[task]?.error == nil { results[task, default: Spooled()].error = error }
    }
  }

  func take(_ task: TaskUID) -> Spooled? { results.withLock { $0.removeValue(forKey: task) } }
}

/// Writes the response body of an upload to a file in the spool.
enum SpooledResponse {
  /// The maximum size of a stored response body, in bytes. The rest is discarded.
  static let limit = 1 << 20

  static func append(_ data: Data, to path: String) throws(TransferError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .spool(errno, "cannot create \(path)") }
    let room = limit - min(limit, max(0, Int(lseek(descriptor, 0, SEEK_END))))
    let problem = data.prefix(room).withUnsafeBytes { bytes -> Int32 in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        rest = rest.dropFirst(count)
      }
      return 0
    }
    let closed = close(descriptor) == 0 ? 0 : errno
    guard problem == 0, closed == 0 else { throw .spool(problem == 0 ? closed : problem, "cannot write \(path)") }
  }
}

extension TransferError {
  static func spool(_ osError: Int32, _ problem: String) -> TransferError {
    TransferError(
      .cannotWriteToFile, number: 23, osError: Int(osError), stage: .file,
      problem: "\(problem): \(String(cString: strerror(osError)))")
  }
}
