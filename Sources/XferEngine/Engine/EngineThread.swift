internal import CCurl
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The thread that makes all libcurl calls of a session. Each session has one.
enum EngineThread {
  /// Starts the thread. The thread exits after `EngineCommand.stop`.
  static func start(_ context: SessionContext) throws(TransferError) {
    let argument = Unmanaged.passRetained(context).toOpaque()
    let result = detach(argument)
    guard result == 0 else {
      Unmanaged<SessionContext>.fromOpaque(argument).release()
      throw TransferError(
        .insufficientResources, domain: .posix, number: Int(result), osError: Int(result), stage: .creation,
        problem: "the engine thread cannot be started")
    }
  }

  private static func detach(_ argument: UnsafeMutableRawPointer) -> Int32 {
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = pthread_create(&thread, nil, { runEngine($0) }, argument)
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let result = pthread_create(&thread, nil, { runEngine($0!) }, argument)
      if result == 0 { pthread_detach(thread) }
    #endif
    return result
  }
}

// A free function, because a closure that names a static method captures its type and cannot become a C function pointer.
private func runEngine(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  let context = Unmanaged<SessionContext>.fromOpaque(argument).takeRetainedValue()
  curl_global_init(Int(CURL_GLOBAL_ALL))
  EngineLoop(context).run()
  curl_global_cleanup()
  return nil
}
