import CXferPlatform
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ends the sleep of another thread. A signal ends it, too.
final class WakeUp: Sendable {
  private let (reading, writing): (Int32, Int32)
  private let isPending = Atomic<Bool>(false)

  init() {
    var ends: (Int32, Int32) = (-1, -1)
    withUnsafeMutableBytes(of: &ends) { _ = pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self)) }
    (reading, writing) = ends
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the sleep, or the next one.
  func signal() {
    // At most one byte is in the pipe, so that writing never blocks.
    if isPending.exchange(true, ordering: .acquiringAndReleasing) { return }
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  /// Sleeps until `signal` is called or a time has passed.
  func sleep(milliseconds: Int32) {
    var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return }
    var byte: UInt8 = 0
    _ = read(reading, &byte, 1)
    isPending.store(false, ordering: .releasing)
  }
}
