import Foundation
import LogTestSupport
import Testing

/// Tests that every log in `Samples/Formats` is still read exactly as recorded in its transcript.
struct FormatTests {
  private static let folder = "\(Sample.folder)/Formats/v1"

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".xlog") }.map { String($0.dropLast(5)) }.sorted()

  /// Returns a transcript of commands with their output and exit codes.
  private static func transcript(of name: String) throws -> String {
    let commands = [
      ["show", "-o", "ndjson", "\(name).xlog"], ["verify", "\(name).xlog"],
      ["show", "-o", "log-compact", "--recovery", "salvage", "\(name).xlog"],
    ]
    return try commands.map { command in
      let run = try ToolRun("xferlog", command, in: folder)
      return "$ xferlog \(command.joined(separator: " "))\n\(run.text)\(run.standardError)exit \(run.status)\n"
    }.joined(separator: "\n")
  }

  @Test(arguments: names)
  func `A log of an older format is read as before`(_ name: String) throws {
    let file = "\(Self.folder)/\(name).txt"
    let transcript = try Self.transcript(of: name)
    if ProcessInfo.processInfo.environment["XFERLOG_WRITE_SAMPLES"] != nil {
      try transcript.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let lines = transcript.split(separator: "\n", omittingEmptySubsequences: false)
    let difference = zip(expected, lines).first { $0 != $1 }
    #expect(difference == nil && expected.count == lines.count)
  }

  @Test
  func `The format's README describes exactly the existing logs`() throws {
    let text = try String(contentsOfFile: "\(Self.folder)/README.md", encoding: .utf8)
    let described = text.split(separator: "\n").compactMap { line in
      line.hasPrefix("| `") ? String(line.dropFirst(3).prefix { $0 != "`" }) : nil
    }
    #expect(described.sorted() == Self.names)
    #expect(Self.names.count > 20)
  }
}
