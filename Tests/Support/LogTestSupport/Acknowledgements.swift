import CXferPlatform
import Foundation

/// Counters in a file that two processes map: the writer raises one after each event whose call has returned, and what
/// stands here when it is killed must be in the log.
package final class Acknowledgements: Sendable {
  private let base: UInt
  private static let size = 4096
  package static let slots = size / 8

  /// - Parameter path: made when it is not there.
  package init(path: String) {
    let descriptor = xp_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0 && ftruncate(descriptor, off_t(Self.size)) == 0, "the counters can be made")
    let address = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    precondition(address != MAP_FAILED, "the counters can be mapped")
    close(descriptor)
    base = UInt(bitPattern: address)
  }

  /// What one thread knows to be on the disk stands this far behind its own counter.
  package static let synchronised = 128
  /// Failures that `sync` has thrown.
  package static let failures = 256
  /// Anything but 0 here ends the writer's threads.
  package static let stop = 511

  deinit { munmap(UnsafeMutableRawPointer(bitPattern: base), Self.size) }

  package subscript(slot: Int) -> UInt64 {
    get { xp_load_acquire_64(UnsafeRawPointer(bitPattern: base)! + slot * 8) }
    set { xp_store_release_64(UnsafeMutableRawPointer(bitPattern: base)! + slot * 8, newValue) }
  }
}
