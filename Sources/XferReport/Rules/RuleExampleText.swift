package import XferDiagnosis
import XferEvents
import XferPredicate

/// An example of a rule as text, with the time, process, event and message of each step.
package struct RuleExampleText {
  package let name: String
  /// The certainty and the variant of the finding, such as `certain, never sent`; `nil` if the example has no finding.
  package let verdict: String?
  package let steps: [Step]

  package struct Step {
    /// Whether the finding cites the event.
    package let isEvidence: Bool
    /// The time since the beginning of the example.
    package let offset: Duration
    /// The process that wrote the event.
    package let process: String
    /// The name of the event, or `gap`.
    package let event: String
    package let message: String
  }

  package init(_ example: RuleExample) {
    name = example.name
    verdict = example.certainty.map { certainty in
      ([certainty.rawValue] + (example.variant.map { [$0] } ?? [])).joined(separator: ", ")
    }
    var messages = MessageTexts()
    let cited = example.citedSteps
    steps = zip(example.steps.indices, example.members()).map { place, member in
      let step = example.steps[place]
      let (event, message) =
        switch member {
        case .event(let event): (event.layout.name, messages.text(of: event))
        case .gap(let gap): ("gap", gap.text)
        }
      return Step(
        isEvidence: cited[place], offset: step.offset, process: step.process.title, event: event, message: message)
    }
  }

  /// The lines of the steps with aligned columns; `●` marks the evidence.
  package var lines: [String] {
    let offsets = steps.map { "+" + $0.offset.short }
    let offsetWidth = offsets.map(TerminalText.width).max() ?? 0
    let isOfOne = steps.allSatisfy { $0.process == ExampleProcess.app.title }
    let processWidth = isOfOne ? 0 : steps.map { TerminalText.width($0.process) + 2 }.max() ?? 0
    let eventWidth = steps.map { TerminalText.width($0.event) }.max() ?? 0
    return zip(steps, offsets).map { step, offset in
      let mark = step.isEvidence ? "●" : " "
      let when = String(repeating: " ", count: offsetWidth - TerminalText.width(offset)) + offset
      let who = isOfOne ? "" : step.process.padded(to: processWidth)
      let line = "\(mark) \(when)  \(who)\(step.event.padded(to: eventWidth))  \(step.message)"
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension ExampleProcess {
  fileprivate var title: String {
    switch self {
    case .app: "app"
    case .nextLife: "next life"
    case .laterLife: "later life"
    case .appExtension: "extension"
    case .nextDaemon: "next daemon"
    case .lastLife: "last life"
    case .daemon: "daemon"
    case .engine: "engine"
    case .recorder: "recorder"
    case .tool: "tool"
    case .foreign: "foreign app"
    case .system: "system"
    }
  }
}

extension String {
  /// Returns the text padded with spaces to a width in columns.
  func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - TerminalText.width(self)))
  }
}
