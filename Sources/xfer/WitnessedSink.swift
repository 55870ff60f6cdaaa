import Foundation
import Synchronization
import XferEvents

/// A sink for tests that kill the command. It counts the recorded events in a file that survives the process, and can end
/// the process at a chosen event.
///
/// Every event counted in the file must be in the log. `XFERLOG_TEST_WITNESS` names the file, which holds one 64-bit counter
/// in native byte order per event number. `XFERLOG_TEST_KILL_AT=NAME:COUNT` sends SIGKILL after event `NAME` was recorded
/// `COUNT` times.
struct WitnessedSink: EventSink {
  static let size = 256 * 8

  private let sink: any EventSink
  private let file: MappedCounters
  private let end: End?

  private struct End {
    let kind: EventKind
    let count: UInt64
  }

  /// - Returns: The sink, or `nil` when the environment does not name a counter file.
  init?(_ sink: any EventSink, environment: [String: String]) {
    guard let path = environment["XFERLOG_TEST_WITNESS"], let file = MappedCounters(path: path, size: Self.size) else {
      return nil
    }
    (self.sink, self.file) = (sink, file)
    end = environment["XFERLOG_TEST_KILL_AT"].flatMap { text in
      let parts = text.split(separator: ":")
      guard parts.count == 2, let kind = EventKind.named(String(parts[0])), let count = UInt64(parts[1])
      else { return nil }
      return End(kind: kind, count: count)
    }
  }

  func emit(_ event: some TransferEvent) {
    sink.emit(event)
    let kind = type(of: event).kind
    let count = file.increase(Int(kind.rawValue))
    if let end, end.kind == kind, end.count == count { kill(getpid(), SIGKILL) }
  }

  func keeps(_ kind: EventKind) -> Bool { sink.keeps(kind) }

  var keepsSecrets: Bool { sink.keepsSecrets }
  var isOpen: Bool { sink.isOpen }
}

/// An array of 64-bit counters in a file that stays mapped until the process ends.
private struct MappedCounters: Sendable {
  private let address: UInt

  init?(path: String, size: Int) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0 else { return nil }
    defer { close(descriptor) }
    guard let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), address != MAP_FAILED else {
      return nil
    }
    self.address = UInt(bitPattern: address)
  }

  /// - Returns: The new count.
  func increase(_ place: Int) -> UInt64 {
    let words = UnsafeMutableRawPointer(bitPattern: address)!.assumingMemoryBound(to: Atomic<UInt64>.self)
    return words[place].add(1, ordering: .acquiringAndReleasing).newValue
  }
}
