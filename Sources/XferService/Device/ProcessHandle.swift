import CXferPlatform
import Foundation

/// A process that is meant, and no later one that has its number.
final class ProcessHandle: Sendable {
  private let pid: Int32
  /// -1 where the kernel has no such thing.
  private let descriptor: Int32

  init(_ pid: Int32) {
    self.pid = pid
    descriptor = xp_process_open(pid)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func send(_ signal: Int32) { _ = xp_process_signal(descriptor, pid, signal) }
}
