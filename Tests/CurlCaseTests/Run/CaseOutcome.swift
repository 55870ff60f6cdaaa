/// What came of a case.
enum CaseOutcome: Sendable, Equatable {
  case agrees
  case disagrees(expected: String, got: String)
  /// The program does not understand the command line.
  case lacks(String)
  case notRun(reason: String)
}
