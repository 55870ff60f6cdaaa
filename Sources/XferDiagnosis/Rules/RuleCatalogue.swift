/// Every rule, in the order of the catalogue's chapters.
package enum RuleCatalogue {
  package static let rules: [any DiagnosisRule] = [
    MissedCompletionHandler(),
    LostCompletion(),
    TempFileNotMoved(),
    TruncatedBody(),
    HTTPErrorAsSuccess(),
    CrashMidTransfer(),
    LogGapFound(),
    LogTailTorn(),
  ]

  package static let descriptions: [RuleDescription] = rules.map { type(of: $0).description }
}
