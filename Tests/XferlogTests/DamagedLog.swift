import Foundation
import LogTestSupport
import Testing

/// Damaged copies of the sample log.
enum DamagedLog {
  /// Returns a log with one flipped bit in its sixth record.
  static func flipped(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog.sample(in: directory, name: "flipped.xlog")
    try change("\(log)/000001.seg") { bytes in
      let place = try #require(bytes.range(of: Data("/files/o/31337".utf8)))
      bytes[place.lowerBound] ^= 1
    }
    return log
  }

  /// Returns a log whose segment header and its copy in the dictionary are destroyed.
  static func beheaded(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog.sample(in: directory, name: "beheaded.xlog")
    try change("\(log)/000001.seg") { bytes in
      for place in 0..<64 { bytes[place] = 0x7E }
      for chunk in stride(from: 4096, to: bytes.count, by: 32_768) where bytes[chunk + 4] == 2 { bytes[chunk + 100] ^= 1 }
    }
    return log
  }

  private static func change(_ path: String, _ change: (inout Data) throws -> Void) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
