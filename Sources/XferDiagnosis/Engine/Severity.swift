/// The severity of a finding: S4 to S1 of the failure-mode catalogue.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  case notice, warning, error, critical

  private var rank: Int {
    switch self {
    case .notice: 0
    case .warning: 1
    case .error: 2
    case .critical: 3
    }
  }

  package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// The certainty of a finding.
package enum Certainty: String, Sendable, CaseIterable, Comparable {
  /// An event is missing, and it is unknown whether the log covers the time in which it was due.
  case possible
  /// An event is missing within time that the log covers.
  case probable
  /// The evidence itself shows the problem.
  case certain

  private var rank: Int {
    switch self {
    case .possible: 0
    case .probable: 1
    case .certain: 2
    }
  }

  package static func < (left: Certainty, right: Certainty) -> Bool { left.rank < right.rank }

  /// The next lower certainty; `nil` below *possible*, where the finding becomes undecidable.
  package var lowered: Certainty? {
    switch self {
    case .certain: .probable
    case .probable: .possible
    case .possible: nil
    }
  }
}
