import Foundation
import Synchronization
import XferEvents

/// For tests that kill the command: counts, in a file that outlives it, the events whose call has returned, and dies at
/// one of them.
///
/// Whatever the file counts has to be in the log. `XFERLOG_TEST_WITNESS` names the file: a word of 64 bits for each event
/// number, in the machine's order. `XFERLOG_TEST_KILL_AT=NAME:COUNT` has SIGKILL follow the so-manieth event of a name.
struct WitnessedSink: EventSink {
  static let size = 256 * 8

  private let sink: any EventSink
  private let file: MappedCounters
  private let end: End?

  private struct End {
    let kind: EventKind
    let count: UInt64
  }

  /// - Returns: `nil` when the environment does not ask for a witness.
  init?(_ sink: any EventSink, environment: [String: String]) {
    guard let path = environment["XFERLOG_TEST_WITNESS"], let file = MappedCounters(path: path, size: Self.size) else {
      return nil
    }
    (self.sink, self.file) = (sink, file)
    end = environment["XFERLOG_TEST_KILL_AT"].flatMap { text in
      let parts = text.split(separator: ":")
      guard parts.count == 2, let kind = EventKind.allCases.first(where: { $0.name == parts[0] }), let count = UInt64(parts[1])
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
}

/// Words of a file that is mapped as long as the process lives.
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

  /// - Returns: the new count.
  func increase(_ place: Int) -> UInt64 {
    let words = UnsafeMutableRawPointer(bitPattern: address)!.assumingMemoryBound(to: Atomic<UInt64>.self)
    return words[place].add(1, ordering: .acquiringAndReleasing).newValue
  }
}
