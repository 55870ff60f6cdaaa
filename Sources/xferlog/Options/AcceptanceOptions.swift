import ArgumentParser
import XferDiagnosis
import XferReading
import XferRules

/// Options for known problems that do not fail a job.
struct AcceptanceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Accept the findings of this baseline, so that only new findings count (see xferlog baseline).", valueName: "file"),
    completion: .yaml)
  var baseline: String?

  @Option(
    help: ArgumentHelp("Accept the findings listed in this file, each with a reason (repeatable).", valueName: "file"),
    completion: .yaml)
  var suppressions: [String] = []

  var isGiven: Bool { baseline != nil || !suppressions.isEmpty }

  /// Returns the entries of all files; `nil` if no file was named. Suppressions take precedence, because they have a reason.
  func acceptance(_ surroundings: Surroundings) throws -> Acceptance? {
    if !isGiven { return nil }
    var entries = try suppressions.flatMap { try AcceptanceFile.entries(in: $0, .suppression) }
    if let baseline { entries += try AcceptanceFile.entries(in: baseline, .baseline) }
    return Acceptance(entries, today: ExpiryDay(of: surroundings.now()))
  }

  /// The maximum number of warnings that are printed.
  private static let warningLimit = 20

  /// Reports entries that have expired, cannot be read or are unused on standard error.
  ///
  /// - Parameter judgesUse: whether the whole log was judged.
  static func remark(_ acceptance: Acceptance, judgesUse: Bool) {
    let warnings = acceptance.warnings(judgesUse: judgesUse)
    for warning in warnings.prefix(warningLimit) { StandardError.remark(warning) }
    if warnings.count > warningLimit {
      StandardError.remark("\(warnings.count - warningLimit) more warnings about accepted findings; see `xferlog baseline check`")
    }
  }
}
