import CXferPlatform
import Foundation
import XferEngine

/// The lock of a directory that one daemon may use at a time. It ends with the process.
package final class DirectoryLock: Sendable {
  private let descriptor: Int32

  /// Makes the directory private to the user and takes the lock.
  ///
  /// - Parameters:
  ///   - path: The path of the lock file.
  ///   - refusal: The message if another daemon has the lock.
  /// - Throws: `alreadyServing` if another daemon has the lock.
  package init(_ path: String, in directory: String, refusal: String) throws(ServiceError) {
    do throws(PrivateDirectory.Problem) {
      try PrivateDirectory.make(directory)
    } catch {
      throw ServiceError(error)
    }
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw ServiceError(.cannotListen, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    guard xp_try_lock_file(descriptor) else {
      close(descriptor)
      throw ServiceError(.alreadyServing, refusal)
    }
  }

  deinit { close(descriptor) }
}
