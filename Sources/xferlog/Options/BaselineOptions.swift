import ArgumentParser
import XferDiagnosis
import XferReading
import XferRules

/// The options that all subcommands of `xferlog baseline` have.
struct BaselineOptions: ParsableArguments {
  static let usualFile = "xferlog-baseline.yaml"

  @Option(help: ArgumentHelp("The baseline.", valueName: "file"), completion: .yaml)
  var baseline = usualFile

  @Option(
    help: ArgumentHelp("Accept the findings listed in this file, each with a reason (repeatable).", valueName: "file"),
    completion: .yaml)
  var suppressions: [String] = []

  @Flag(help: "Include findings with the certainty 'possible'.")
  var failOnPossible = false

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  /// Returns the entries of all files.
  ///
  /// - Parameter mayBeMissing: whether a baseline that does not exist is empty.
  func acceptance(mayBeMissing: Bool, _ surroundings: Surroundings) throws -> Acceptance {
    let exists = FilePresence.exists(baseline)
    var entries = try suppressions.flatMap { try AcceptanceFile.entries(in: $0, .suppression) }
    if exists || !mayBeMissing { entries += try AcceptanceFile.entries(in: baseline, .baseline) }
    return Acceptance(entries, today: ExpiryDay(of: surroundings.now()))
  }

  /// Reads and diagnoses logs, and marks the findings that the entries accept.
  func diagnosed(_ log: [String], _ acceptance: inout Acceptance, _ surroundings: Surroundings) throws -> DiagnosedLog {
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    var diagnosed = try DiagnosedLog(inputs, rules: rules.inForce(for: inputs), recovery: damage.recovery)
    if let emptiness = diagnosed.emptiness(outcome), emptiness.status != .analysed {
      throw CommandExit(emptiness.status, emptiness.reason)
    }
    diagnosed.accept(with: &acceptance)
    return diagnosed
  }
}
