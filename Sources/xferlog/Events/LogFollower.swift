import CXferPlatform
package import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waits for what writers add to a log.
///
/// Stores to a mapped segment wake nobody, so it looks again: every 5 ms while events come, every 50 ms when they have not
/// for a while. New segments are reported by the system where it can.
package struct LogFollower {
  private let reader: LogReader
  private let directories: [String]
  private let output: Int32
  private var watches: [String: Int32] = [:]
  private var quietRounds = 0

  private static let busyPause: Int32 = 5
  private static let idlePause: Int32 = 50
  /// A second of busy pauses.
  private static let roundsUntilIdle = 200

  /// - Parameter output: a descriptor whose reader's end ends the waiting, too.
  package init(_ reader: LogReader, inputs: LogInputs, output: Int32 = STDOUT_FILENO) {
    self.reader = reader
    self.output = output
    directories = inputs.sources.compactMap { if case .directory(let path) = $0 { path } else { nil } }
  }

  /// Directories that are not there yet.
  package var awaited: [String] { directories.filter { access($0, F_OK) != 0 } }

  /// Looks again and again, until the deadline or until `onLook` throws.
  ///
  /// - Parameters:
  ///   - deadline: monotonic nanoseconds; `nil` for none.
  ///   - onLook: reads what the reader has; returns whether there was anything.
  package mutating func follow(until deadline: Int64?, _ onLook: (LogReader) throws -> Bool) throws {
    defer { for descriptor in watches.values { close(descriptor) } }
    while true {
      reader.refresh()
      quietRounds = try onLook(reader) ? 0 : quietRounds + 1
      let now = xp_clock_monotonic()
      if let deadline, now >= deadline { return }
      try wait(atMost: deadline.map { ($0 - now) / 1_000_000 + 1 })
    }
  }

  private mutating func wait(atMost limit: Int64?) throws {
    for directory in directories where watches[directory] == nil {
      let descriptor = xp_watch_directory(directory)
      if descriptor >= 0 { watches[directory] = descriptor }
    }
    var entries = watches.values.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Nothing is asked of the output but that it has a reader.
    entries.append(pollfd(fd: output, events: 0, revents: 0))
    let pause = quietRounds < Self.roundsUntilIdle ? Self.busyPause : Self.idlePause
    let ready = poll(&entries, nfds_t(entries.count), limit.map { min(pause, Int32(clamping: $0)) } ?? pause)
    try Interruption.check()
    guard ready > 0 else { return }
    if entries.last?.revents ?? 0 != 0 { throw OutputClosed() }
    quietRounds = 0
    drain(entries.dropLast().filter { $0.revents != 0 }.map(\.fd))
  }

  /// What changed does not matter: the reader looks at all.
  private func drain(_ descriptors: [Int32]) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      for descriptor in descriptors { while read(descriptor, bytes.baseAddress, bytes.count) > 0 {} }
    }
  }
}
