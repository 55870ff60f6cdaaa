import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The members of a zip archive (APPNOTE.TXT 6.3.10).
struct ZipArchive {
  struct Member {
    var name: String
    var method: UInt16
    var isEncrypted: Bool
    /// `nil` if only the data itself shows its size.
    var packedSize: UInt64?
    /// The offset of the member's local header.
    var header: UInt64
  }

  private(set) var members: [Member] = []
  /// Why members may be missing; `nil` if the archive is complete.
  private(set) var flaw: String?
  private let descriptor: Int32
  private let size: UInt64

  /// The maximum number of members.
  private static let most = 20_000

  init(_ descriptor: Int32, size: UInt64) {
    (self.descriptor, self.size) = (descriptor, size)
    if readDirectory() { return }
    // Without its directory, which is at the end, an archive was cut off. Its members are found one behind the other.
    flaw = "the archive is truncated"
    members.removeAll()
  }

  /// Whether the archive has no directory, so that its members must be found by their headers.
  var mustBeScanned: Bool { flaw != nil && members.isEmpty }

  private func bytes(_ offset: UInt64, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = max(0, pread(descriptor, bytes.baseAddress, count, off_t(clamping: offset)))
    }
  }

  private mutating func readDirectory() -> Bool {
    let length = Int(min(size, 66_000))
    let tail = bytes(size - UInt64(length), length)
    guard tail.count >= 22,
      let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: { tail.word($0) == 0x0605_4B50 })
    else { return false }
    var (count, start) = (UInt64(tail.half(end + 10)), UInt64(tail.word(end + 16)))
    if count == 0xFFFF || start == 0xFFFF_FFFF, end >= 20, tail.word(end - 20) == 0x0706_4B50 {
      let record = bytes(tail.long(end - 20 + 8), 56)
      guard record.count == 56, record.word(0) == 0x0606_4B50 else { return false }
      (count, start) = (record.long(32), record.long(48))
    }
    guard start <= size else { return false }
    var place = start
    for _ in 0..<min(count, UInt64(Self.most)) {
      let head = bytes(place, 46)
      guard head.count == 46, head.word(0) == 0x0201_4B50 else { return false }
      let (nameSize, extraSize, commentSize) = (Int(head.half(28)), Int(head.half(30)), Int(head.half(32)))
      let rest = bytes(place + 46, nameSize + extraSize)
      guard rest.count == nameSize + extraSize else { return false }
      var member = Member(
        name: String(decoding: rest[..<nameSize], as: UTF8.self), method: head.half(10), isEncrypted: head.half(8) & 1 != 0,
        packedSize: UInt64(head.word(20)), header: UInt64(head.word(42)))
      Self.widen(&member, size: head.word(24), extra: Array(rest[nameSize...]))
      members.append(member)
      place += 46 + UInt64(nameSize + extraSize + commentSize)
    }
    if count > UInt64(Self.most) { flaw = "only the first \(Self.most) of its \(count) members were read" }
    return true
  }

  /// Reads the sizes of members that exceed 32 bits.
  private static func widen(_ member: inout Member, size: UInt32, extra: [UInt8]) {
    var place = 0
    while place + 4 <= extra.count {
      let (kind, length) = (extra.half(place), Int(extra.half(place + 2)))
      if kind == 1 {
        var field = place + 4
        if size == .max { field += 8 }
        if member.packedSize == 0xFFFF_FFFF, field + 8 <= extra.count {
          member.packedSize = extra.long(field)
          field += 8
        }
        if member.header == 0xFFFF_FFFF, field + 8 <= extra.count { member.header = extra.long(field) }
      }
      place += 4 + length
    }
  }

  /// Returns the member whose local header is at an offset, and the offset of its data; `nil` if there is none.
  func member(at offset: UInt64) -> (member: Member, data: UInt64)? {
    let head = bytes(offset, 30)
    guard head.count == 30, head.word(0) == 0x0403_4B50 else { return nil }
    let nameSize = Int(head.half(26))
    let name = bytes(offset + 30, nameSize)
    guard name.count == nameSize else { return nil }
    let hasLaterSize = head.half(6) & 8 != 0
    let member = Member(
      name: String(decoding: name, as: UTF8.self), method: head.half(8), isEncrypted: head.half(6) & 1 != 0,
      packedSize: hasLaterSize ? nil : UInt64(head.word(18)), header: offset)
    return (member, offset + 30 + UInt64(nameSize) + UInt64(head.half(28)))
  }

  /// Returns the offset of the next local header at or behind an offset, which lies behind a descriptor of at most 24 bytes.
  func nextHeader(from offset: UInt64) -> UInt64? {
    let found = bytes(offset, 28)
    guard found.count >= 4 else { return nil }
    return (0...found.count - 4).first { found.word($0) == 0x0403_4B50 }.map { offset + UInt64($0) }
  }
}

extension [UInt8] {
  fileprivate func half(_ place: Int) -> UInt16 {
    place >= 0 && place + 2 <= count ? UInt16(self[place]) | UInt16(self[place + 1]) << 8 : 0
  }

  fileprivate func word(_ place: Int) -> UInt32 { UInt32(half(place)) | UInt32(half(place + 2)) << 16 }
  fileprivate func long(_ place: Int) -> UInt64 { UInt64(word(place)) | UInt64(word(place + 4)) << 32 }
}
