import CXferPlatform
package import XferEvents
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Waits for new events of a source.
///
/// Writes to a memory-mapped segment cause no notification, so the follower polls: every 5 ms while events arrive, and every 50 ms
/// after a second without events. New files are reported by the system where it supports that.
package struct LogFollower {
  private let source: any FollowableSource
  private let output: Int32
  private var watches: [String: Int32] = [:]
  private var quietRounds = 0

  private static let busyPause: Int32 = 5
  private static let idlePause: Int32 = 50
  /// The number of polls without events before the follower becomes idle: the number of busy pauses in a second.
  private static let roundsUntilIdle = 200

  /// - Parameter output: the descriptor of the output. The wait ends when the reader of the output closes it.
  package init(_ source: any FollowableSource, output: Int32 = STDOUT_FILENO) {
    self.source = source
    self.output = output
  }

  /// The directories to watch that do not exist yet.
  package var awaited: [String] { source.watchedDirectories.filter { access($0, F_OK) != 0 } }

  /// The result of a look at the source.
  package enum Look {
    case nothing, new
    /// The log need not be followed any more.
    case done
  }

  /// Polls the source until the deadline, or until `onLook` is done or throws.
  ///
  /// - Parameters:
  ///   - deadline: a monotonic time in nanoseconds; `nil` means no deadline.
  ///   - onChange: a function that is called when an input was removed, replaced or created.
  ///   - onLook: a function that reads the available events and gaps, and returns whether it read any.
  package mutating func follow(
    until deadline: Int64?, onChange: (FollowedChange) throws -> Void, _ onLook: (any EventSource) throws -> Look
  ) throws {
    defer { for descriptor in watches.values { close(descriptor) } }
    while true {
      source.refresh()
      for change in source.takeChanges() {
        try onChange(change)
        // The watch is that of the earlier directory.
        if let descriptor = watches.removeValue(forKey: change.path) { close(descriptor) }
      }
      switch try onLook(source) {
      case .nothing: quietRounds += 1
      case .new: quietRounds = 0
      case .done: return
      }
      let now = xp_clock_monotonic()
      if let deadline, now >= deadline { return }
      try wait(atMost: deadline.map { ($0 - now) / 1_000_000 + 1 })
    }
  }

  private mutating func wait(atMost limit: Int64?) throws {
    for directory in source.watchedDirectories where watches[directory] == nil {
      let descriptor = xp_watch_directory(directory)
      if descriptor >= 0 { watches[directory] = descriptor }
    }
    var entries = watches.values.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // No events are requested for the output, because poll always reports a closed reader.
    entries.append(pollfd(fd: output, events: 0, revents: 0))
    let pause = quietRounds < Self.roundsUntilIdle ? Self.busyPause : Self.idlePause
    let ready = poll(&entries, nfds_t(entries.count), limit.map { min(pause, Int32(clamping: $0)) } ?? pause)
    try Interruption.check()
    guard ready > 0 else { return }
    if entries.last?.revents ?? 0 != 0 { throw OutputClosed() }
    quietRounds = 0
    drain(entries.dropLast().filter { $0.revents != 0 }.map(\.fd))
  }

  /// Discards the notifications. The source examines all directories anyway.
  private func drain(_ descriptors: [Int32]) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      for descriptor in descriptors { while read(descriptor, bytes.baseAddress, bytes.count) > 0 {} }
    }
  }
}
