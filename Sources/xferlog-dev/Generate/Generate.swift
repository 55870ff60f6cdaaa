import ArgumentParser
import Foundation
import XferReport

/// Writes everything that follows from the vocabulary and the rules, or says what is not current.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the generated sources and documents; with --check only compare.")

  @Flag(help: "Write nothing; fail when a generated file is not current.")
  var check = false

  @Option(help: "The checkout to write into.")
  var root = "."

  func run() throws {
    var stale: [String] = []
    // The documents hold examples of events: where the typed events are not current, those are written before it shows.
    for file in TypedEventSources.files() { try take(file, &stale) }
    for file in try GeneratedFile.documents(root: root) { try take(file, &stale) }
    if !stale.isEmpty {
      let list = stale.map { "  \($0)" }.joined(separator: "\n")
      print("Not current:\n\(list)\nRun `swift run xferlog-dev generate` and commit what it writes.")
      throw ExitCode(1)
    }
  }

  private func take(_ file: GeneratedFile, _ stale: inout [String]) throws {
    let url = URL(fileURLWithPath: root).appendingPathComponent(file.path)
    let present = try? String(contentsOf: url, encoding: .utf8)
    if present == file.text { return }
    if check {
      stale.append(file.path)
    } else {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try file.text.write(to: url, atomically: true, encoding: .utf8)
      print("wrote \(file.path)")
    }
  }
}

/// A file that follows from the code.
struct GeneratedFile {
  let path: String
  let text: String

  /// - Parameter root: the checkout, for what follows from files that are no Swift.
  static func documents(root: String) throws -> [GeneratedFile] {
    try [
      GeneratedFile(path: "Sources/xferlog/xferlog.docc/Vocabulary.md", text: VocabularyDocument.markdown()),
      GeneratedFile(path: "Sources/xferlog/xferlog.docc/RuleReference.md", text: RuleReference.markdown()),
      IndexSources.file(root: root),
    ]
  }
}
