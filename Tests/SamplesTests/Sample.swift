import Foundation
import LogTestSupport
import Testing

/// A folder with a recorded log and the expected replay results.
struct Sample: Sendable, CustomTestStringConvertible {
  let name: String

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  static let folder = "\(root)/Samples"

  static let all: [Sample] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map(Sample.init).filter { FileManager.default.fileExists(atPath: $0.path("expected.yaml")) }
  }()

  func path(_ file: String) -> String { "\(Self.folder)/\(name)/\(file)" }

  var log: String { path("log.xlog") }
  var testDescription: String { name }

  /// Returns the contents of the log's segments.
  func segments() throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: log).filter { $0.hasSuffix(".seg") }.sorted().map {
      try Data(contentsOf: URL(fileURLWithPath: "\(log)/\($0)"))
    }
  }

  /// Returns the names of all samples that the recorder knows, including near misses.
  static func recordable() throws -> [String] {
    try ToolRun("sample-recorder", ["list"]).lines.map { String($0.prefix { $0 != " " }) }
  }

  /// Records the named samples into a directory, each as NAME/log.xlog.
  static func record(_ names: [String], to directory: TemporaryDirectory) throws -> ToolRun {
    try ToolRun("sample-recorder", ["record"] + names + ["--to", directory.path])
  }
}
