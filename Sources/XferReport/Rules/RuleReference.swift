package import XferDiagnosis

/// The documentation articles about rules: a list, and an article for each rule.
package enum RuleReference {
  private static let mark = "<!-- Generated from the rules by `xferlog-dev generate`; changes made here are lost. -->"

  package static func markdown() -> String {
    let rules = RuleCatalogue.descriptions
    var text = """
      # Rule reference

      The \(rules.count) rules that `xferlog replay` and `xferlog tail` decide: what each says, what it rests on, and where it ends.

      \(mark)

      ## How to read it

      **Severity** says how bad it is when it is true: *critical*, something was lost or is wrong and nobody was told; *error*,
      something is stuck, was stopped or has crashed; *warning*, late, wasteful, or the log itself is damaged; *notice*, good
      to know.

      **Certainty** says how sure a finding is. *certain*: there is positive evidence. *probable*: something did not come in time
      that the log covers. *possible*: something is absent, and how far the log covers its time is unknown. What is less is no
      finding but *undecidable*, and the replay says what would have to be known. Gaps, damage and events that could not be
      written lower a finding that rests on an absence by one step each.

      **The fingerprint** of a finding is the same in every run, so that a baseline knows a problem again: it is made from the rule
      and its variant, the session's or program's name, the method and the host, in which numbers, UUIDs and what else looks made
      up anew count as one. The digit before the colon is the version of how it is made.

      **Examples** are logs in short, and they are the rule's tests: ● marks what the finding cites. Those under *Not reported*
      are near misses, on which the rule stays silent.

      | Rule | Severity | Summary |
      |---|---|---|

      """
    for rule in rules { text += "| <doc:\(rule.id)> | \(rule.severity.rawValue) | \(rule.summary.cell) |\n" }
    text += "\n## Topics\n\n### Rules\n\n"
    for rule in rules { text += "- <doc:\(rule.id)>\n" }
    return text
  }

  /// Returns the article about one rule. The article is named after the rule's identifier.
  package static func markdown(_ rule: RuleDescription) -> String {
    let page = RulePage(rule)
    var text = "# \(rule.id)\n\n\(rule.summary)\n\n\(mark)\n\n## Overview\n\n"
    for fact in page.facts {
      text += "- \(fact.name): \(fact.rules.isEmpty ? fact.text : fact.rules.map { "<doc:\($0)>" }.joined(separator: ", "))\n"
    }
    for section in page.sections {
      switch section.content {
      case .text(let body): text += "\n**\(section.title).** \(body)\n"
      case .list(let items):
        text += "\n## \(section.title)\n\n"
        for item in items { text += "- \(item.hasPrefix("https://") ? "<\(item)>" : item)\n" }
      case .examples(let examples):
        text += "\n## \(section.title)\n"
        for example in examples {
          text += "\n**\(example.name)**\(example.verdict.map { ": \($0)" } ?? "")\n\n```\n"
          for line in example.lines { text += line + "\n" }
          text += "```\n"
        }
      }
    }
    return text
  }
}

extension String {
  /// The text as a cell of a table.
  fileprivate var cell: String { replacing("|", with: "\\|") }
}
