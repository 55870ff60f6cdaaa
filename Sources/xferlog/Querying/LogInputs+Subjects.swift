import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferQuery
import XferReading

extension LogInputs {
  /// Replays the inputs and returns the values of subjects' fields.
  ///
  /// - Parameters:
  ///   - fields: the fields that a query names.
  ///   - rules: the rules in force; `nil` if no finding is needed, which makes the replay faster.
  func subjects(_ fields: [SubjectField], rules: RuleSet?, recovery: RecoveryMode) throws -> SubjectLedger {
    let ledger = SubjectLedger(fields)
    var diagnosis = JointDiagnosis(rules?.tables ?? RuleTables([]), onTaskEnd: { ledger.note($0, in: $1) })
    let batches = OrderedBatches(try source(recovery: recovery))
    var batch = EventBatch()
    while batches.next(&batch) {
      try diagnosis.apply(batch)
      try Interruption.check()
    }
    diagnosis.finish()
    ledger.finish(diagnosis)
    return ledger
  }
}
