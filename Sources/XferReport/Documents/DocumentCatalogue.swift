import XferDiagnosis
import XferQuery

/// The JSON documents with a described schema. The case names are the arguments of `xferlog schema --document`.
package enum DocumentCatalogue: String, CaseIterable, Sendable {
  case replay, why, stats, state, diff, verify, events, query, rules, unmatched, verdicts, carried, fleet, serve, finding

  /// The command that writes the document, or the document that contains the object.
  package var origin: String {
    switch self {
    case .replay: "`xferlog replay -o json`"
    case .why: "`xferlog why TASK -o json`"
    case .stats: "`xferlog stats -o json`"
    case .state: "`xferlog replay --at EVENT -o json`"
    case .diff: "`xferlog diff A B -o json`"
    case .verify: "`xferlog verify -o json`"
    case .events: "`xferlog show -o json` and `xferlog tail -o json`"
    case .query: "`xferlog query -o json`, if the query's result is a table"
    case .rules: "`xferlog rules list -o json` and `xferlog rules explain ID -o json`"
    case .unmatched: "`xferlog import LOG --unmatched -o json`"
    case .verdicts: "each line of `xferlog replay --paths-from` and `--stdin`"
    case .carried: "lines of the file of `xferlog replay --stdin --state-out`"
    case .fleet: "`xferlog fleet report -o json`"
    case .serve: "`xferlog serve -o json`"
    case .finding: "the list `findings` of `xferlog.replay/1` and the member `finding` of `xferlog.events/1`"
    }
  }

  /// The fields of the document.
  package var description: DocumentDescription {
    switch self {
    case .replay: ReplayDocument.object.description
    case .why: WhyAnswer.object.description
    case .stats: StatisticsDocument.object.description
    case .state: StateDocument.description
    case .diff: ComparisonDocument.object.description
    case .verify: VerificationDocument.object.description
    case .events: EventJSON.description
    case .query: QueryJSON.description
    case .rules: RuleJSON.object.description
    case .unmatched: UnmatchedDocument.object.description
    case .verdicts: VerdictRow.object.description
    case .carried: CarriedRow.object.description
    case .fleet: FleetSummary.object.description
    case .serve: ServingDocument.object.description
    case .finding: Finding.object.description
    }
  }

  /// The name and version in the document's field `schema`. A finding is an object within documents and has no such field.
  package var title: String { "xferlog.\(rawValue)/1" }

  /// The JSON Schema of the document. It rejects every member that is not described.
  package func schema() -> String {
    if self == .events { return EventSchema.events() }
    return DocumentSchema(isClosed: true).text(description, id: "urn:xferlog:\(rawValue):1", title: title)
  }
}
