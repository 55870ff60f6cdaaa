/// Every rule, in the order of the catalogue's chapters.
package enum RuleCatalogue {
  package static let rules: [any DiagnosisRule] = [
    MissedCompletionHandler(),
    CallbackThreadBlocked(),
    LostCompletion(),
    DuplicateCompletion(),
    ProgressAfterCompletion(),
    InvisibleUnstartedTask(),
    TempFileNotMoved(),
    ClaimFailedDestination(),
    TruncatedBody(),
    HTTPErrorAsSuccess(),
    ChallengeUnanswered(),
    RedirectLoop(),
    AuthLostOnRedirect(),
    ResumeRangeIgnored(),
    ResumeEntityChanged(),
    ResumeDataDiscarded(),
    ResumeRestarted(),
    RequestTimeoutWhileQueued(),
    ResourceTimeout(),
    StalledTransfer(),
    WaitsForConnectivityForever(),
    ConnectionSlotStarvation(),
    RetryStorm(),
    CrashMidTransfer(),
    TaskCreatedOnInvalidSession(),
    SessionLeak(),
    LogGapFound(),
    LogTailTorn(),
  ]

  package static let descriptions: [RuleDescription] = rules.map { type(of: $0).description }
}
