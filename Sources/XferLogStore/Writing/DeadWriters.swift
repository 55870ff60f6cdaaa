import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Records the end of killed processes, which cannot do so themselves, when a log is opened for writing.
///
/// A writer never changes another writer's file; an empty marker file next to the segment says that its writer's end has
/// been recorded. The event is written before the marker, so a kill in between duplicates the event instead of losing it.
/// An event that cannot be written is left to the process that opens the log next.
enum DeadWriters {
  static func record(in directory: String, by writer: LogWriter) {
    let observer = writer.configuration.process
    let marked = Set(LogDirectory.numbered(LogDirectory.observedSuffix, in: directory).map(\.number))
    var recorded: [LaunchID: Bool] = [:]
    for (number, path) in LogDirectory.segments(in: directory) {
      guard !marked.contains(number), let summary = SegmentSummary(path: path), summary.state == .open,
        summary.header.launch != writer.launch
      else { continue }
      let (header, process) = (summary.header, summary.header.process)
      let reason: ExitReason
      switch process.fate(seenFrom: observer) {
      case .running, .unknowable: continue
      case .terminated: reason = .missing
      case .rebooted: reason = .rebooted
      }
      let isRecorded =
        recorded[header.launch]
        ?? writer.emit(
          ProcessExitObserved(
            launch: header.launch, boot: header.boot, pid: Int(process.pid), exitReason: reason, by: .engine,
            executable: header.executable, segment: Int64(number)))
      recorded[header.launch] = isRecorded
      guard isRecorded else { continue }
      let mark = LogDirectory.path(of: number, in: directory, LogDirectory.observedSuffix)
      let descriptor = xp_open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { _ = close(descriptor) }
    }
  }
}
