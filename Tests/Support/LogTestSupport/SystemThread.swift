import Foundation

/// A thread that can be joined. Joining includes the destructors of the thread's local storage.
package struct SystemThread {
  private let handle: pthread_t

  package init(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(ThreadBody(run))
    #if canImport(Darwin)
      var handle: pthread_t?
      let problem = pthread_create(&handle, nil, runThread, body.toOpaque())
      self.handle = handle!
    #else
      var handle = pthread_t()
      let problem = pthread_create(&handle, nil, runThread, body.toOpaque())
      self.handle = handle
    #endif
    precondition(problem == 0, "the thread could not be created")
  }

  package func join() { pthread_join(handle, nil) }

  /// Runs the body in the given number of simultaneous threads, and waits until all have ended.
  package static func run(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    let threads = (0..<count).map { index in SystemThread { body(index) } }
    for thread in threads { thread.join() }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runThread(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
  }
#else
  private func runThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run() }
    return nil
  }
#endif
