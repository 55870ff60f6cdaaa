import ArgumentParser
import Foundation
import XferDiagnosis
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
    var stale = try bring(GeneratedFile.sources())
    // Events of an old shape cannot be read with the new one, so what is made of examples has to wait for them.
    if stale.isEmpty {
      stale = try bring(GeneratedFile.documents(root: root))
      stale += try removeStrays()
    } else if !check {
      print("The events are new. Build, and run this again for the documents.")
    }
    if check, !stale.isEmpty {
      let list = stale.map { "  \($0)" }.joined(separator: "\n")
      print("Not current:\n\(list)\nRun `swift run xferlog-dev generate` and commit what it writes.")
      throw ExitCode(1)
    }
  }

  /// Articles about rules that there are no more.
  ///
  /// - Returns: their paths.
  private func removeStrays() throws -> [String] {
    let present = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(GeneratedFile.ruleArticles)")) ?? []
    let known = Set(RuleCatalogue.descriptions.map { "\($0.id).md" })
    let strays = present.filter { !known.contains($0) }.sorted().map { "\(GeneratedFile.ruleArticles)/\($0)" }
    if !check {
      for path in strays {
        try FileManager.default.removeItem(atPath: "\(root)/\(path)")
        print("removed \(path)")
      }
    }
    return strays
  }

  /// - Returns: the paths of those that were not current.
  private func bring(_ files: [GeneratedFile]) throws -> [String] {
    var stale: [String] = []
    for file in files {
      let url = URL(fileURLWithPath: root).appendingPathComponent(file.path)
      let present = try? String(contentsOf: url, encoding: .utf8)
      if present == file.text { continue }
      stale.append(file.path)
      if !check {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.text.write(to: url, atomically: true, encoding: .utf8)
        print("wrote \(file.path)")
      }
    }
    return stale
  }
}

/// A file that follows from the code.
struct GeneratedFile {
  let path: String
  let text: String

  private static let catalogue = "Sources/xferlog/xferlog.docc"
  /// Of nothing else.
  static let ruleArticles = "\(catalogue)/Rules"

  static func sources() -> [GeneratedFile] { TypedEventSources.files() }

  /// - Parameter root: the checkout, for what follows from files that are no Swift.
  static func documents(root: String) throws -> [GeneratedFile] {
    [
      GeneratedFile(path: "\(catalogue)/Vocabulary.md", text: VocabularyDocument.markdown()),
      GeneratedFile(path: "\(catalogue)/Documents.md", text: DocumentReference.markdown()),
      GeneratedFile(path: "\(catalogue)/RuleReference.md", text: RuleReference.markdown()),
      GeneratedFile(path: "\(catalogue)/Lifecycles.md", text: LifecycleReference.markdown()),
      try IndexSources.file(root: root),
    ]
      + RuleCatalogue.descriptions.map {
        GeneratedFile(path: "\(ruleArticles)/\($0.id).md", text: RuleReference.markdown($0))
      }
  }
}
