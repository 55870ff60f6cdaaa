package import XferDiagnosis

/// The documentation articles about rules: an overview, and one article for each rule.
package enum RuleReference {
  private static let mark = "<!-- Generated from the rules by `xferlog-dev generate`; changes made here are lost. -->"

  package static func markdown() -> String {
    let rules = RuleCatalogue.descriptions
    let live = rules.count { $0.scenario != nil }
    var text = """
      # Rule reference

      The \(rules.count) rules that `xferlog replay` and `xferlog tail` evaluate.

      \(mark)

      ## How to read it

      **Severity** is the impact of the problem. *critical*: something was lost or is wrong, and nobody was notified. *error*:
      something is stuck, was stopped or crashed. *warning*: something is late or wasteful, or the log itself is damaged.
      *notice*: informational.

      **Certainty** is the strength of the evidence. *certain*: events of the log prove the problem. *probable*: an expected event
      is missing, and the log covers the time in which it was due. *possible*: an expected event is missing, and the log may not
      cover that time completely. With less evidence there is no finding: the rule is *undecidable*, and the replay lists what it
      would need to know. Gaps, damage and events that could not be written each lower the certainty of a finding that relies on
      a missing event by one step.

      **The fingerprint** of a finding is the same in every run, so that a baseline recognizes a known problem. It is computed from
      the rule and its variant, the session's or program's name, the method and the host. Numbers, UUIDs and other generated parts
      of these texts do not change it. The digit before the colon is the version of the computation.

      **Examples** are short logs that also serve as the rule's tests. ● marks the events that the finding cites. Examples under
      *Not reported* are near misses, on which the rule stays silent.

      **Scenarios** in `\(RuleScenario.directory)` trigger a rule with real processes: an app, the daemon and a server. Each has a twin that
      differs in one line and on which the rule stays silent. `xfer scenario run` runs both. \(live) of the \(rules.count) rules have a
      scenario; the articles of the others say why not.

      | Rule | Severity | Live scenario | Summary |
      |---|---|---|---|

      """
    for rule in rules {
      let live = rule.scenario?.certainty.rawValue ?? "no"
      text += "| <doc:\(rule.id)> | \(rule.severity.rawValue) | \(live) | \(rule.summary.cell) |\n"
    }
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
