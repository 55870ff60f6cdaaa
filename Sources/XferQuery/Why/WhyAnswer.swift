package import XferDiagnosis
package import XferEvents
package import XferLifecycle
package import XferReplay

/// Why a task is where it is: what it waits for, or how it came to its end.
package struct WhyAnswer {
  package let task: TaskLifecycle
  package let form: Form
  /// The log's last event.
  package let end: Fact?
  /// What it needs to go on, in the order in which it needs it; empty for a task that is over.
  package let conditions: [Condition]
  /// When something can change next, the earliest first.
  package let prospects: [Prospect]
  /// How it came to its end, one event causing the next; empty for a task that waits.
  package let chain: [Link]
  /// What the way of its end to the app consists of; empty while it is not over on the wire.
  package let stages: [Stage]
  package let findings: [Cited]
  /// What the log cannot tell, and why.
  package let unknowns: [String]

  package enum Form: String, Sendable {
    /// It does not move.
    case waiting
    /// It is on the wire, or what it has received is.
    case moving
    /// Over on the wire, but the app has not heard of it.
    case undelivered
    case over
  }

  package enum Standing: String, Sendable {
    case satisfied, unsatisfied, unknown
  }

  /// One thing that a task needs.
  package struct Condition: Sendable {
    package let name: Name
    package let standing: Standing
    /// Since when it is so; `nil` when the log does not say.
    package let since: Fact?
    package let text: String
    /// Tasks that have what it waits for.
    package let holders: [TaskIdentity]
    /// Whether it is what keeps the task from moving now.
    package internal(set) var decides = false

    init(_ name: Name, _ standing: Standing, since: Fact?, _ text: String, holders: [TaskIdentity] = []) {
      (self.name, self.standing, self.since, self.text, self.holders) = (name, standing, since, text, holders)
    }

    package enum Name: String, Sendable, CaseIterable {
      case resumed, app, daemon, link, beginDate, delayAnswer, discretionary, wakeDelay, unlocked, diskSpace, network
      case networkPolicy, slot, backoff, challenge, redirect, carrier, server
    }
  }

  /// A moment that lies ahead at the log's end, or has passed.
  package struct Prospect: Sendable {
    package let name: String
    /// How long the wait or the limit is as a whole; `nil` for a date.
    package let length: Duration?
    package let clock: Clock
    /// By the wall clock, as far as that can be told.
    package let wall: WallTime?
    /// From the log's end; negative when it has passed.
    package let remaining: Duration?

    package enum Clock: String, Sendable {
      /// Stands still while the machine sleeps.
      case monotonic
      /// Goes on while the machine sleeps.
      case boottime
      /// What people set.
      case wall
    }
  }

  /// An event on the way to the end.
  package struct Link: Sendable {
    package let fact: Fact
    /// Where it happened: the process that tells of it, or the server.
    package let place: String
    /// What it was and what came of it.
    package let text: String
    /// Rules whose findings rest on it.
    package internal(set) var rules: [String] = []
  }

  /// One step of a completion's way to the app.
  package struct Stage: Sendable {
    package let name: Name
    /// Which callback's; `nil` for what is the task's own.
    package let callback: Callback?
    package let fact: Fact?
    /// Why it is not there, for the first that is missing.
    package internal(set) var blame: String?

    package enum Name: String, Sendable {
      case transferred, sent, received, entered, claimed, left, acknowledged
    }
  }

  /// A finding about the task, and the one that explains it.
  package struct Cited: Sendable {
    package let finding: Finding
    package let root: Finding?
  }

  package var deciding: Condition? { conditions.first(where: \.decides) }

  /// The first stage that is missing, when all before it are there.
  package var missingStage: Stage? { stages.first { $0.fact == nil } }

  /// - Parameters:
  ///   - world: as it was when nothing more came for the task.
  ///   - findings: all of the log, each with the place of its root.
  package init(_ task: TaskLifecycle, in world: World, story: TaskStory, findings: [Finding]) {
    let asked = WhyQuestion(task: task, world: world, story: story)
    self.task = task
    end = story.end
    form = asked.form
    let isOver = form == .over || form == .undelivered
    var conditions = isOver ? [] : asked.conditions
    if let decides = asked.deciding(conditions) { conditions[decides].decides = true }
    self.conditions = conditions
    prospects = isOver ? [] : asked.prospects
    stages = asked.stages
    self.findings = findings.filter { $0.concerns(task.identity) }.map { finding in
      Cited(finding: finding, root: finding.causedBy.map { findings[$0] })
    }
    var chain = isOver ? asked.chain : []
    for place in chain.indices {
      chain[place].rules = self.findings.map(\.finding).filter { $0.evidence.contains(chain[place].fact) }.map(\.rule)
    }
    self.chain = chain
    unknowns = asked.unknowns
  }
}

extension Finding {
  fileprivate func concerns(_ other: TaskIdentity) -> Bool {
    task?.uid == other.uid || tasks.contains { $0.uid == other.uid }
  }
}

/// What is asked of a log about one task; the answers are in extensions.
struct WhyQuestion {
  let task: TaskLifecycle
  let world: World
  let story: TaskStory

  var session: SessionLifecycle? { world.session(of: task) }
  var process: ProcessLifecycle { world.process(of: task) }
  var isBackground: Bool { session?.kind == .background || session == nil && task.carrier != nil }

  var form: WhyAnswer.Form {
    // A completion that the app was called with, or a task that left in another way.
    if task.completed != nil || task.forgotten != nil || task.handedOff != nil { return .over }
    if task.wireEnd != nil { return task.result == .lost ? .over : .undelivered }
    if task.result == .lost || task.processEnd != nil && task.carrier == nil { return .over }
    return isMoving ? .moving : .waiting
  }

  /// Whether bytes go to and fro, or an answer is awaited.
  private var isMoving: Bool {
    guard let attempt = task.attempt, attempt.ended == nil, task.held == nil, task.suspended == nil, task.delayAsked == nil
    else { return false }
    if process.isSuspended, !isBackground { return false }
    return attempt.challengeOpen == nil && attempt.networkAwaited == nil && !isRedirectOpen(attempt)
  }

  func isRedirectOpen(_ attempt: AttemptLifecycle) -> Bool {
    guard let received = attempt.redirects.received else { return false }
    guard let answered = attempt.redirects.answered else { return true }
    return answered.duration(to: received) ?? .zero > .zero
  }

  /// How long before the log's end something was.
  func age(of fact: Fact) -> Duration? { story.end.flatMap { fact.duration(to: $0) } }
}
