import CXferPlatform

/// Threads that read logs.
enum ReadingThread {
  /// The closure, on its way to the thread.
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that calls `run`.
  ///
  /// - Returns: `false` if the system has no more threads. `run` is not called then.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let pointer = Unmanaged.passRetained(Body(run))
    let isStarted = xp_thread_start(
      { pointer in
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, pointer.toOpaque())
    if !isStarted { pointer.release() }
    return isStarted
  }
}
