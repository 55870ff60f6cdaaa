import XferDiagnosis
import XferReading
import XferReport
import XferRules

extension TaskRow.Patience {
  /// The times after which a task is overdue. The time for the delivery is a limit of a rule, which the user may have changed.
  ///
  /// - Parameter rules: the rules in force; `nil` means those of the catalogue.
  init(_ rules: RuleSet?) {
    let limit = (rules ?? .catalogue).limitSettings(of: "lost-completion").first { $0.name == "patience" }
    if case .duration(let time)? = limit?.value { self.init(delivery: time) } else { self.init() }
  }
}
