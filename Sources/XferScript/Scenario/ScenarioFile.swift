import XferYAML

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A scenario file: a scenario and its twin, which differs in one line.
package struct ScenarioFile: Sendable {
  package var scenario: Scenario
  /// The same scenario with one line replaced and an expectation of its own. `nil` if the file describes none.
  package var twin: Scenario?

  package init(contentsOf path: String) throws(ScriptError) { try self.init(yaml: ScriptNode.text(of: path), file: path) }

  /// Reads a scenario and its twin from their text. Errors name `file` as the source.
  package init(yaml: String, file: String = "scenario") throws(ScriptError) {
    let root = try ScriptNode(yaml: yaml, file: file)
    scenario = try Scenario(root)
    twin = try Twin(root)?.scenario(yaml, file)
  }
}

/// The section that describes the twin of a scenario.
private struct Twin {
  let title: String
  let replaced: String
  let replacement: String
  let expectation: Scenario.Expectation
  /// The node of the replaced text, for the place of errors.
  let node: ScriptNode
  /// The lines of the section, counted from 1.
  let lines: Range<Int>

  init?(_ root: ScriptNode) throws(ScriptError) {
    guard case .mapping(let pairs) = root.node.content, let index = pairs.firstIndex(where: { $0.key.scalar == "twin" }) else {
      return nil
    }
    let fields = try ScriptNode(node: pairs[index].value, key: "twin").fields(["scenario", "replace", "with", "expect"])
    title = try fields.required("scenario", "Describe the twin in one line: `scenario: …`.").text()
    node = try fields.required("replace", "Write the text of the line that the twin replaces.")
    replaced = try Self.line(node)
    guard !replaced.isEmpty else { throw node.failure("the replaced text is empty", "Write a part of one line of the file.") }
    replacement = try Self.line(try fields.required("with", "Write the text that replaces it."))
    expectation =
      try fields["expect"].map { node throws(ScriptError) in try Scenario.Expectation(node) } ?? Scenario.Expectation()
    let first = pairs[index].key.place.line
    lines = first..<max(first + 1, pairs.map(\.key.place.line).filter { $0 > first }.min() ?? .max)
  }

  private static func line(_ node: ScriptNode) throws(ScriptError) -> String {
    let text = try node.text()
    guard !text.contains("\n") else { throw node.failure("the text has several lines", "Write a part of one line of the file.") }
    return text
  }

  /// Returns the twin of the scenario in `yaml`.
  func scenario(_ yaml: String, _ file: String) throws(ScriptError) -> Scenario {
    var text = yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let found = text.indices.filter { !lines.contains($0 + 1) && text[$0].contains(replaced) }
    guard let place = found.first, found.count == 1 else {
      let which = found.isEmpty ? "no line" : "the lines \(found.map { "\($0 + 1)" }.joined(separator: ", "))"
      throw node.failure(
        "the text is in \(which) of the scenario", "Write text that is in exactly one line outside of `twin`.")
    }
    let parts = text[place].components(separatedBy: replaced)
    guard parts.count == 2 else {
      throw node.failure("the text is in line \(place + 1) \(parts.count - 1) times", "Write more of the line.")
    }
    text[place] = parts.joined(separator: replacement)
    guard parts.joined(separator: replacement) != parts.joined(separator: replaced) else {
      throw node.failure("the twin does not differ", "Write another text in `with`.")
    }
    var twin = try Scenario(ScriptNode(yaml: text.joined(separator: "\n"), file: file))
    (twin.title, twin.expectation) = (title, expectation)
    return twin
  }
}
