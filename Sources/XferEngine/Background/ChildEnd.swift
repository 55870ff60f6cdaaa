internal import Dispatch
internal import Synchronization
internal import XferThreads

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The exit code or the signal with which a child process ended. Neither is known if another part of the program waited for it.
package struct ChildEnd: Sendable {
  package let pid: Int32
  /// The exit code. `nil` when a signal terminated the process or the end is unknown.
  package let code: Int?
  /// The signal number. `nil` when the process exited or the end is unknown.
  package let signal: Int?

  /// Starts a process and waits for its end on a dedicated thread.
  ///
  /// The thread is started first: without the thread, the child would remain a zombie and its end would never be reported.
  ///
  /// - Parameters:
  ///   - spawn: A function that starts the process and stores its process ID. Returns 0 or an errno.
  ///   - report: A closure that is called on the waiting thread when the process has ended.
  /// - Returns: The process ID, or the errno of `spawn`. The errno is `EAGAIN` if no thread can be started.
  package static func spawn(
    _ spawn: (inout Int32) -> Int32, report: @escaping @Sendable (ChildEnd) -> Void
  ) -> Result<Int32, SpawnError> {
    let child = Handover()
    let isWaiting = BackgroundThread.start {
      guard let pid = child.receive() else { return }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 {
        if errno == EINTR { continue }
        // Another part of the program has collected the child's end, so how the child ended is unknown.
        return report(ChildEnd(pid: pid, code: nil, signal: nil))
      }
      let isExit = status & 0x7F == 0
      report(ChildEnd(pid: pid, code: isExit ? Int(status >> 8 & 0xFF) : nil, signal: isExit ? nil : Int(status & 0x7F)))
    }
    guard isWaiting else { return .failure(SpawnError(osError: EAGAIN)) }
    var pid: Int32 = 0
    let result = spawn(&pid)
    child.send(result == 0 ? pid : nil)
    return result == 0 ? .success(pid) : .failure(SpawnError(osError: result))
  }

  package struct SpawnError: Error {
    package let osError: Int32
    package init(osError: Int32) { self.osError = osError }

    /// Whether the system lacked processes, memory or descriptors, so that a retry may succeed.
    package var isTemporary: Bool { [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(osError) }
  }

  /// Passes one process ID from the starting thread to the waiting thread.
  private final class Handover: Sendable {
    private let pid = Mutex<Int32?>(nil)
    private let isSent = DispatchSemaphore(value: 0)

    func send(_ pid: Int32?) {
      self.pid.withLock { $0 = pid }
      isSent.signal()
    }

    func receive() -> Int32? {
      isSent.wait()
      return pid.withLock { $0 }
    }
  }
}
