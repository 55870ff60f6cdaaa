internal import CZlib
import XferReport

/// Writes a zip archive (APPNOTE.TXT 6.3.10) of files. Equal files give equal archives, because no time is stored.
package struct ZipWriter {
  private let output: StandardOutput
  private var members: [Member] = []
  private var offset: UInt64 = 0

  private struct Member {
    let name: [UInt8]
    let method: UInt16
    let checksum: UInt32
    let packedSize: UInt32
    let size: UInt32
    let offset: UInt32
  }

  /// The bit that marks names in UTF-8.
  private static let isUTF8: UInt16 = 1 << 11
  /// The first day that the format can express, 1980-01-01.
  private static let date: UInt16 = 1 << 5 | 1
  private static let (stored, deflated): (UInt16, UInt16) = (0, 8)

  package init(_ output: StandardOutput) { self.output = output }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - name: the name in the archive.
  ///   - compresses: whether to compress the file. Sealed segments are compressed already.
  package mutating func append(_ path: String, as name: String, compresses: Bool) throws {
    let file = PieceReader(path)
    let deflater = compresses ? try Deflater() : nil
    var (checksum, size): (UInt, UInt64) = (crc32(0, nil, 0), 0)
    try file.each { piece in
      checksum = piece.withUnsafeBytes { crc32(checksum, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
      size += UInt64(piece.count)
      piece.withUnsafeBytes { deflater?.append($0) }
    }
    deflater?.finish()
    // A zlib stream is raw deflate data with a header of two bytes and a checksum of four.
    let data = deflater.map { Array($0.bytes.dropFirst(2).dropLast(4)) }
    let packed = data.map { UInt64($0.count) } ?? size
    guard offset + packed <= UInt64(UInt32.max), let size = UInt32(exactly: size), members.count < 0xFFFF else {
      throw Self.tooLarge
    }
    let member = Member(
      name: Array(name.utf8), method: data == nil ? Self.stored : Self.deflated, checksum: UInt32(truncatingIfNeeded: checksum),
      packedSize: UInt32(packed), size: size, offset: UInt32(offset))
    members.append(member)
    try put(Self.bytes([0x0403_4B50]) + Self.head(member) + Self.halves([UInt16(member.name.count), 0]) + member.name)
    if let data { return try put(data) }
    var copied: UInt64 = 0
    try file.each { piece in
      copied += UInt64(piece.count)
      try put(piece)
    }
    guard copied == packed else { throw CommandExit(.failed, "\(name) changed while it was written") }
  }

  /// Writes the directory of the archive.
  package mutating func finish() throws {
    let start = offset
    for member in members {
      try put(Self.bytes([0x0201_4B50]) + Self.halves([20]) + Self.head(member))
      // No extra field, comment, disk number and attributes of the file.
      try put(Self.halves([UInt16(member.name.count), 0, 0, 0, 0]) + Self.bytes([0, member.offset]) + member.name)
    }
    guard let first = UInt32(exactly: start), let size = UInt32(exactly: offset - start) else { throw Self.tooLarge }
    let count = UInt16(members.count)
    try put(Self.bytes([0x0605_4B50]) + Self.halves([0, 0, count, count]) + Self.bytes([size, first]) + Self.halves([0]))
    try output.flush()
  }

  private static let tooLarge = CommandExit(
    .failed, "the archive would be larger than 4 GiB; select a part of the log, for example with --since or --task")

  /// Returns the part of a member's headers that both headers have.
  private static func head(_ member: Member) -> [UInt8] {
    halves([20, isUTF8, member.method, 0, date]) + bytes([member.checksum, member.packedSize, member.size])
  }

  private mutating func put(_ bytes: [UInt8]) throws {
    output.buffer.append(bytes)
    offset += UInt64(bytes.count)
    try output.flushIfLarge()
  }

  private static func halves(_ words: [UInt16]) -> [UInt8] { words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }

  private static func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
  }
}
