import Foundation
import LogTestSupport
import Testing

/// Tests that every log in `Samples/Formats` is still read exactly as recorded in its transcript.
struct FormatTests {
  /// The revisions of the format, each with its samples.
  static let revisions = [
    "v1", "v1.1", "v1.1-vocabulary-2", "v1.1-vocabulary-3", "v1.2-vocabulary-4", "v1.2-vocabulary-5", "v1.3-vocabulary-5",
    "v1.4-vocabulary-5",
  ].map { "\(Sample.folder)/Formats/\($0)" }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".xlog") }.map { String($0.dropLast(5)) }.sorted()
  }
  static let logs = revisions.flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }

  /// Returns a transcript of commands with their output and exit codes.
  private static func transcript(of log: String) throws -> String {
    let url = URL(fileURLWithPath: log)
    let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
    let commands = [
      ["show", "-o", "ndjson", "\(name).xlog"], ["verify", "\(name).xlog"],
      ["show", "-o", "log-compact", "--recovery", "salvage", "\(name).xlog"],
    ]
    return try commands.map { command in
      let run = try ToolRun("xferlog", command, in: folder)
      return "$ xferlog \(command.joined(separator: " "))\n\(run.text)\(run.standardError)exit \(run.status)\n"
    }.joined(separator: "\n")
  }

  @Test(arguments: logs)
  func `A log of an older format is read as before`(_ log: String) throws {
    let file = "\(log).txt"
    let transcript = try Self.transcript(of: log)
    if testVariable("XFERLOG_WRITE_SAMPLES") != nil {
      try transcript.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let lines = transcript.split(separator: "\n", omittingEmptySubsequences: false)
    let difference = zip(expected, lines).first { $0 != $1 }
    #expect(difference == nil && expected.count == lines.count)
  }

  @Test(arguments: revisions)
  func `The format's README describes exactly the existing logs`(_ folder: String) throws {
    let text = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    let described = text.split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
    #expect(described.sorted() == Self.names(in: folder))
    #expect(described.count > 20)
  }
}
