/// The results of `xferlog` commands. This is the only list of their exit codes.
package enum ExitStatus: Sendable, CaseIterable {
  /// The input was analysed, and no finding counts (see `--fail-on`).
  case analysed
  /// There are findings that count, or failed checks.
  case findings
  /// `xferlog query --exists` found nothing.
  case noMatch
  case wrongUsage
  /// An input exists but cannot be opened or recognised, the output cannot be written, or an internal error occurred.
  case failed
  /// No input exists, no path matches, the input has no events, or the filter matches none.
  case nothingAnalysed
  /// The input is damaged or truncated, `--strict` was given, and no finding counts.
  case incomplete
  /// The time limit of `--timeout` was reached.
  case timedOut
  case interrupted

  package var code: Int32 {
    switch self {
    case .analysed: 0
    case .findings, .noMatch: 1
    case .wrongUsage, .failed: 2
    case .nothingAnalysed: 3
    case .incomplete: 4
    case .timedOut: 5
    case .interrupted: 130
    }
  }

  /// The name of the result in messages.
  package var word: String {
    switch self {
    case .analysed: "analysed"
    case .findings: "findings"
    case .noMatch: "no match"
    case .wrongUsage: "wrong usage"
    case .failed: "failed"
    case .nothingAnalysed: "nothing analysed"
    case .incomplete: "incomplete"
    case .timedOut: "timed out"
    case .interrupted: "interrupted"
    }
  }

  /// Returns the more important of two results.
  package func orWorse(_ other: ExitStatus) -> ExitStatus { rank >= other.rank ? self : other }

  /// The importance of a result. Exit code 2 ranks above 1, followed by 3, 4 and 5.
  private var rank: Int {
    switch self {
    case .interrupted: 7
    case .failed, .wrongUsage: 6
    case .findings, .noMatch: 5
    case .nothingAnalysed: 4
    case .incomplete: 3
    case .timedOut: 2
    case .analysed: 0
    }
  }
}

/// The end of a command with an exit code other than 0, with its reason.
package struct CommandExit: Error, Equatable {
  package let status: ExitStatus
  /// The reason, printed after "exit 3 (nothing analysed): ".
  package let reason: UserMessage

  package init(_ status: ExitStatus, _ reason: UserMessage) {
    self.status = status
    self.reason = reason
  }
}
