import Foundation
import LogTestSupport

/// The segment files of a log.
struct LogFiles: Sendable {
  var segments: [String: [UInt8]]

  init(_ path: String) throws {
    segments = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".seg") {
      segments[name] = Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
  }

  /// Returns the file name of the segment with this number.
  static func name(of number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".seg"
  }

  func write(to path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, bytes) in segments { try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
  }
}

/// A way in which the files of a log are damaged.
enum FileDamage: CaseIterable {
  case flippedBit, cut, zeroedChunk, erasedTail, erasedTailWithMark, removedSegment, removedWriter, addedCopy, mixedLogs

  /// Whether the damaged log may contain events that the original does not.
  var addsEvents: Bool { self == .mixedLogs }

  private static let (headerSize, chunkSize) = (4096, 32_768)

  /// Returns a damaged copy of a log; `nil` if the log cannot be damaged in this way.
  func applied(to log: LogFiles, other: LogFiles, _ random: inout SeededRandom) -> LogFiles? {
    var files = log
    guard let name = log.segments.keys.sorted().randomElement(using: &random), var bytes = log.segments[name] else { return nil }
    switch self {
    case .flippedBit:
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .cut: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
    case .zeroedChunk:
      guard let chunk = Self.usedChunks(bytes).randomElement(using: &random) else { return nil }
      for place in chunk { bytes[place] = 0 }
    case .erasedTail, .erasedTailWithMark:
      guard let chunk = Self.usedChunks(bytes).randomElement(using: &random) else { return nil }
      let records = chunk.lowerBound + 64..<chunk.upperBound - 64
      guard let last = records.last(where: { bytes[$0] != 0 }), last > records.lowerBound + 64 else { return nil }
      let start = Int.random(in: records.lowerBound..<last, using: &random) & ~3
      for place in start..<(self == .erasedTail ? last + 1 : chunk.upperBound) { bytes[place] = 0 }
    case .removedSegment:
      guard log.segments.count > 1 else { return nil }
      files.segments[name] = nil
      return files
    case .removedWriter:
      let launch = Self.launch(bytes)
      files.segments = files.segments.filter { Self.launch($0.value) != launch }
      return files.segments.isEmpty ? nil : files
    case .addedCopy:
      files.segments[LogFiles.name(of: log.segments.count + 1)] = bytes
      return files
    case .mixedLogs:
      for (place, segment) in other.segments.keys.sorted().enumerated() {
        files.segments[LogFiles.name(of: log.segments.count + 1 + place)] = other.segments[segment]
      }
      return files
    }
    files.segments[name] = bytes
    return files
  }

  private static func launch(_ segment: [UInt8]) -> ArraySlice<UInt8> { segment[56..<72] }

  /// Returns the byte ranges of the chunks that have a header.
  static func usedChunks(_ segment: [UInt8]) -> [Range<Int>] {
    stride(from: headerSize, to: segment.count - chunkSize + 1, by: chunkSize).map { $0..<$0 + chunkSize }
      .filter { segment[$0.lowerBound..<$0.lowerBound + 4].elementsEqual("XCHK".utf8) }
  }
}
