import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A killed process cannot log its own death, so whoever opens the log for writing next does.
///
/// Nobody writes into another writer's file; an empty file beside the segment says that its writer's end is recorded.
/// The event comes first and the mark second, so a kill in between repeats an event instead of losing one; what could not
/// be written is left to the next opener.
enum DeadWriters {
  static func record(in directory: String, by writer: LogWriter) {
    let observer = writer.configuration.process
    let names = Set(LogDirectory.names(in: directory))
    var recorded: [LaunchID: Bool] = [:]
    for (number, path) in LogDirectory.segments(in: directory) {
      let mark = LogDirectory.name(of: number).dropLast(LogDirectory.segmentSuffix.count) + LogDirectory.observedSuffix
      guard !names.contains(String(mark)), let header = openHeader(path), header.launch != writer.launch else { continue }
      let process = ProcessIdentity(
        pid: Int32(bitPattern: header.pid), start: header.processStart, namespace: header.processNamespace,
        boot: header.boot, executable: header.executable)
      let reason: ExitReason
      switch process.fate(seenFrom: observer) {
      case .running, .unknowable: continue
      case .gone: reason = .missing
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
      let descriptor = xp_open("\(directory)/\(mark)", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { _ = close(descriptor) }
    }
  }

  /// The header of a segment that its writer has not closed; `nil` for any other file.
  private static func openHeader(_ path: String) -> SegmentHeader? {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: SegmentFormat.headerSize, alignment: 8) { bytes in
      guard pread(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count else { return nil }
      let state = UInt32(littleEndian: bytes.load(fromByteOffset: SegmentHeader.state, as: UInt32.self))
      guard state == SegmentFormat.State.open.rawValue else { return nil }
      return try? SegmentHeader.decode(UnsafeRawBufferPointer(bytes)).get()
    }
  }
}
