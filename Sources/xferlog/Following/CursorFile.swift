import CXferPlatform
import XferEvents
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that keeps a cursor for the next run. It is replaced as a whole, so that it holds a cursor even after a crash.
final class CursorFile {
  let path: String
  private var saved: LogCursor?
  private var nextSave: Int64 = 0

  /// The largest file that is read, in bytes. A cursor has about 50 bytes for each process life.
  private static let largest = 1 << 24
  /// The shortest time between two saves of a followed log, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  init(_ path: String) { self.path = path }

  /// Reads the cursor; `nil` if the file does not exist yet, or is empty.
  func cursor() throws -> LogCursor? {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    if descriptor < 0, errno == ENOENT {
      try checkDirectory()
      return nil
    }
    guard descriptor >= 0 else { throw failure("read", errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = readBytes(descriptor, &buffer)
      if count < 0 { throw failure("read", errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
      if bytes.count > Self.largest { throw notACursor }
    }
    while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
    if bytes.isEmpty { return nil }
    guard let cursor = LogCursor(String(decoding: bytes, as: UTF8.self)) else { throw notACursor }
    return cursor
  }

  /// Saves a cursor, unless the file has it already. While a log is followed, it is saved at most once per second.
  func save(_ cursor: LogCursor, isLast: Bool) throws {
    let now = xp_clock_monotonic()
    guard isLast || now >= nextSave else { return }
    nextSave = now.addingClamped(Self.pause)
    if cursor == saved { return }
    do throws(SystemProblem) {
      let draft = try FileDraft(for: path)
      try draft.write(Array("\(cursor)\n".utf8))
      try draft.place()
    } catch {
      throw failure("written", error.number)
    }
    saved = cursor
  }

  /// Throws if the file cannot be created, before events are printed that would be printed again in the next run.
  private func checkDirectory() throws {
    if path.isEmpty { throw CommandExit(.wrongUsage, "the name of the file for the cursor is empty; name a file") }
    if access(LogDirectory.parent(of: path), W_OK | X_OK) != 0 { throw failure("written", errno) }
  }

  private var notACursor: CommandExit {
    CommandExit(
      .wrongUsage,
      "\(path): the file is not a cursor that xferlog wrote.\nName another file, or remove it to begin with all events.")
  }

  private func failure(_ action: String, _ number: Int32) -> CommandExit {
    CommandExit(.failed, "\(path): the cursor cannot be \(action) (\(systemText(number)))")
  }
}

private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
