import Testing
import XferEvents
import XferLifecycle
import XferQuery
import XferReplay

@testable import XferDiagnosis

/// Tests of the answers to why a task waits or how it ended.
struct WhyAnswerTests {
  private typealias Step = RuleExample.Step

  private static func answer(_ steps: [Step], about task: TaskIdentity = .example) throws -> WhyAnswer {
    let members = RuleExample("asked about", steps: steps).members()
    var story = TaskStory(uid: task.uid)
    var found: (TaskLifecycle, World)?
    var diagnosis = Diagnosis { ended, world in if ended.identity == task { found = (ended, world) } }
    for member in members {
      diagnosis.apply(member)
      if case .event(let event) = member { story.take(event) }
    }
    diagnosis.finish()
    let (lifecycle, world) = try #require(found)
    return WhyAnswer(lifecycle, in: world, story: story, findings: diagnosis.findings)
  }

  // MARK: Waiting

  private static let host = "cdn.example.com"
  private static let foreground: [Step] = [
    .at(0, ProcessStarted(launch: ExampleProcess.app.launch, role: .app, startReason: .user, executable: "app")),
    .at(
      0, SessionCreated(session: "default-1", sessionKind: .default, requestTimeout: .seconds(60), resourceTimeout: .seconds(600))
    ),
    .at(1, TaskCreated(task: .example, type: .download, method: "GET", host: host)),
  ]
  private static let resumed = foreground + [.at(2, TaskResumed(task: .example, by: .app))]
  private static let started = resumed + [.at(3, AttemptStarted(task: .example, attempt: 1, host: host))]

  private static let background: [Step] = [
    .at(0, DaemonStarted(generation: 1), by: .daemon),
    .at(0, LinkConnected(peer: ExampleProcess.app.launch, generation: 1), by: .daemon),
    .at(0, SessionCreated(session: "default-1", sessionKind: .background, resourceTimeout: .seconds(604_800))),
    .at(1, TaskCreated(task: .example, type: .download, method: "GET", host: host)),
    .at(2, TaskResumed(task: .example, by: .app)),
  ]

  private static func held(_ reason: HoldReason, delay: Duration? = nil, until: WallTime? = nil) -> Step {
    .at(3, TaskHeld(task: .example, hold: reason, delay: delay, until: until), by: .daemon)
  }

  private static let end = Step.at(20, LogHeartbeatWritten(liveTasks: 1))

  struct Gate: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [RuleExample.Step]
    let decides: WhyAnswer.Condition.Name
    /// The start of the condition, as time since the beginning of the log.
    let since: Duration
    /// A part of the condition's text.
    let says: String

    init(_ name: String, _ steps: [RuleExample.Step], _ decides: WhyAnswer.Condition.Name, since: Int64, _ says: String) {
      (testDescription, self.steps, self.decides, self.since, self.says) = (name, steps, decides, .seconds(since), says)
    }
  }

  static let gates: [Gate] = [
    Gate("never resumed", foreground, .resumed, since: 1, "never resumed"),
    Gate("suspended", started + [.at(5, TaskSuspended(task: .example))], .resumed, since: 5, "suspended the task"),
    Gate(
      "the app is suspended",
      started + [.at(6, ProcessStateChanged(launch: ExampleProcess.app.launch, state: .suspended))], .app,
      since: 6,
      "suspended"),
    Gate(
      "all connections are taken",
      [
        .at(0, TaskCreated(task: .example(2), type: .data, host: host)),
        .at(0, TaskResumed(task: .example(2))),
        .at(0, AttemptStarted(task: .example(2), attempt: 1, host: host)),
      ] + resumed + [.at(3, TaskHeld(task: .example, hold: .hostSlots, host: host, slotsUsed: 1, slots: 1))],
      .slot,
      since: 3, "all connections of cdn.example.com are taken (1/1), by default-1/8"),
    Gate(
      "the engine's hold reason takes precedence over the network's state",
      resumed + [.at(2, NetworkPathChanged(up: false)), held(.sessionSlots)], .slot, since: 3, "of its session"),
    Gate("the session's connections are taken", resumed + [held(.sessionSlots)], .slot, since: 3, "of its session"),
    Gate(
      "no network",
      resumed + [
        .at(2, NetworkPathChanged(up: false)), .at(3, TaskHeld(task: .example, hold: .network)),
      ], .network, since: 2, "no path"),
    Gate(
      "no network while on the wire",
      started + [
        .at(4, NetworkPathChanged(up: false)),
        .at(5, AttemptNetworkAwaited(task: .example, attempt: 1, hold: .network)),
      ], .network, since: 4, "no path"),
    Gate(
      "a network that the task may not use",
      resumed + [
        .at(2, NetworkPathChanged(up: true, expensive: true, constrained: false, cellular: true)),
        held(.networkPolicy),
      ], .networkPolicy, since: 3, "cellular and expensive"),
    Gate(
      "discretionary",
      background + [.at(2, PowerChanged(charging: false), by: .daemon), held(.discretionary)], .discretionary,
      since: 3, "not charging"),
    Gate(
      "discretionary without a reason", background + [held(.discretionary)], .discretionary, since: 3, "the log does not say"),
    Gate("woken too often", background + [held(.wakeDelay, delay: .seconds(60))], .wakeDelay, since: 3, "woken too often"),
    Gate(
      "the begin date is in the future",
      background + [held(.beginDate, delay: .seconds(100), until: WallTime(nanoseconds: 1_780_000_101_000_000_000))], .beginDate,
      since: 3, "begin date"),
    Gate(
      "the app was asked", background + [.at(4, TaskDelayAsked(task: .example))], .delayAnswer, since: 4,
      "has not answered"),
    Gate("the app was asked, says the daemon", background + [held(.delayAnswer)], .delayAnswer, since: 3, "has not answered"),
    Gate(
      "a challenge",
      started + [.at(4, AttemptChallengeReceived(task: .example, attempt: 1, challenge: CorrelationID(4)))],
      .challenge, since: 4, "no answer"),
    Gate(
      "a redirect",
      started + [.at(4, AttemptRedirectReceived(task: .example, attempt: 1, status: 302, host: host))],
      .redirect,
      since: 4, "redirect"),
    Gate(
      "between attempts",
      started + [
        .at(
          4,
          AttemptEnded(
            task: .example, attempt: 1, end: .transport, domain: .curl, error: 56, errorName: "receiveFailed",
            retryIn: .seconds(30))),
        .at(4, TaskHeld(task: .example, hold: .backoff, delay: .seconds(30))),
      ], .backoff, since: 4, "receiveFailed"),
    Gate("the device is locked", background + [held(.protectedData)], .unlocked, since: 3, "locked"),
    Gate(
      "the disk is full",
      background + [.at(2, DiskSpaceSampled(free: 10), by: .daemon), held(.diskSpace)], .diskSpace, since: 3,
      "10 bytes free"),
    Gate("the daemon is not ready", background + [held(.daemonStarting)], .daemon, since: 3, "not ready"),
    Gate(
      "the daemon has exited", background + [.at(5, DaemonExited(generation: 1), by: .daemon)], .daemon, since: 5,
      "has ended"),
    Gate(
      "the link is down",
      background + [
        .at(4, LinkDisconnected(peer: ExampleProcess.app.launch, reason: "closed"), by: .daemon)
      ], .link, since: 4, "down: closed"),
    Gate("a connection to the server", started, .server, since: 3, "connection to cdn.example.com"),
    Gate(
      "a request without a response", started + [.at(4, AttemptRequestSent(task: .example, attempt: 1))], .server, since: 4,
      "waiting for the response of cdn.example.com"),
  ]

  @Test(arguments: gates)
  func `The condition that blocks a task is named with its start`(_ gate: Gate) throws {
    let answer = try Self.answer(gate.steps + [Self.end])
    let deciding = try #require(answer.deciding)
    #expect(deciding.name == gate.decides)
    #expect(deciding.text.contains(gate.says), "\(deciding.text)")
    let since = try #require(deciding.since?.monotonic)
    #expect(since == 1_000_000_000 + gate.since.nanoseconds)
    #expect(answer.conditions.count { $0.decides } == 1)
    #expect((answer.form == .moving) == (gate.decides == .server))
    #expect(answer.chain.isEmpty && answer.stages.isEmpty)
    // Satisfied conditions are listed, too.
    if gate.decides != .resumed { #expect(answer.conditions.contains { $0.name == .resumed && $0.standing == .satisfied }) }
  }

  @Test func `A condition that ended is satisfied from that time on`() throws {
    let answer = try Self.answer(
      Self.background + [
        Self.held(.discretionary), .at(7, TaskHoldEnded(task: .example, hold: .discretionary), by: .daemon),
        .at(7, TaskHeld(task: .example, hold: .protectedData), by: .daemon), Self.end,
      ])
    let discretionary = try #require(answer.conditions.first { $0.name == .discretionary })
    #expect(discretionary.standing == .satisfied)
    #expect(discretionary.since?.monotonic == 8_000_000_000)
    #expect(answer.deciding?.name == .unlocked)
  }

  @Test func `A queued task without a hold reason is answered with an unknown`() throws {
    let answer = try Self.answer(Self.resumed + [Self.end])
    #expect(answer.form == .waiting)
    #expect(answer.deciding == nil)
    #expect(answer.unknowns.contains { $0.hasPrefix("what the task waits for") })
  }

  // MARK: Next changes

  @Test func `Upcoming time limits are sorted by remaining time, each on its own clock`() throws {
    let backoff = try Self.answer(try #require(Self.gates.first { $0.testDescription == "between attempts" }).steps + [Self.end])
    #expect(backoff.prospects.map(\.name) == ["the next attempt", "the resource timeout"])
    #expect(backoff.prospects.map(\.clock) == [.monotonic, .boottime])
    // At 20 s, a limit of 30 s from 4 s and a limit of 600 s from 2 s.
    #expect(backoff.prospects.map(\.remaining) == [.seconds(14), .seconds(582)])

    let waits = try Self.answer(Self.started + [Self.end])
    #expect(waits.prospects.map(\.name) == ["the request timeout", "the resource timeout"])
    #expect(waits.prospects.first?.remaining == .seconds(43))

    let date = try Self.answer(try #require(Self.gates.first { $0.decides == .beginDate }).steps + [Self.end])
    #expect(date.prospects.first?.clock == .wall)
    #expect(date.prospects.first?.remaining == .seconds(80))
  }

  @Test func `A request timeout that starts with the connection does not run while the task is queued`() throws {
    let answer = try Self.answer(Self.resumed + [Self.held(.sessionSlots), Self.end])
    #expect(answer.prospects.map(\.name) == ["the resource timeout"])
  }

  // MARK: Ended tasks

  private static func links(_ steps: [Step]) throws -> [String] { try answer(steps + [end]).chain.map(\.fact.kind.name) }

  @Test func `A success is explained by the events that led to it`() throws {
    let steps =
      Self.started + [
        .at(4, AttemptResponseReceived(task: .example, attempt: 1, status: 200, expected: 3)),
        .at(5, AttemptEnded(task: .example, attempt: 1, end: .finished, received: 3)),
        .at(5, TaskTransferred(task: .example, received: 3, status: 200)),
        .at(6, TaskCompleted(task: .example, received: 3, status: 200)),
      ]
    let answer = try Self.answer(steps)
    #expect(answer.form == .over)
    #expect(
      answer.chain.map(\.fact.kind.name) == [
        "task.resumed", "attempt.started", "attempt.responseReceived", "task.transferred", "task.completed",
      ])
    #expect(answer.chain[2].place == "server cdn.example.com")
    #expect(answer.chain[1].place == "app app:4001")
    #expect(answer.conditions.isEmpty)
  }

  @Test func `A broken connection is explained by the loss of the network`() throws {
    let names = try Self.links(
      Self.started + [
        .at(3, NetworkPathChanged(up: true)), .at(4, NetworkPathChanged(up: false)),
        .at(5, AttemptEnded(task: .example, attempt: 1, end: .transport, domain: .curl, error: 56)),
        .at(6, TaskCompleted(task: .example, domain: .curl, error: 56)),
      ])
    #expect(names == ["task.resumed", "attempt.started", "network.pathChanged", "attempt.ended", "task.completed"])
  }

  @Test func `A cancellation is explained by the request and its cause`() throws {
    let answer = try Self.answer(
      Self.started + [
        .at(4, SessionInvalidationRequested(session: "default-1", invalidation: .cancel)),
        .at(4, TaskCancelRequested(task: .example, by: .engine, cancelReason: .sessionInvalidated)),
        .at(5, TaskCompleted(task: .example, domain: .url, error: -999, errorName: "cancelled")),
      ])
    #expect(
      answer.chain.map(\.fact.kind.name) == [
        "task.resumed", "attempt.started", "session.invalidationRequested", "task.cancelRequested", "task.completed",
      ])
  }

  @Test func `A task that ended with its process is explained by that end and its finding`() throws {
    let answer = try Self.answer(
      Self.started + [
        .at(6, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .nextLife)
      ])
    #expect(answer.form == .over)
    #expect(answer.chain.last?.fact.kind == .processExitObserved)
    #expect(answer.chain.last?.text.contains("signal") == true)
    let cited = answer.findings.map(\.finding.rule)
    #expect(!cited.isEmpty)
    #expect(answer.chain.contains { !$0.rules.isEmpty })
  }

  // MARK: Delivery to the app

  private static let transferred =
    started + [
      .at(5, AttemptEnded(task: .example, attempt: 1, end: .finished, received: 3)),
      .at(5, TaskTransferred(task: .example, received: 3, status: 200)),
    ]

  private static func callbacks(_ count: Int) -> [Step] {
    let (delivery, callback) = (DeliveryID(1), Callback.didFinishDownloading)
    let all: [Step] = [
      .at(6, DeliverySent(task: .example, delivery: delivery, callback: callback)),
      .at(7, DeliveryReceived(task: .example, delivery: delivery, callback: callback)),
      .at(8, DeliveryEntered(task: .example, delivery: delivery, callback: callback)),
      .at(9, FileClaimed(task: .example, delivery: delivery, operation: .move, inCallback: true)),
      .at(10, DeliveryLeft(task: .example, delivery: delivery, callback: callback)),
      .at(11, DeliverySent(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(12, DeliveryReceived(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(13, DeliveryEntered(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
      .at(14, DeliveryLeft(task: .example, delivery: DeliveryID(2), callback: .didComplete)),
    ]
    return Array(all.prefix(count))
  }

  static let stages: [(callbacks: Int, missing: WhyAnswer.Stage.Name, callback: Callback?)] = [
    (0, .sent, .didComplete), (1, .received, .didFinishDownloading), (2, .entered, .didFinishDownloading),
    (3, .claimed, .didFinishDownloading), (4, .left, .didFinishDownloading), (5, .sent, .didComplete),
    (6, .received, .didComplete), (7, .entered, .didComplete), (8, .left, .didComplete), (9, .acknowledged, nil),
  ]

  @Test(arguments: stages)
  func `The first missing stage of a delivery is named`(
    _ stage: (callbacks: Int, missing: WhyAnswer.Stage.Name, callback: Callback?)
  ) throws {
    let answer = try Self.answer(Self.transferred + Self.callbacks(stage.callbacks) + [Self.end])
    #expect(answer.form == .undelivered)
    let missing = try #require(answer.missingStage)
    #expect(missing.name == stage.missing && missing.callback == stage.callback)
    #expect(answer.stages.first?.name == .transferred && answer.stages.first?.fact != nil)
    #expect(answer.chain.first?.fact.kind == .taskResumed)
  }

  @Test func `A completion that waits for a held wake names the reason of the hold`() throws {
    let answer = try Self.answer(
      Self.background + [
        .at(3, AttemptStarted(task: .example, attempt: 1, host: Self.host), by: .daemon),
        .at(5, AttemptEnded(task: .example, attempt: 1, end: .finished, received: 3), by: .daemon),
        .at(5, TaskTransferred(task: .example, received: 3, status: 200), by: .daemon),
        .at(6, WakeWanted(session: "default-1", handler: HandlerID(1), wakeCause: .completion), by: .daemon),
        .at(6, WakeHeld(session: "default-1", handler: HandlerID(1), holdWake: .userQuit), by: .daemon),
        .at(20, LogHeartbeatWritten(liveTasks: 1), by: .daemon),
      ])
    #expect(answer.form == .undelivered)
    #expect(answer.missingStage?.name == .sent)
    #expect(answer.missingStage?.blame?.contains("the user quit the app") == true)
  }

  // MARK: Unknowns

  @Test func `Facts that the log lacks are listed as unknown`() throws {
    let withoutDaemon = try Self.answer([
      .at(0, SessionCreated(session: "default-1", sessionKind: .background)),
      .at(1, TaskCreated(task: .example, type: .download)), .at(2, TaskResumed(task: .example)),
      Self.end,
    ])
    #expect(withoutDaemon.unknowns.contains { $0.hasPrefix("what the daemon did") })
    #expect(withoutDaemon.conditions.first { $0.name == .daemon }?.standing == .unknown)

    let beheaded = try Self.answer([
      .at(1, AttemptStarted(task: .example, attempt: 1)), .gap(.missingSequence, at: .seconds(2)), Self.end,
    ])
    #expect(beheaded.unknowns.contains { $0.hasPrefix("how the task was created") })
    #expect(beheaded.unknowns.contains { $0.contains("gap") })
    #expect(beheaded.unknowns.contains { $0.hasPrefix("which timeouts apply") })
  }

  /// Verifies that answering never traps and that the answer is consistent, for every task of every example.
  @Test(arguments: RuleCatalogue.descriptions)
  func `Every task of every example has an answer`(_ rule: RuleDescription) throws {
    // Floods of a thousand equal tasks are left out.
    for example in rule.reports + rule.staysSilent where example.steps.count <= 200 {
      let members = example.members()
      var tasks: [TaskIdentity] = []
      for case .event(let event) in members { if let task = event.task, !tasks.contains(task) { tasks.append(task) } }
      for task in tasks {
        guard let answer = try? Self.answer(example.steps, about: task) else { continue }
        #expect(Set(answer.chain.map(\.fact)).count == answer.chain.count)
        #expect(answer.conditions.count { $0.decides } <= 1)
        let isOver = answer.form == .over || answer.form == .undelivered
        #expect(answer.conditions.isEmpty == isOver)
        #expect(answer.chain.isEmpty != isOver, "\(rule.id): \(example.name)")
      }
    }
  }
}
