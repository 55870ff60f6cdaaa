import Testing

@testable import XferLogStore

// Segments that no writer of this version makes, with right checksums.

/// Puts a value into the header and makes the checksum right again.
func forge<Value: FixedWidthInteger>(_ value: Value, at offset: Int, in bytes: inout [UInt8]) {
  withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
  let checksum = bytes[..<1020].withUnsafeBytes { Checksum.crc32c($0) }
  withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(1020..<1024, with: $0) }
}

/// Puts text in the place of as much text in a definition, and makes the record's checksum right again.
func redefine(_ old: String, as new: String, in bytes: inout [UInt8]) throws {
  precondition(old.utf8.count == new.utf8.count)
  let nonce = try bytes.withUnsafeBytes { try SegmentHeader.decode($0).get() }.nonce
  for chunk in 0..<(bytes.count - SegmentFormat.headerSize) / SegmentFormat.chunkSize {
    let start = SegmentFormat.chunkOffset(chunk)
    let reading = bytes.withUnsafeBytes { ChunkHeader.read($0.baseAddress! + start, index: UInt32(chunk), nonce: nonce) }
    guard case .header(let header) = reading, header.kind == .dictionary else { continue }
    var offset = start + ChunkHeader.size
    while bytes[offset] != 0 || bytes[offset + 1] != 0 {
      let length = (Int(bytes[offset]) | Int(bytes[offset + 1]) << 8) * 4
      guard length < SegmentFormat.chunkSize else { break }
      let record = offset..<offset + length
      let places = record.filter { bytes[$0...].starts(with: old.utf8) }
      if !places.isEmpty {
        for place in places { bytes.replaceSubrange(place..<place + old.utf8.count, with: new.utf8) }
        let word = bytes[offset..<offset + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let checksum = bytes[(offset + 8)..<offset + length].withUnsafeBytes {
          Checksum.crc32c($0, seed: word ^ header.recordSeed)
        }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(offset + 4..<offset + 8, with: $0) }
        return
      }
      offset += length
    }
  }
  Issue.record("\(old) is not defined")
}
