/// How bad a finding is: S1 to S4 of the catalogue.
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

/// How sure a finding is.
package enum Certainty: String, Sendable, CaseIterable, Comparable {
  /// Something is absent, and how far the log covers its time is unknown.
  case possible
  /// Something is absent over time that the log covers.
  case probable
  /// There is positive evidence.
  case certain

  private var rank: Int {
    switch self {
    case .possible: 0
    case .probable: 1
    case .certain: 2
    }
  }

  package static func < (left: Certainty, right: Certainty) -> Bool { left.rank < right.rank }

  /// One level less; `nil` below possible: it cannot be decided.
  package var lowered: Certainty? {
    switch self {
    case .certain: .probable
    case .probable: .possible
    case .possible: nil
    }
  }
}
