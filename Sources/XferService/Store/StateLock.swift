import CXferPlatform
import Foundation
import XferEngine
import XferEvents

/// The lock of a daemon's state directory. Two daemons with the same tasks would transfer each of them twice and overwrite each other's
/// records.
package final class StateLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, which ends with the process.
  ///
  /// - Throws: `alreadyServing` if another daemon has it.
  package init(directory: String) throws(ServiceError) {
    do throws(PrivateDirectory.Problem) {
      try PrivateDirectory.make(directory)
    } catch {
      throw ServiceError(error)
    }
    let path = "\(directory)/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw ServiceError(.cannotListen, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    guard xp_try_lock_file(descriptor) else {
      close(descriptor)
      throw ServiceError(
        .alreadyServing,
        "another xferd has its tasks in \(directory). Use it, stop it, or choose another --state and --directory.")
    }
  }

  deinit { close(descriptor) }
}
