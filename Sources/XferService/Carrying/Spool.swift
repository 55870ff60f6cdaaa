import Foundation
import Synchronization
import XferEngine
import XferEvents

/// What tasks that are about to end have put into the spool, or could not.
///
/// Told together with the end: a daemon that dies between the two would have a result of a task that it does once more.
final class SpooledResults: Sendable {
  private let results = Mutex<[TaskUID: Spooled]>([:])

  struct Spooled {
    var body: FinishedTask.Body?
    /// The first.
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

/// The body of a response to an upload, on its way into a file.
enum SpooledResponse {
  /// What is above it is left out: a background upload's answer is a receipt.
  static let limit = 1 << 20

  static func append(_ data: Data, to path: String) throws(TransferError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .spool(errno, "\(path) cannot be made") }
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
    guard problem == 0, closed == 0 else { throw .spool(problem == 0 ? closed : problem, "\(path) cannot be written") }
  }
}

extension TransferError {
  static func spool(_ osError: Int32, _ problem: String) -> TransferError {
    TransferError(
      .cannotWriteToFile, number: 23, osError: Int(osError), stage: .file,
      problem: "\(problem): \(String(cString: strerror(osError)))")
  }
}
