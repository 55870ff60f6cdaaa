import XferEvents

/// The decompressed parts of a sealed segment, for a search through all of its bytes.
package enum SealedContents {
  /// Whether a file is a sealed segment.
  package static func isSealed(_ path: String) -> Bool {
    SegmentSummary(path: path)?.header.incompatible.contains(.compressed) ?? false
  }

  /// Calls a closure with the header, the decoded bytes of each block, and the index, and with a name for them, such as `block 3`. The
  /// bytes of an unsealed segment are one part.
  ///
  /// - Returns: Whether all parts could be decoded. `false` also for a file that is not a segment.
  package static func each(of path: String, _ body: (_ name: String, UnsafeRawBufferPointer) throws -> Void) rethrows -> Bool {
    let name = path.fileName ?? path
    guard let file = try? SegmentBytes(path: path).loaded(),
      let (segment, source) = try? SegmentReader.open(file, number: 1, path: path, name: name, index: 0)
    else { return false }
    defer { withExtendedLifetime(source) {} }
    guard let sealed = segment.sealed else {
      try body("its bytes", segment.file.memory)
      return true
    }
    let head = segment.file.window(0..<SegmentFormat.headerSize)
    try withExtendedLifetime(head) { try body("its header", head.bytes) }
    var isWhole = true
    for (place, entry) in sealed.entries.enumerated() {
      guard let block = DecodedBlock(entry.block, at: entry.offset, in: segment.file) else {
        isWhole = false
        continue
      }
      try withExtendedLifetime(block) { try body("block \(place + 1)", block.bytes) }
    }
    if let index = SealedBlocks.decodedIndex(of: segment.file) { try index.withUnsafeBytes { try body("its index", $0) } }
    return isWhole
  }
}
