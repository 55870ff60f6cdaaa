import ArgumentParser
import Foundation
import XferDiagnosis
import XferReport

/// Writes all files that are generated from the vocabulary and the rules, or reports those that are not current.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the generated sources and documents, or check that they are current (--check).")

  @Flag(help: "Write nothing, and fail if a generated file is not current.")
  var check = false

  @Option(help: "The root of the checkout.")
  var root = "."

  func run() throws {
    let problems = EventTableSources.problems()
    if !problems.isEmpty { throw ValidationError("The vocabulary is not complete:\n" + problems.joined(separator: "\n")) }
    var stale = try update(GeneratedFile.sources())
    // The documents are made by running the examples of rules, which needs a build with the new events.
    if stale.isEmpty {
      stale = try update(GeneratedFile.documents(root: root))
      stale += try removeStrays()
    } else if !check {
      print("The sources of events have changed. Build, and run this again to write the documents.")
    }
    if check, !stale.isEmpty {
      let list = stale.map { "  \($0)" }.joined(separator: "\n")
      print("Not current:\n\(list)\nRun `swift run xferlog-dev generate` and commit what it writes.")
      throw ExitCode(1)
    }
  }

  /// Removes the articles about rules that no longer exist, unless files are only checked.
  ///
  /// - Returns: the paths of these articles.
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

  /// Writes the files that are not current, unless files are only checked.
  ///
  /// - Returns: the paths of the files that were not current.
  private func update(_ files: [GeneratedFile]) throws -> [String] {
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

/// A generated file.
struct GeneratedFile {
  let path: String
  let text: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  private static let catalogue = "Sources/xferlog/xferlog.docc"
  /// The folder of the articles about rules. It contains no other files.
  static let ruleArticles = "\(catalogue)/Rules"

  static func sources() -> [GeneratedFile] {
    TypedEventSources.files() + EventTableSources.files() + [EventSampleSources.file(), ExampleSources.file()]
  }

  /// Creates a Swift source of XferEvents that is generated from the vocabulary.
  init(eventSource name: String, _ body: String) {
    self.init(
      path: "Sources/XferEvents/Generated/\(name)+Generated.swift",
      text:
        "// swift-format-ignore-file\n// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.\n\n\(body)"
    )
  }

  /// - Parameter root: the root of the checkout, for files that are generated from other files than Swift sources
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
