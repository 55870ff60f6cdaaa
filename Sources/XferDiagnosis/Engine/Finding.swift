package import XferEvents
import XferLifecycle
import XferReplay

/// A rule's conclusion, graded by the guards.
package struct Finding: Sendable, Equatable {
  package let rule: String
  package let variant: String?
  package let severity: Severity
  package internal(set) var certainty: Certainty
  package let summary: String
  package let remedy: String
  package let evidence: [Fact]
  package let missing: [Draft.Missing]
  package let unless: [String]
  /// Whether it says that something did not come, rather than show what did.
  package let restsOnAbsence: Bool
  /// Why the certainty is not higher.
  package internal(set) var lowered: [String]
  /// What it is about; `nil` where that does not apply.
  package let task: TaskIdentity?
  package let session: String?
  package let wake: HandlerID?
  package let launch: LaunchID?
  /// Tasks that a finding about a process names.
  package let tasks: [TaskIdentity]
  /// The same for the same problem whatever ids, times and paths are; "1:" is the version of how it is made.
  package let fingerprint: String
  /// Place of the finding that explains this one, in the list of all.
  package internal(set) var causedBy: Int? = nil

  /// - Parameters:
  ///   - launch: the process life that it is about.
  ///   - lowered: why the certainty is not higher.
  init(
    _ draft: Draft, of rule: RuleDescription, about: About, launch: LaunchID?, certainty: Certainty, lowered: [String]
  ) {
    self.rule = rule.id
    variant = draft.variant
    severity = draft.severity ?? rule.severity
    self.certainty = certainty
    summary = draft.summary
    remedy = rule.remedy
    evidence = Self.inOrder(draft.evidence)
    missing = draft.missing
    unless = draft.unless
    restsOnAbsence = if case .absence = draft.claim { true } else { false }
    self.lowered = lowered
    (task, session, wake) = (about.identity, about.session, about.wake)
    self.launch = launch
    tasks = draft.tasks
    fingerprint = Fingerprint.make(
      rule: rule.id, variant: draft.variant, name: about.session ?? about.name, method: about.method, host: about.host)
  }

  /// As it happened; rules name what they rest on by its weight. Where a time is not known they keep their order.
  private static func inOrder(_ evidence: [Fact]) -> [Fact] {
    evidence.contains { $0.wall == nil } ? evidence : evidence.sorted { $0.wall! < $1.wall! }
  }

  /// What a finding is about, as far as it names it.
  struct About: Sendable {
    var identity: TaskIdentity?
    var session: String?
    var wake: HandlerID?
    /// Of what has no session.
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

    /// Without its path, which is another one on another machine.
    private static func program(_ process: ProcessLifecycle) -> String? {
      process.executable?.split(separator: "/").last.map(String.init)
    }

    private mutating func note(_ task: TaskLifecycle) {
      (identity, session) = (task.identity, task.identity.session)
      (host, method) = (task.host, task.method)
    }
  }

  /// When the first of the evidence happened.
  package var moment: Moment { evidence[0].moment }

  /// Whether it counts for the exit status.
  package var counts: Bool { certainty >= .probable && causedBy == nil }
}
