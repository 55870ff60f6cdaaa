import Foundation
import LogTestSupport
import XferEvents

/// The losses that no reader can notice, because nothing in the remaining files mentions what is lost.
enum Unnoticeable {
  /// Returns the name of the kind of loss; `nil` if the remaining files show it.
  static func kind(
    of lost: Set<LogReading.Place>, in reading: LogReading, _ files: LogFiles, _ log: LiveLog, _ path: String
  ) -> String? {
    // Everything that is lost must belong to writers that left nothing.
    let writers = Set(lost.map(\.launch))
    guard writers.isDisjoint(with: reading.events.keys.map(\.launch)) else { return nil }
    // A segment with a higher number shows that there was one before it.
    let remaining = Set(files.segments.values.compactMap { SegmentParts($0).number })
    let removed = log.files.segments.values.compactMap { SegmentParts($0).number }.filter { !remaining.contains($0) }
    guard let first = removed.min(), let last = remaining.max(), last < first else { return nil }
    guard let text = try? ToolRun("xferlog", ["show", "-o", "ndjson", path]).text else { return nil }
    if writers.contains(where: { text.contains("\($0)") }) { return nil }
    // A process whose end the daemon saw need not have written a log, if it never connected to the daemon.
    let isSeen = writers.contains { launch in
      log.reading.writers[launch]?.pid.map { text.contains("\"pid\":\($0),") || text.contains("\"pid\":\($0)}") } ?? false
    }
    return isSeen
      ? "removed: the last writer, of which only the process id is mentioned" : "removed: the last writer, which nothing mentions"
  }
}
