import Foundation
import LogTestSupport
import Testing

/// Tests that `verify`, `replay` and `--recovery strict` each detect every kind of loss in the files of a log that real processes wrote.
@Suite(.timeLimit(.minutes(10))) struct DetectedLossTests {
  enum Loss: String, CaseIterable, Sendable {
    case zeroedChunk, truncatedAfterClosing, removedSegment, erasedTail, removedWriter

    /// Returns every way in which the files can suffer the loss, with a description.
    func copies(of log: LogFiles) -> [(what: String, files: LogFiles)] {
      let names = log.segments.keys.sorted()
      switch self {
      case .zeroedChunk:
        return names.flatMap { name in
          SegmentParts(log.segments[name]!).chunks.map { chunk in
            ("\(name), byte \(chunk.lowerBound)", Self.zeroing(chunk, of: name, in: log))
          }
        }
      case .truncatedAfterClosing:
        return names.filter { Self.isClosed(log.segments[$0]!) }.map { name in
          var files = log
          files.segments[name]!.removeLast(log.segments[name]!.count / 3)
          return (name, files)
        }
      case .removedSegment:
        // Nothing shows that there was a segment after the last one.
        return names.dropLast().map { name in
          var files = log
          files.segments[name] = nil
          return (name, files)
        }
      case .erasedTail:
        return names.filter { Self.isClosed(log.segments[$0]!) }.flatMap { name -> [(what: String, files: LogFiles)] in
          let bytes = log.segments[name]!
          return SegmentParts(bytes).chunks.compactMap { chunk -> (what: String, files: LogFiles)? in
            // A lost definition that no event uses loses nothing.
            guard bytes[chunk.lowerBound + 4] == Self.recordsChunk else { return nil }
            let records = chunk.lowerBound + SegmentParts.framing..<chunk.upperBound - SegmentParts.framing
            guard let last = records.last(where: { bytes[$0] != 0 }), last > records.lowerBound + 64 else { return nil }
            return ("\(name), byte \(last)", Self.zeroing((last - 24) & ~3..<last + 1, of: name, in: log))
          }
        }
      case .removedWriter:
        let launches = Set(log.segments.values.map { Array(SegmentParts($0).launch) })
        return launches.map { launch in
          var files = log
          files.segments = log.segments.filter { !SegmentParts($0.value).launch.elementsEqual(launch) }
          return (log.segments.keys.filter { files.segments[$0] == nil }.sorted().joined(separator: ", "), files)
        }
      }
    }

    /// The kind of a chunk with the records of a lane, as stored in its header.
    private static let recordsChunk: UInt8 = 1

    /// Whether the writer of a segment closed it.
    private static func isClosed(_ segment: [UInt8]) -> Bool { segment[2052] == 1 }

    private static func zeroing(_ bytes: Range<Int>, of name: String, in log: LogFiles) -> LogFiles {
      var files = log
      for place in bytes { files.segments[name]![place] = 0 }
      return files
    }
  }

  /// The log of an app with several lives and of its daemon.
  private static func record(in directory: TemporaryDirectory) throws -> LogFiles {
    let scenario = "\(Sample.root)/Samples/Kettle/Scenarios/04-fresh-identifier.yaml"
    _ = try ToolRun("xfer", ["scenario", "run", "--keep", directory.path("kept"), scenario])
    return try LogFiles(directory.path("kept/log.xlog"))
  }

  @Test func `Every command detects a zeroed chunk, a truncated file, an erased tail, and a removed segment or writer`() throws {
    let directory = TemporaryDirectory()
    let log = try Self.record(in: directory)
    let writers = Set(log.segments.values.map { Array(SegmentParts($0).launch) })
    try #require(writers.count > 2, "an app with several lives, and a daemon")
    #expect(try Self.judge(log, in: directory).isEmpty, "the undamaged log")
    for loss in Loss.allCases {
      let copies = loss.copies(of: log)
      try #require(!copies.isEmpty, "\(loss)")
      for (what, files) in copies where !files.segments.isEmpty {
        #expect(try Self.judge(files, in: directory) == ["verify", "replay", "strict"], "\(loss): \(what)")
      }
    }
  }

  /// Returns the commands that find a log incomplete.
  private static func judge(_ files: LogFiles, in directory: TemporaryDirectory) throws -> [String] {
    let path = directory.path("judged.xlog")
    try files.write(to: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var found: [String] = []
    if try ToolRun("xferlog", ["verify", path]).status != 0 { found.append("verify") }
    if try !Replayed(log: path).complete { found.append("replay") }
    if try ToolRun("xferlog", ["replay", "--recovery", "strict", path]).status == 4 { found.append("strict") }
    return found
  }
}
