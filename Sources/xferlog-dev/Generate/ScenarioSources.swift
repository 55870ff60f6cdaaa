import Foundation
import XferDiagnosis
import XferScript

/// The Swift source that lists the scenarios of the rules.
enum ScenarioSources {
  /// - Parameter root: the root of the checkout, which contains the scenarios.
  static func file(root: String) throws -> GeneratedFile {
    let directory = "\(root)/\(RuleScenario.directory)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    var lines: [String] = []
    for name in names.sorted() where name.hasSuffix(".yaml") {
      let rule = String(name.dropLast(".yaml".count))
      lines.append("    \(literal(rule)): \(try initializer(ScenarioFile(contentsOf: "\(directory)/\(name)"), of: rule)),\n")
    }
    return GeneratedFile(
      path: "Sources/XferDiagnosis/Generated/RuleScenarios+Generated.swift",
      text: """
        // swift-format-ignore-file
        // Generated from \(RuleScenario.directory) by `xferlog-dev generate`; changes made here are lost.

        extension RuleScenario {
          /// The scenarios by the identifiers of their rules.
          static let ofRules: [String: RuleScenario] = [
        \(lines.isEmpty ? "    :\n" : lines.joined())  ]
        }

        """)
  }

  private static func initializer(_ file: ScenarioFile, of rule: String) throws -> String {
    let scenario = file.scenario
    guard let twin = file.twin else { throw Incomplete(rule: rule, missing: "`twin`") }
    guard let certainty = scenario.expectation.certainties[rule]?.first.flatMap(Certainty.init(rawValue:)) else {
      throw Incomplete(rule: rule, missing: "`certainty: { \(rule): … }` in `expect`")
    }
    return "RuleScenario(title: \(literal(scenario.title)), twin: \(literal(twin.title)), certainty: .\(certainty))"
  }

  private static func literal(_ text: String) -> String { text.debugDescription }

  /// A scenario of a rule without one of the parts that the rule reference needs.
  private struct Incomplete: Error, CustomStringConvertible {
    let rule: String
    let missing: String
    var description: String { "\(RuleScenario.path(of: rule)): the scenario has no \(missing)" }
  }
}
