import CXferPlatform
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file of a scratch directory that is written or read in large pieces.
final class ScratchFile {
  private let descriptor: Int32
  private let path: String
  private var buffer: [UInt8] = []
  private var place = 0

  /// The size of the pieces in bytes.
  private static let piece = 1 << 18

  private init(_ path: String, _ flags: Int32) throws {
    self.path = path
    descriptor = xp_open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandExit(.failed, "\(path) cannot be opened: \(systemText(errno))") }
  }

  deinit { close(descriptor) }

  static func created(_ path: String) throws -> ScratchFile { try ScratchFile(path, O_WRONLY | O_CREAT | O_TRUNC) }

  /// Creates a file to write and then to read, which has no name any more, so that nothing remains if the process is killed.
  static func unnamed(_ path: String) throws -> ScratchFile {
    let file = try ScratchFile(path, O_RDWR | O_CREAT | O_TRUNC)
    unlink(path)
    return file
  }

  // MARK: Writing

  func append(_ bytes: some Collection<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.piece { try flush() }
  }

  func append(number: UInt32) throws { try withUnsafeBytes(of: number.littleEndian) { try append($0) } }

  func flush() throws {
    var rest = buffer[...]
    while !rest.isEmpty {
      let put = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if put < 0, errno == EINTR { continue }
      guard put > 0 else {
        throw CommandExit(
          .failed, "\(path) cannot be written: \(systemText(errno)); make room there, or set TMPDIR to a directory with more room"
        )
      }
      rest = rest.dropFirst(put)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  // MARK: Reading

  /// Goes back to the beginning, to read what was written.
  func rewind() throws {
    try flush()
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw CommandExit(.failed, "\(path) cannot be read: \(systemText(errno))") }
    (buffer, place) = ([], 0)
  }

  /// Returns the next bytes; `nil` if the file has fewer.
  func take(_ count: Int) throws -> ArraySlice<UInt8>? {
    while buffer.count - place < count { if try !fill(count) { return nil } }
    defer { place += count }
    return buffer[place..<place + count]
  }

  func takeNumber() throws -> UInt32? {
    try take(4).map { bytes in bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private func fill(_ count: Int) throws -> Bool {
    buffer.removeFirst(place)
    place = 0
    let known = buffer.count
    let wanted = max(Self.piece, count)
    buffer.append(contentsOf: repeatElement(0, count: wanted))
    while true {
      let got = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + known }, wanted) }
      if got < 0, errno == EINTR { continue }
      buffer.removeLast(wanted - max(0, got))
      if got < 0 { throw CommandExit(.failed, "\(path) cannot be read: \(systemText(errno))") }
      return got > 0
    }
  }
}

/// Writes groups of lines, in the order of their names, to a file.
struct RunWriter {
  let file: ScratchFile

  /// The number that stands in the place of a line's length behind the last line of a group.
  fileprivate static let end = UInt32.max

  init(_ path: String) throws { file = try .unnamed(path) }

  func begin(_ name: GroupName) throws {
    try file.append(number: UInt32(truncatingIfNeeded: name.text.utf8.count))
    try file.append(name.text.utf8)
  }

  func append(_ line: some Collection<UInt8>, _ facts: EventLineFacts) throws {
    // A line has at most 1 MiB.
    try file.append(number: UInt32(truncatingIfNeeded: line.count))
    try withUnsafeBytes(of: facts) { try file.append($0) }
    try file.append(line)
  }

  func endGroup() throws { try file.append(number: Self.end) }
}

/// Reads several files of `RunWriter`, from their beginning, as if they were one.
final class RunMerge {
  private var runs: [Run] = []
  private var current: GroupName?

  private struct Run {
    let file: ScratchFile
    /// The group that follows; `nil` at the end of the file.
    var name: GroupName?

    init(_ file: ScratchFile) throws {
      self.file = file
      try file.rewind()
      try advance()
    }

    mutating func advance() throws {
      name = try file.takeNumber().flatMap { try file.take(Int(truncatingIfNeeded: $0)) }.map {
        GroupName(text: String(decoding: $0, as: UTF8.self))
      }
    }
  }

  init(_ files: [ScratchFile]) throws { runs = try files.map(Run.init) }

  /// Returns the name of the next group; `nil` at the end of all files.
  func nextGroup() throws -> GroupName? {
    current = runs.compactMap(\.name).min()
    return current
  }

  /// Calls a function with each line of the group.
  func takeLines(_ take: (ArraySlice<UInt8>, EventLineFacts) throws -> Void) throws {
    for place in runs.indices where runs[place].name != nil && runs[place].name == current {
      let file = runs[place].file
      while let length = try file.takeNumber(), length != RunWriter.end {
        guard let stored = try file.take(MemoryLayout<EventLineFacts>.size) else { throw Self.cut }
        let facts = stored.withUnsafeBytes { $0.loadUnaligned(as: EventLineFacts.self) }
        guard let line = try file.take(Int(truncatingIfNeeded: length)) else { throw Self.cut }
        try take(line, facts)
      }
      try runs[place].advance()
    }
  }

  private static let cut = CommandExit(.failed, "a temporary file was truncated; do not change the files in TMPDIR")
}
