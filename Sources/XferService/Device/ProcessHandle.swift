import CXferPlatform
import Foundation

/// A reference to one process, which never signals a later process with the same pid.
final class ProcessHandle: Sendable {
  private let pid: Int32
  /// The process descriptor (pidfd). -1 when the kernel does not support process descriptors.
  private let descriptor: Int32

  init(_ pid: Int32) {
    self.pid = pid
    descriptor = xp_process_open(pid)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func send(_ signal: Int32) { _ = xp_process_signal(descriptor, pid, signal) }
}
