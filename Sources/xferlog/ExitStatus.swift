/// How `xferlog` ends: the only list of its exit codes.
package enum ExitStatus: Sendable, CaseIterable {
  /// Something was analysed, and nothing counts as a finding.
  case analysed
  /// Findings, or differences, or no match where one was asked for.
  case findings
  case wrongUsage
  /// Input that exists but cannot be opened or recognised, output that cannot be written, an error of our own.
  case failed
  /// No file, a path or glob that matches nothing, no events, a filter that matched none.
  case nothingAnalysed
  /// Damaged or truncated input, with `--strict`, and no finding.
  case incomplete
  /// `--timeout` was reached first.
  case timedOut
  case interrupted

  package var code: Int32 {
    switch self {
    case .analysed: 0
    case .findings: 1
    case .wrongUsage, .failed: 2
    case .nothingAnalysed: 3
    case .incomplete: 4
    case .timedOut: 5
    case .interrupted: 130
    }
  }

  /// What it is called on standard error.
  package var word: String {
    switch self {
    case .analysed: "analysed"
    case .findings: "findings"
    case .wrongUsage: "wrong usage"
    case .failed: "failed"
    case .nothingAnalysed: "nothing analysed"
    case .incomplete: "incomplete"
    case .timedOut: "timed out"
    case .interrupted: "interrupted"
    }
  }

  /// Of several reasons the one that counts.
  package func orWorse(_ other: ExitStatus) -> ExitStatus { rank >= other.rank ? self : other }

  /// 2 > 1 > 3 > 4 > 5.
  private var rank: Int {
    switch self {
    case .interrupted: 7
    case .failed, .wrongUsage: 6
    case .findings: 5
    case .nothingAnalysed: 4
    case .incomplete: 3
    case .timedOut: 2
    case .analysed: 0
    }
  }
}

/// A command that ends with something other than 0, and why.
package struct CommandExit: Error, Equatable {
  package let status: ExitStatus
  /// Completes "exit 3 (nothing analysed): ".
  package let reason: String

  package init(_ status: ExitStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
