import Foundation
import LogTestSupport

/// The segment files of a log, by file name.
struct LogFiles: Sendable, Equatable {
  var segments: [String: [UInt8]]

  init(_ path: String) throws {
    segments = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".seg") {
      segments[name] = Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
  }

  /// The names of the segments, in the order of their numbers.
  var names: [String] { segments.keys.sorted() }

  /// Returns the file name of the segment with this number.
  static func name(of number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".seg"
  }

  static func number(of name: String) -> Int { Int(name.prefix { $0 != "." }) ?? 0 }

  func write(to path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, bytes) in segments { try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
  }

  /// Adds a segment file with the next number that neither these files nor the undamaged log have.
  mutating func add(_ bytes: [UInt8], after whole: LogFiles) {
    let last = (segments.keys.map(Self.number) + whole.segments.keys.map(Self.number)).max() ?? 0
    segments[Self.name(of: last + 1)] = bytes
  }
}

/// The parts of a segment file that damage is aimed at. The offsets follow the article "The log format".
struct SegmentParts {
  static let (headerSize, chunkSize, framing) = (SegmentDraft.headerSize, SegmentDraft.chunkSize, SegmentDraft.chunkHeaderSize)

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of the segment, as stored in the header; `nil` if the file ends before it.
  var number: Int? { bytes.count < 36 ? nil : number(at: 32) }

  /// The launch that names the writer, as stored in the header.
  var launch: ArraySlice<UInt8> { bytes[56..<72] }

  /// Whether the segment consists of compressed blocks.
  var isSealed: Bool { bytes[20] & 1 != 0 }

  /// The byte ranges of the chunks that have a header.
  var chunks: [Range<Int>] {
    stride(from: Self.headerSize, to: bytes.count - Self.chunkSize + 1, by: Self.chunkSize)
      .map { $0..<$0 + Self.chunkSize }
      .filter { bytes[$0.lowerBound..<$0.lowerBound + 4].elementsEqual("XCHK".utf8) }
  }

  /// The byte ranges of the records of all lanes and definitions.
  var records: [Range<Int>] {
    var records: [Range<Int>] = []
    for chunk in chunks where [1, 2].contains(bytes[chunk.lowerBound + 4]) {
      var start = chunk.lowerBound + Self.framing
      while start + 16 <= chunk.upperBound - Self.framing {
        let length = (number(at: start) & 0xFFFF) * 4
        if length < 16 || start + length > chunk.upperBound { break }
        records.append(start..<start + length)
        start += length
      }
    }
    return records
  }

  /// The byte ranges of a sealed segment's blocks, with their headers.
  var blocks: [Range<Int>] {
    var blocks: [Range<Int>] = []
    var start = Self.headerSize
    while start < index.lowerBound {
      let end = (start + SealedDraft.blockHeaderSize + number(at: start + 68) + 7) & ~7
      blocks.append(start..<end)
      start = end
    }
    return blocks
  }

  /// The byte range of a sealed segment's index.
  var index: Range<Int> { number(at: trailer.lowerBound + 8)..<trailer.lowerBound }

  var trailer: Range<Int> { bytes.count - SealedDraft.trailerSize..<bytes.count }

  private func number(at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
