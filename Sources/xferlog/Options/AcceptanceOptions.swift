import ArgumentParser
import XferDiagnosis
import XferReading

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

  /// Reads the files that were named.
  func named() throws -> (suppressions: [AcceptanceSource], baseline: AcceptanceSource?) {
    (try suppressions.map { try AcceptanceSource($0, .suppression) }, try baseline.map { try AcceptanceSource($0, .baseline) })
  }

  /// Returns the files in force for logs, which may be in bundles with such files of their own.
  ///
  /// - Parameter named: the files that were named.
  func sources(
    _ named: (suppressions: [AcceptanceSource], baseline: AcceptanceSource?), for inputs: LogInputs
  ) throws -> [AcceptanceSource] {
    let bundles = try inputs.decisions()
    let sources = AcceptanceSource.inForce(suppressions: named.suppressions, baseline: named.baseline, bundles: bundles)
    for bundle in bundles {
      let names = bundle.accepted.map(\.name).filter { name in sources.contains { $0.name == name } }
      for name in names { StandardError.remark("\(name): accepts findings, because it is in the bundle") }
    }
    return sources
  }

  /// Returns the entries of files; `nil` if there is no file.
  static func acceptance(_ sources: [AcceptanceSource], _ surroundings: Surroundings) throws -> Acceptance? {
    if sources.isEmpty { return nil }
    return Acceptance(try sources.flatMap { try $0.entries() }, today: ExpiryDay(of: surroundings.now()))
  }

  /// The maximum number of warnings that are printed.
  private static let warningLimit = 20

  /// Reports entries that have expired, cannot be read or are unused on standard error.
  ///
  /// - Parameter judgesUse: whether the whole log was judged.
  static func remark(_ acceptance: Acceptance, judgesUse: Bool) {
    let warnings = acceptance.warnings(judgesUse: judgesUse)
    for warning in warnings.prefix(warningLimit) { StandardError.remark(UserMessage(warning)) }
    if warnings.count > warningLimit {
      StandardError.remark("\(warnings.count - warningLimit) more warnings about accepted findings; see `xferlog baseline check`")
    }
  }
}
