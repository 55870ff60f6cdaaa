import Foundation
import Synchronization
import XferEngine
import XferEvents

/// Downloads that are whole and could not be put into the spool.
final class SpoolFailures: Sendable {
  private let errors = Mutex<[TaskUID: TransferError]>([:])

  func note(_ error: TransferError, of task: TaskUID) { errors.withLock { $0[task] = error } }
  func take(_ task: TaskUID) -> TransferError? { errors.withLock { $0.removeValue(forKey: task) } }
}

/// Bodies of responses to uploads, on their way into files.
struct SpooledResponses: Sendable {
  /// What is above it is left out: a background upload's answer is a receipt.
  static let limit = 1 << 20

  func append(_ data: Data, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let room = max(0, Self.limit - Int(lseek(descriptor, 0, SEEK_END)))
    data.prefix(room).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
