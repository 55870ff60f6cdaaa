import Foundation
import LogTestSupport
import Testing

/// The recorded output of a command, in a file below `Tests/Snapshots`. With `XFERLOG_RECORD_SNAPSHOTS=1`, the files are written anew.
enum Snapshot {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Snapshots")

  static func expect(_ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = directory.appendingPathComponent(name + ".txt")
    if testVariable("XFERLOG_RECORD_SNAPSHOTS") != nil {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    guard text != expected else { return }
    let lines = (
      text.split(separator: "\n", omittingEmptySubsequences: false),
      expected.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let place = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.0.count, lines.1.count)
    let (now, then) = (lines.0.dropFirst(place).first ?? "(end)", lines.1.dropFirst(place).first ?? "(end)")
    Issue.record("\(name), line \(place + 1): is  \(now)\nand was \(then)", sourceLocation: sourceLocation)
  }
}
