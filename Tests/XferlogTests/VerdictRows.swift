import Foundation
import LogTestSupport
import Testing

/// The rows that `xferlog replay --paths-from` and `--stdin` print.
struct VerdictRows {
  let lines: [String]
  let rows: [[String: Any]]

  init(_ run: ToolRun) throws {
    lines = run.lines
    rows = try run.lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
  }

  func of(_ kind: String, in log: String? = nil) -> [[String: Any]] {
    rows.filter { $0["kind"] as? String == kind && (log == nil || $0["log"] as? String == log) }
  }

  /// The lines about logs, in a fixed order, without the last one.
  var verdicts: [String] { lines.dropLast().sorted() }

  var end: [String: Any] { rows.last ?? [:] }

  /// Checks that the last row states the number and the checksum of the others.
  func checkEnd(logs: Int, unreadable: Int) {
    #expect(end["kind"] as? String == "end" && of("end").count == 1)
    #expect(end["logs"] as? Int == logs && end["unreadable"] as? Int == unreadable)
    #expect(end["rows"] as? Int == rows.count - 1)
    let digits = String(Self.crc32c(lines.dropLast().map { $0 + "\n" }.joined().utf8), radix: 16)
    #expect(end["checksum"] as? String == String(repeating: "0", count: 8 - digits.count) + digits)
  }

  private static func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return ~sum
  }

  /// The paths of the sample logs.
  static var samples: [String] {
    get throws {
      let samples = ToolRun.checkout + "/Samples"
      return try FileManager.default.contentsOfDirectory(atPath: samples).sorted().map { "\(samples)/\($0)/log.xlog" }
        .filter(FileManager.default.fileExists)
    }
  }
}

/// The exported events of sample logs, each line with an app and a device, as a shipper sends them.
struct ShippedEvents {
  var lines: [String] = []

  /// - Parameter names: the sample logs.
  init(_ names: [String]? = nil) throws {
    for path in try VerdictRows.samples {
      let device = String(path.split(separator: "/").dropLast().last ?? "")
      if let names, !names.contains(device) { continue }
      lines += try Self.exported(path).map { Self.shipped($0, device: device) }
    }
  }

  static func exported(_ log: String) throws -> [String] {
    try ToolRun.xferlog("export", "--format", "ndjson", log).lines
  }

  static func shipped(_ line: String, device: String) -> String {
    line.replacing(
      "{\"schema\":\"xferlog.event/1\"", with: "{\"schema\":\"xferlog.event/1\",\"app\":\"maps\",\"device\":\"\(device)\"",
      maxReplacements: 1)
  }

  static func input(_ lines: some Sequence<String>) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

  func shuffled(seed: UInt64) -> [String] {
    var random = SeededRandom(seed: seed)
    return lines.shuffled(using: &random)
  }

  func of(_ device: String) -> [String] { lines.filter { $0.contains("\"device\":\"\(device)\"") } }
}
