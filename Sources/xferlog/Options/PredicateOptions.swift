import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferQuery
import XferReading

/// The option that selects events by a condition of the query language.
struct PredicateOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Select events by a condition, such as 'status>=500 host=a.example.com' (see xferlog query --help; repeatable).",
      valueName: "condition"), completion: .condition)
  var predicate: [String] = []

  /// Returns the condition that all values set; `nil` without any.
  ///
  /// - Parameter isFollowing: whether the log has no end, so that fields that only the end tells are not known.
  func test(_ surroundings: Surroundings, isFollowing: Bool = false) throws -> EventTest? {
    guard !predicate.isEmpty else { return nil }
    let context = QueryContext(surroundings, isFollowing: isFollowing)
    do throws(QueryError) {
      var conditions: [Predicate] = []
      for text in predicate { conditions.append(try PredicateParser.predicate(text, context)) }
      return EventTest(.all(conditions.filter { $0 != .everything }))
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }

  /// Returns the subjects whose fields a condition or the output names; `nil` if they name none.
  ///
  /// - Parameter shown: the fields that the output shows of each event.
  func subjects(
    of test: EventTest?, shown: [QueryField] = [], in inputs: LogInputs, rules: RuleOptions, recovery: RecoveryMode
  ) throws -> SubjectLedger? {
    let fields = (test?.subjectFields ?? []) + shown.ofReplay
    guard !fields.isEmpty else { return nil }
    let needsFindings = fields.contains { $0.subject == .finding }
    return try inputs.subjects(fields, rules: needsFindings ? rules.inForce(for: inputs) : nil, recovery: recovery)
  }
}
