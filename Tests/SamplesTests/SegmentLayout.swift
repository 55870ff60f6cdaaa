/// The parts of a segment file that tests damage; see the article "The log format".
enum SegmentLayout {
  static let (headerSize, chunkSize, framing) = (4096, 32_768, 64)

  /// Returns the byte ranges of the chunks that have a header.
  static func usedChunks(of segment: [UInt8]) -> [Range<Int>] {
    stride(from: headerSize, to: segment.count - chunkSize + 1, by: chunkSize).map { $0..<$0 + chunkSize }
      .filter { segment[$0.lowerBound..<$0.lowerBound + 4].elementsEqual("XCHK".utf8) }
  }

  /// Returns the launch that names the segment's writer.
  static func launch(of segment: [UInt8]) -> [UInt8] { Array(segment[56..<72]) }

  /// Whether the writer closed the segment.
  static func isClosed(_ segment: [UInt8]) -> Bool { segment[2052] == 1 }
}
