package import XferEvents

/// What a rule answers when it is asked about a subject. `nil` instead of a verdict: not yet, ask again.
package enum Verdict: Sendable {
  /// The problem is not there and cannot come any more.
  case silent
  /// The problem is not there; only what comes late could bring it, and no task is kept for that.
  case silentSoFar
  /// Not yet; ask again when the log covers this much time after the fact, or when the scope closes.
  case wait(Duration, after: Fact)
  /// The log lacks what would be needed.
  case undecidable(needs: String)
  // Nearly all verdicts say nothing, and every one is handed on a few times: it has the size of the small ones.
  indirect case finding(Draft)
}

/// A finding as a rule sees it, before the guards.
package struct Draft: Sendable {
  /// What the finding rests on.
  package enum Claim: Sendable {
    /// The evidence itself shows the problem.
    case presence
    /// Something did not come after `since`.
    case absence(since: Fact, shownBy: AbsenceProof)
  }

  package enum AbsenceProof: Sendable {
    /// The process that should have written it is over.
    case end(Fact)
    /// What it had to come before is there.
    case overtaken(by: Fact)
    /// The log covers the time in which it should have come.
    case coverage
    /// The log ends.
    case endOfLog
  }

  /// The sub-verdict, where a rule has some.
  package var variant: String?
  package var severity: Severity?
  package var summary: String
  package var claim: Claim
  /// No finding without evidence: the initialiser takes one fact at least.
  package var evidence: [Fact]
  package var missing: [Missing]
  package var unless: [String]
  /// Tasks that a finding about a process or a log names.
  package var tasks: [TaskIdentity]
  /// Events that would have made it no finding, and that the log does not have.
  package var assumedAbsent: [EventKind]

  /// An event that should be there.
  package struct Missing: Hashable, Sendable {
    package let event: EventKind
    package let dueBy: Moment?

    package init(_ event: EventKind, dueBy: Moment? = nil) {
      self.event = event
      self.dueBy = dueBy
    }
  }

  package init(
    variant: String? = nil, severity: Severity? = nil, summary: String, claim: Claim, evidence first: Fact,
    _ rest: [Fact?] = [], missing: [Missing] = [], unless: [String] = [], tasks: [TaskIdentity] = [],
    assumedAbsent: [EventKind] = []
  ) {
    self.variant = variant
    self.severity = severity
    self.summary = summary
    self.claim = claim
    evidence = [first] + rest.compactMap { $0 }
    self.missing = missing
    self.unless = unless
    self.tasks = tasks
    self.assumedAbsent = assumedAbsent
  }
}
