import CZstd
import Foundation
import LogTestSupport

@testable import XferLogStore

// MARK: Outputs derived from a run's log
extension CanaryRun {
  /// Returns the log's files, including decompressed frames and decoded blocks, keyed by name.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for place in [log, directory.path("cache")] { files.merge(try Self.files(in: place)) { $1 } }
    return files
  }

  /// Returns the files of a log salvaged from this log.
  func salvaged() throws -> [String: [UInt8]] {
    let place = directory.path("salvaged.xlog")
    _ = try shown("salvage", log, "--output", place)
    return try Self.files(in: place)
  }

  static func files(in place: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    if let names = FileManager.default.enumerator(atPath: place) {
      for case let name as String in names {
        guard let bytes = FileManager.default.contents(atPath: "\(place)/\(name)").map(Array.init), !bytes.isEmpty else {
          continue
        }
        files[name] = bytes
        for (number, frame) in frames(of: bytes).enumerated() { files["\(name), frame \(number)"] = frame }
        for (number, block) in blocks(of: "\(place)/\(name)").enumerated() { files["\(name), block \(number)"] = block }
      }
    }
    return files
  }

  /// Returns every complete zstd frame in the bytes, decompressed.
  private static func frames(of bytes: [UInt8]) -> [[UInt8]] {
    bytes.withUnsafeBytes { bytes in
      bytes.indices.dropLast(4).compactMap { place -> [UInt8]? in
        guard bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian == 0xFD2F_B528 else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
        let (size, packed) = (
          ZSTD_getFrameContentSize(rest.baseAddress, rest.count), ZSTD_findFrameCompressedSize(rest.baseAddress, rest.count)
        )
        guard size > 0, size < 1 << 24, ZSTD_isError(packed) == 0 else { return nil }
        var frame = [UInt8](repeating: 0, count: Int(size))
        return ZSTD_decompress(&frame, frame.count, rest.baseAddress, packed) == Int(size) ? frame : nil
      }
    }
  }

  /// Returns the decoded blocks of a sealed segment. The frames alone have its texts in grouped columns.
  private static func blocks(of path: String) -> [[UInt8]] {
    guard let (segment, source) = try? SegmentReader.open(number: 1, path: path, name: path, index: 0) else { return [] }
    defer { withExtendedLifetime(source) {} }
    return (segment.sealed?.entries ?? []).compactMap { entry in
      guard let block = DecodedBlock(entry.block, at: entry.offset, in: segment.file) else { return nil }
      return withExtendedLifetime(block) { Array(block.bytes) }
    }
  }

  /// Returns the log's events in all output formats, keyed by command.
  func eventDocuments() throws -> [String: [UInt8]] {
    var commands = ["short", "verbose", "json", "ndjson", "log", "log-compact"].map { ["show", log, "-o", $0] }
    commands += [["show", log, "--color", "always"], ["tail", "--findings", log, "-n", "all"]]
    let exports = [
      "ndjson", "apple-ndjson", "csv", "otlp-logs", "otlp-spans", "har", "chrome", "perfetto", "qlog", "xes", "lnav",
    ]
    commands += exports.map { ["export", "--format", $0, log] }
    return try shown(commands)
  }

  /// Returns the output of all analysing commands, keyed by command.
  func figures() throws -> [String: [UInt8]] {
    var commands = ["text", "json"].map { ["replay", log, "-o", $0] }
    commands += ["text", "json"].map { ["replay", log, "--at", "tomorrow", "-o", $0] }
    commands.append(["replay", log, "--step", "--keys", String(repeating: "n", count: 200)])
    commands += ["text", "json", "csv"].map { ["stats", log, "-o", $0] }
    commands += ["text", "json"].flatMap { [["verify", log, "-o", $0], ["stats", "--storage", log, "-o", $0]] }
    let tables = try shown("sql", log, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')", "-o", "csv")
    for table in String(decoding: tables, as: UTF8.self).split(separator: "\n").dropFirst() {
      for form in ["text", "json"] { commands.append(["sql", log, "SELECT * FROM \"\(table)\"", "-o", form]) }
    }
    return try shown(commands)
  }

  private func shown(_ commands: [[String]]) throws -> [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: try commands.map { ($0.joined(separator: " "), try shown($0)) })
  }

  func shown(_ arguments: String...) throws -> [UInt8] { try shown(arguments) }

  private func shown(_ arguments: [String]) throws -> [UInt8] {
    let run = try ToolRun("xferlog", arguments, environment: environment)
    // Exit code 1 means that findings were reported, which is irrelevant here.
    if run.status > 1 { throw Failure(said: "\(arguments): \(run.status) \(run.standardError)") }
    return run.standardOutput + Array(run.standardError.utf8)
  }

  func index() throws { _ = try shown("index", "--seal", log) }
}
