import CXferPlatform
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A store of pieces in a temporary file. Memory holds one offset for each group, and the offsets of the group that is read.
///
/// Each piece is preceded by the offset of the group's previous piece, so that a group is a list that is read backwards.
final class FragmentFile: FragmentStore {
  private struct Head {
    /// The offset of the previous piece of the group; -1 for the first one.
    var previous: Int64
    var key: Int64
    var count: Int64
    static let size = MemoryLayout<Head>.size
  }

  private let descriptor: Int32
  private var last: [Int64] = []
  /// The bytes that are not in the file yet, which begin at the offset `written`.
  private var pending = TextBuffer(capacity: 1 << 17)
  private var written: Int64 = 0
  private var found: [(key: Int64, offset: Int64)] = []
  private var place = 0

  /// Creates a file without a name in the directory of temporary files.
  init(_ environment: [String: String]) throws {
    let directory = environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(directory)/xferlog-export.XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw CommandExit(
        .failed, "no temporary file can be created in \(directory): \(systemText(errno)).\nSet TMPDIR to a writable directory.")
    }
    unlink(template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
  }

  deinit { close(descriptor) }

  func append(_ bytes: UnsafeRawBufferPointer, to group: Int, key: Int64) throws {
    while last.count <= group { last.append(-1) }
    var head = Head(previous: last[group], key: key, count: Int64(bytes.count))
    last[group] = written + Int64(pending.count)
    withUnsafeBytes(of: &head) { pending.append($0) }
    pending.append(bytes)
    if pending.count >= 1 << 16 { try flush() }
  }

  func begin(_ group: Int) throws {
    try flush()
    found.removeAll(keepingCapacity: true)
    place = 0
    var offset = group < last.count ? last[group] : -1
    while offset >= 0 {
      let head = try head(at: offset)
      found.append((head.key, offset))
      offset = head.previous
    }
    // The offsets of equal keys are in the order in which the pieces were added.
    found.sort { ($0.key, $0.offset) < ($1.key, $1.offset) }
  }

  func next(into text: inout TextBuffer) throws -> Bool {
    guard place < found.count else { return false }
    let offset = found[place].offset
    place += 1
    let count = Int(try head(at: offset).count)
    try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { bytes in
      try read(bytes, at: offset + Int64(Head.size))
      text.append(UnsafeRawBufferPointer(bytes))
    }
    return true
  }

  private func head(at offset: Int64) throws -> Head {
    var head = Head(previous: -1, key: 0, count: 0)
    try withUnsafeMutableBytes(of: &head) { try read($0, at: offset) }
    return head
  }

  private func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
    var done = 0
    while done < bytes.count {
      let count = pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw CommandExit(.failed, "the temporary file cannot be read: \(systemText(errno))") }
      done += count
    }
  }

  private func flush() throws {
    var rest = pending.bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = pwrite(descriptor, base, rest.count, off_t(written))
      if count < 0 {
        if errno == EINTR {
          try Interruption.check()
          continue
        }
        throw CommandExit(
          .failed, "the temporary file cannot be written: \(systemText(errno)).\nSet TMPDIR to a directory with more space.")
      }
      written += Int64(count)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    pending.removeAll()
  }
}
