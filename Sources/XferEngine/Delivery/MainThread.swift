internal import CXferPlatform

/// Returns whether the current thread is the process's main thread.
func isMainThread() -> Bool { xp_thread_is_main() }
