#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// How a process that this one has started has ended.
package struct ChildEnd: Sendable {
  package let pid: Int32
  /// `nil` when a signal ended it.
  package let code: Int?
  package let signal: Int?

  /// Waits for it, on a thread of its own.
  package static func await(_ pid: Int32, _ report: @escaping @Sendable (ChildEnd) -> Void) {
    BackgroundThread.start {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      let isExit = status & 0x7F == 0
      report(ChildEnd(pid: pid, code: isExit ? Int(status >> 8 & 0xFF) : nil, signal: isExit ? nil : Int(status & 0x7F)))
    }
  }
}
