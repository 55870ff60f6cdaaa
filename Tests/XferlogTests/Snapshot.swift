import Foundation
import LogTestSupport
import Testing

/// The stored output of commands, in files below `Snapshots`. After an intended change, replace them with
/// `XFERLOG_WRITE_SNAPSHOTS=1`, and review their diff.
enum Snapshot {
  static let folder = ToolRun.checkout + "/Tests/XferlogTests/Snapshots"

  /// Compares a text with the stored one, or replaces the stored one.
  static func expect(_ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(fileURLWithPath: "\(folder)/\(name).txt")
    if testVariable("XFERLOG_WRITE_SNAPSHOTS") != nil {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    guard text != expected else { return }
    let lines = (
      text.split(separator: "\n", omittingEmptySubsequences: false),
      expected.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let place = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.0.count, lines.1.count)
    let (now, stored) = (lines.0.dropFirst(place).first ?? "(end)", lines.1.dropFirst(place).first ?? "(end)")
    Issue.record(
      "\(name).txt, line \(place + 1): stored '\(stored)', now '\(now)'. To accept: XFERLOG_WRITE_SNAPSHOTS=1",
      sourceLocation: sourceLocation)
  }
}
