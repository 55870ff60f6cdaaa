import CXferPlatform
import Foundation

/// Counters in a memory-mapped file shared by two processes. The writer increments a counter after each event whose call has
/// returned. All events counted here must be in the log after the writer is killed.
package final class Acknowledgements: Sendable {
  private let base: UInt
  private static let size = 4096
  package static let slots = size / 8

  /// - Parameter path: The file, which is created when it is missing.
  package init(path: String) {
    let descriptor = xp_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0 && ftruncate(descriptor, off_t(Self.size)) == 0, "the counter file cannot be created")
    let address = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    precondition(address != MAP_FAILED, "the counter file cannot be mapped")
    close(descriptor)
    base = UInt(bitPattern: address)
  }

  /// The offset from a thread's counter to the counter of its events that are known to be on disk.
  package static let synchronised = 128
  /// The index of the counter of failures thrown by `sync`.
  package static let failures = 256
  /// The index of the stop flag. Any value except 0 ends the writer's threads.
  package static let stop = 511

  deinit { munmap(UnsafeMutableRawPointer(bitPattern: base), Self.size) }

  package subscript(slot: Int) -> UInt64 {
    get { xp_load_acquire_64(UnsafeRawPointer(bitPattern: base)! + slot * 8) }
    set { xp_store_release_64(UnsafeMutableRawPointer(bitPattern: base)! + slot * 8, newValue) }
  }
}
