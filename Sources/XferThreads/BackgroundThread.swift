internal import CXferPlatform

/// Threads for work that blocks in system calls, or that overlaps with other work.
package enum BackgroundThread {
  /// The closure, on its way to the thread.
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that calls `run`.
  ///
  /// - Returns: `false` if the system cannot create a thread (`RLIMIT_NPROC`, memory). `run` is not called then.
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
