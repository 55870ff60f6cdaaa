package import XferEvents
import XferLifecycle
import XferReplay

/// A rule's conclusion, graded by the guards.
package struct Finding: Sendable, Equatable {
  package let rule: String
  package let variant: String?
  package let severity: Severity
  package internal(set) var certainty: Certainty
  package internal(set) var summary: String
  package let remedy: String
  package let evidence: [Fact]
  package let missing: [Draft.Missing]
  package let unless: [String]
  /// The kinds of events that would excuse the fault and that the log does not contain.
  package let assumedAbsent: [EventKind]
  /// Whether the finding rests on a missing event, and not on what its evidence shows.
  package let restsOnAbsence: Bool
  /// The reasons why the certainty is not higher, with what would decide.
  package internal(set) var lowerings: [Lowering]
  /// The reasons why the certainty is not higher.
  package var lowered: [String] { lowerings.map(\.reason) }
  /// The task that the finding is about; `nil` if it is not about a single task.
  package let task: TaskIdentity?
  package let session: String?
  package let wake: HandlerID?
  package let launch: LaunchID?
  /// The process lives that the finding concerns.
  let launches: [LaunchID?]
  /// The tasks named by a finding that is about a process or a log.
  package let tasks: [TaskIdentity]
  /// A hash that is the same for the same problem, whatever its IDs, times and paths. The prefix "1:" is the hash's version.
  package let fingerprint: String
  /// The properties from which the fingerprint is computed.
  package let basis: FingerprintBasis
  /// The entry of a baseline or of suppressions that accepts the finding; `nil` if none does.
  package internal(set) var accepted: AcceptedEntry? = nil
  /// Whether a gap that was found later leaves the finding without proof.
  package internal(set) var isWithdrawn = false
  /// The index of the finding that explains this one, in the list of all findings; `nil` if none does.
  package internal(set) var causedBy: Int? = nil

  /// - Parameters:
  ///   - launch: the process life that the finding is about.
  ///   - lowered: the reasons why the certainty is not higher.
  ///   - fingerprints: the fingerprints of earlier findings.
  init(
    _ draft: Draft, of rule: RuleDescription, about: About, launch: LaunchID?, certainty: Certainty, lowered: [Lowering],
    _ fingerprints: inout FingerprintCache
  ) {
    self.rule = rule.id
    variant = draft.variant
    severity = draft.severity ?? rule.severity
    self.certainty = certainty
    summary = draft.summary
    remedy = draft.remedy ?? rule.remedy
    evidence = Self.inOrder(draft.evidence)
    missing = draft.missing
    unless = draft.unless
    assumedAbsent = draft.assumedAbsent
    restsOnAbsence = draft.restsOnAbsence
    lowerings = lowered
    (task, session, wake) = (about.identity, about.session, about.wake)
    self.launch = launch
    launches = [launch] + draft.launches.filter { $0 != launch }
    tasks = draft.tasks
    basis = FingerprintBasis(
      rule: rule.id, variant: draft.variant, name: about.session ?? about.name, method: about.method, host: about.host)
    fingerprint = fingerprints.fingerprint(of: basis)
  }

  /// Returns evidence sorted by time. Rules list their evidence by importance; that order is kept if a time is unknown.
  private static func inOrder(_ evidence: [Fact]) -> [Fact] {
    evidence.contains { $0.wall == nil } ? evidence : evidence.sorted { $0.wall! < $1.wall! }
  }

  /// The subject of a finding: its task, session and wake, and the names that identify it across runs.
  struct About: Sendable {
    var identity: TaskIdentity?
    var session: String?
    var wake: HandlerID?
    /// The name of a subject without a session.
    var name: String?
    var host: String?
    var method: String?

    init(_ subject: Subject, in world: World) {
      switch subject {
      case .task(let place): note(world.tasks[place])
      case .session(let place): session = world.sessions[place].identifier
      case .wake(let place): (wake, session) = (world.wakes[place].handler, world.wakes[place].session)
      case .keepalive(let place): name = world.keepalives[place].name
      case .intent(let place): session = world.intents[place].bindings.last?.task.session
      case .upload(let place): session = world.uploads[place].task?.session
      case .process(let place): name = Self.program(world.processes[place])
      case .gap, .boot, .log: break
      }
    }

    init(_ event: SeenEvent, in world: World) {
      if let place = event.task, world.tasks.isCurrent(place) { note(world.tasks[Int(place.index)]) }
      identity = identity ?? event.view.task
      session = session ?? identity?.session ?? event.view.session
      wake = event.view.handler
      name = event.view.name
      host = event.view.host ?? host
      method = event.view.method ?? method
    }

    /// Returns a program's name without its path, which differs between machines.
    private static func program(_ process: ProcessLifecycle) -> String? {
      process.executable?.fileName
    }

    private mutating func note(_ task: TaskLifecycle) {
      (identity, session) = (task.identity, task.identity.session)
      (host, method) = (task.host, task.method)
    }
  }

  /// The time of the first evidence.
  package var moment: Moment { evidence[0].moment }

  /// Whether the finding is listed before another one: by the time and the place of the first evidence, then by the rule.
  func precedes(_ other: Finding) -> Bool {
    let (early, late) = (evidence[0], other.evidence[0])
    if let one = early.wall, let other = late.wall, one != other { return one < other }
    if early.reference != late.reference { return early.reference < late.reference }
    return rule < other.rule
  }

  /// Returns the finding with other words.
  package func with(summary: String) -> Finding {
    var finding = self
    finding.summary = summary
    return finding
  }

  /// Whether the finding affects the exit status.
  package var counts: Bool { certainty >= .probable && causedBy == nil && !isWithdrawn && accepted == nil }
}

/// The grounds of a finding, with which it is graded again when a gap is found.
struct FindingBasis: Sendable {
  let draft: Draft
  /// The index of the rule.
  let rule: Int
  /// The indexes of the processes on whose log the draft rests.
  let processes: [Int]
  /// Whether both an app and the daemon write events about the subject.
  let isShared: Bool

  /// - Returns: `nil` if no gap can weaken the finding, because its evidence alone shows the problem.
  init?(_ draft: Draft, rule: Int, of description: RuleDescription, processes: [Int], isShared: Bool) {
    guard draft.restsOnAbsence || !draft.assumedAbsent.isEmpty || description.needsWholeLog else { return nil }
    (self.draft, self.rule, self.processes, self.isShared) = (draft, rule, processes, isShared)
  }
}
