internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Returns whether the current thread is the process's main thread.
func isMainThread() -> Bool {
  #if canImport(Darwin)
    pthread_main_np() != 0
  #else
    xp_thread_id() == UInt32(getpid())
  #endif
}
