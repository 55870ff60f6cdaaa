package import XferDiagnosis
package import XferEvents
package import XferLifecycle
package import XferReplay

/// The answer to the question why a task waits, or how it ended.
package struct WhyAnswer {
  package let task: TaskLifecycle
  package let form: Form
  /// Whether the log is one of another program, in which a missing event proves nothing.
  package let isExcerpt: Bool
  /// The last event of the log with a wall-clock time; `nil` for a log without times.
  package let end: Fact?
  /// The conditions that the task needs to proceed, in the order in which they are needed. Empty for a task that has ended.
  package let conditions: [Condition]
  /// The moments at which the task's situation can change next, the earliest first.
  package let prospects: [Prospect]
  /// The events that led to the task's end, each causing the next. Empty for a waiting task.
  package let chain: [Link]
  /// The steps by which the completion reaches the app. Empty while the transfer runs.
  package let stages: [Stage]
  package let findings: [Cited]
  /// The lines of foreign logs that the events come from.
  package var lines = SourceLines.none
  /// The questions that the log cannot answer, with the reasons.
  package let unknowns: [String]

  package enum Form: String, Sendable, CaseIterable {
    /// The task is held, suspended or not resumed, or its attempt is blocked.
    case waiting
    /// An attempt is running: the task connects, sends, receives or waits for the server.
    case moving
    /// The transfer has ended, but the app's completion callback has not been called.
    case undelivered
    case over
  }

  package enum Standing: String, Sendable, CaseIterable {
    case satisfied, unsatisfied, unknown
  }

  /// A condition that a task needs to proceed.
  package struct Condition: Sendable {
    package let name: Name
    package let standing: Standing
    /// The event since which the condition has had its current `standing`. `nil` when the log does not contain the event.
    package let since: Fact?
    package let text: String
    /// The tasks that hold the connections this task waits for.
    package let holders: [TaskIdentity]
    /// Whether this condition keeps the task from moving now.
    package internal(set) var decides = false

    init(_ name: Name, _ standing: Standing, since: Fact?, _ text: String, holders: [TaskIdentity] = []) {
      (self.name, self.standing, self.since, self.text, self.holders) = (name, standing, since, text, holders)
    }

    package enum Name: String, Sendable, CaseIterable {
      case resumed, app, daemon, link, beginDate, delayAnswer, discretionary, wakeDelay, unlocked, diskSpace, network
      case networkPolicy, slot, backoff, challenge, redirect, carrier, server
    }
  }

  /// A moment at which something can change, which may have passed at the end of the log.
  package struct Prospect: Sendable {
    package let name: String
    /// The length of the whole wait or timeout. `nil` for a date.
    package let length: Duration?
    package let clock: Clock
    /// The wall-clock time of the moment. `nil` when the time is unknown.
    package let wall: WallTime?
    /// The time from the end of the log to the moment. Negative when the moment has passed.
    package let remaining: Duration?

    package enum Clock: String, Sendable, CaseIterable {
      /// The clock that stops while the machine sleeps.
      case monotonic
      /// The clock that continues while the machine sleeps.
      case boottime
      /// The wall clock, which can be set.
      case wall
    }
  }

  /// An event that led to the task's end.
  package struct Link: Sendable {
    package let fact: Fact
    /// The process that recorded the event, or the server.
    package let place: String
    /// What happened and what it caused.
    package let text: String
    /// The rules whose findings cite the event.
    package internal(set) var rules: [String] = []
  }

  /// A step by which a completion reaches the app.
  package struct Stage: Sendable {
    package let name: Name
    /// The callback that the step belongs to. `nil` for a step of the task itself.
    package let callback: Callback?
    package let fact: Fact?
    /// Why the step is missing. `nil` for all but the first missing step, or when the log does not say why.
    package internal(set) var blame: String?

    package enum Name: String, Sendable, CaseIterable {
      case transferred, sent, received, entered, claimed, left, acknowledged
    }
  }

  /// A finding about the task, and its root cause among the findings. The root is `nil` if no other finding causes the finding.
  package struct Cited: Sendable {
    package let finding: Finding
    package let root: Finding?
  }

  /// The places of the events that the answer cites.
  package var references: [EventReference] {
    let facts = chain.map(\.fact) + stages.compactMap(\.fact) + findings.flatMap(\.finding.evidence)
    return facts.map(\.reference)
  }

  package var deciding: Condition? { conditions.first(where: \.decides) }

  /// The first missing step; `nil` if no step is missing.
  package var missingStage: Stage? { stages.first { $0.fact == nil } }

  /// - Parameters:
  ///   - world: the world after the last event about the task.
  ///   - findings: all findings of the log, to which `causedBy` refers by index.
  package init(_ task: TaskLifecycle, in world: World, story: TaskStory, findings: [Finding]) {
    let asked = WhyQuestion(task: task, world: world, story: story)
    self.task = task
    end = story.end
    form = asked.form
    isExcerpt = asked.isExcerpt
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

/// The sources for an answer about one task. Extensions compute the parts of the answer.
struct WhyQuestion {
  let task: TaskLifecycle
  let world: World
  let story: TaskStory

  var session: SessionLifecycle? { world.session(of: task) }
  var process: ProcessLifecycle { world.process(of: task) }
  var isExcerpt: Bool { process.coverage != nil }
  var isBackground: Bool { session?.kind == .background || session == nil && task.carrier != nil }

  var form: WhyAnswer.Form {
    // The app's completion callback was called, or the daemon forgot the task, or another task continued the transfer.
    if task.completed != nil || task.forgotten != nil || task.handedOff != nil { return .over }
    let isLost = task.result == .lost || task.result == .resumed
    if task.wireEnd != nil { return isLost ? .over : .undelivered }
    if isLost || task.processEnd != nil && task.carrier == nil { return .over }
    return isMoving ? .moving : .waiting
  }

  /// Whether bytes are moving or a response is awaited.
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

  /// Returns the time from a fact to the end of the log.
  func age(of fact: Fact) -> Duration? { story.end.flatMap { fact.duration(to: $0) } }
}
