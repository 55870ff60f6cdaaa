import LogTestSupport
import Testing

@testable import XferLogStore

// Helpers for segments with valid checksums that no writer of this version produces.

/// Replaces a value in the header and recomputes the checksum.
func forge<Value: FixedWidthInteger>(_ value: Value, at offset: Int, in bytes: inout [UInt8]) {
  withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
  let checksum = bytes[..<1020].withUnsafeBytes { Checksum.crc32c($0) }
  withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(1020..<1024, with: $0) }
}

/// Replaces a text in a definition with another one of the same length, and recomputes the record's checksum.
func redefine(_ old: String, as new: String, in bytes: inout [UInt8]) throws {
  precondition(old.utf8.count == new.utf8.count)
  var draft = SegmentDraft(bytes)
  for chunk in draft.chunks.indices where draft.chunks[chunk].isDictionary {
    for record in draft.chunks[chunk].records.indices {
      let payload = draft.chunks[chunk].records[record].payload
      let places = payload.indices.filter { payload[$0...].starts(with: old.utf8) }
      if places.isEmpty { continue }
      for place in places {
        draft.chunks[chunk].records[record].payload.replaceSubrange(place..<place + old.utf8.count, with: new.utf8)
      }
      bytes = draft.bytes()
      return
    }
  }
  Issue.record("\(old) is not defined")
}
