package import XferDiagnosis

/// The answers of one rule.
package struct RuleRow: TableRow {
  package static let table = "rule_answers"
  private let place: Int
  private let rule: RuleStatistics
  private let summary: String

  /// Returns a row for each rule: those of the catalogue in its order, then the user's.
  package static func all(_ diagnosis: JointDiagnosis) -> [RuleRow] {
    let summaries = Dictionary(uniqueKeysWithValues: diagnosis.descriptions.map { ($0.id, $0.summary) })
    return RuleStatistics.all(diagnosis).enumerated().map { place, rule in
      RuleRow(place: place, rule: rule, summary: summaries[rule.rule] ?? "")
    }
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    [
      "id": ColumnValue(place),
      "rule": .text(rule.rule),
      "severity": .text(rule.severity.rawValue),
      "summary": .text(summary),
      "findings": ColumnValue(rule.findings),
      "undecidable": ColumnValue(rule.undecidable),
      "in_flight": ColumnValue(rule.inFlight),
      "silent": ColumnValue(rule.silent),
    ]
  }
}

/// A kind of question that a rule could not decide, with the number of subjects.
package struct UndecidedRow: TableRow {
  package static let table = "undecided"
  private let undecided: Diagnosis.Undecided
  private let count: Int

  package init(_ undecided: Diagnosis.Undecided, count: Int) {
    self.undecided = undecided
    self.count = count
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    ["rule": .text(undecided.rule), "needs": .text(undecided.needs), "count": ColumnValue(count)]
  }
}
