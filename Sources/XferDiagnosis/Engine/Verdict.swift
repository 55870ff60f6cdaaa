package import XferEvents

/// A rule's answer about a subject. A rule returns `nil` instead of a verdict while it is undecided and is to be asked again.
package enum Verdict: Sendable {
  /// The problem did not occur and can no longer occur.
  case silent
  /// A later event made up for what the rule missed, so that an earlier finding about the subject is withdrawn. The reason is a clause
  /// without a full stop.
  case excused(because: String)
  /// The problem has not occurred. Only a late event could still show it, and the task is not kept in memory to wait for one.
  case silentSoFar
  /// Undecided. The rule is asked again when the log of a process covers this much time after the fact, or when its subject ends.
  /// `on` is the index of the process; `nil` means the subject's process.
  case wait(Duration, after: Fact, on: Int? = nil)
  /// The log lacks what the rule needs.
  case undecidable(needs: String)
  // Indirect, because verdicts are passed on several times and nearly all are silent: this keeps them small.
  indirect case finding(Draft)
}

/// A finding as a rule returns it, before the guards grade it.
package struct Draft: Sendable {
  /// What the finding rests on.
  package enum Claim: Sendable {
    /// The evidence itself shows the problem.
    case presence
    /// An expected event did not come after `since`.
    case absence(since: Fact, shownBy: AbsenceProof)
  }

  /// The proof that an expected event did not come.
  package enum AbsenceProof: Sendable {
    /// The process that should have written the event has ended.
    case end(Fact)
    /// An event came that the missing event had to precede.
    case overtaken(by: Fact)
    /// The log covers the time in which the event was due.
    case coverage
    /// The log ended before the event was due.
    case endOfLog
  }

  /// The variant of the problem; `nil` if the rule has no variants.
  package var variant: String?
  package var severity: Severity?
  package var summary: String
  package var claim: Claim
  /// The facts that show the problem. The initialiser requires at least one.
  package var evidence: [Fact]
  package var missing: [Missing]
  package var unless: [String]
  /// The tasks named by a finding that is about a process or a log.
  package var tasks: [TaskIdentity]
  /// The process lives that a finding about a process concerns besides its own.
  package var launches: [LaunchID]
  /// The kinds of events that would excuse the fault and that the log does not contain.
  package var assumedAbsent: [EventKind]
  /// How to fix this occurrence of the problem; `nil` if the rule's remedy applies to it as it stands.
  package var remedy: String?

  /// Whether the draft rests on an expected event that did not come.
  var restsOnAbsence: Bool { if case .absence = claim { true } else { false } }

  /// An expected event that is missing.
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
    launches: [LaunchID] = [], assumedAbsent: [EventKind] = [], remedy: String? = nil
  ) {
    self.variant = variant
    self.severity = severity
    self.summary = summary
    self.claim = claim
    evidence = [first] + rest.compactMap { $0 }
    self.missing = missing
    self.unless = unless
    self.tasks = tasks
    self.launches = launches
    self.assumedAbsent = assumedAbsent
    self.remedy = remedy
  }
}
