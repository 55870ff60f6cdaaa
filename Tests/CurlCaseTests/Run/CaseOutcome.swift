/// The outcome of running a case.
enum CaseOutcome: Sendable, Equatable {
  case agrees
  case disagrees(expected: String, got: String)
  /// The program does not support the case's command line, for the given reason.
  case lacks(String)
  case notRun(reason: String)
}
