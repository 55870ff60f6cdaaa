internal import CXferPlatform

/// A thread for work that waits in system calls.
package enum BackgroundThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Returns: `false` if the system has no thread to give (`RLIMIT_NPROC`, memory). `run` is not called then.
  package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = Unmanaged.passRetained(Body(run))
    let isStarted = xp_thread_start(
      { pointer in
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    if !isStarted { body.release() }
    return isStarted
  }
}
