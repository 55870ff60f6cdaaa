import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// Logs of apps that are ended, and of their countermeasures. Each mistake is reported by a replay, and its corrected twin is not.
@Suite(.timeLimit(.minutes(2))) struct LifeFixtureTests {
  private static let (foreground, background) = ("default-1", "com.example.img")
  private static let task = TaskIdentity(uid: TaskUID(high: 1, low: 1), session: background, number: 1)
  private static let inFront = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: foreground, number: 1)

  private typealias Step = (milliseconds: Int64, event: any TransferEvent)

  /// A log with a life of the app, a life of the daemon, and a second life of the app.
  private struct Story {
    let directory = TemporaryDirectory()
    let app: RecordedLog
    let daemon: RecordedLog
    private(set) var next: RecordedLog?

    init() throws {
      // A writer that opens the log records the exit of earlier writers whose process does not exist, so the daemon's log is opened first.
      daemon = try RecordedLog(in: directory, seed: 2, pid: 900, role: .daemon)
      app = try RecordedLog(in: directory, seed: 1, pid: 4001, role: .app)
    }

    func app(_ steps: Step...) { for step in steps { emit(step.event, at: step.milliseconds, to: app) } }
    func daemon(_ steps: Step...) { for step in steps { emit(step.event, at: step.milliseconds, to: daemon) } }

    /// Lets the daemon observe the end of the app.
    func end(_ reason: ExitReason, code: Int? = nil, signal: Int? = nil, at milliseconds: Int64) {
      let launch = app.writer?.launch
      daemon((milliseconds, ProcessExitObserved(launch: launch, code: code, signal: signal, exitReason: reason, by: .daemon)))
    }

    /// Starts the second life of the app.
    mutating func again(_ reason: StartReason, at milliseconds: Int64, _ steps: Step...) throws {
      let log = try RecordedLog(in: directory, seed: 3, pid: 4002, role: .app, startReason: reason, at: milliseconds)
      for step in steps { emit(step.event, at: step.milliseconds, to: log) }
      next = log
    }

    private func emit(_ event: some TransferEvent, at milliseconds: Int64, to log: RecordedLog) {
      log.emit(at: milliseconds, event)
    }

    /// The findings without a cause, as `rule certainty`. The app's log is not closed, because a killed app does not close it.
    var found: [String] {
      get throws {
        next?.close()
        daemon.close()
        let text = try ToolRun.xferlog("replay", "-o", "json", "\(directory.path)/run.xlog").text
        let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        return document.findings.filter { $0.causedBy == nil }.map { "\($0.rule) \($0.certainty)" }
      }
    }
  }

  private struct Document: Decodable {
    let findings: [Finding]

    struct Finding: Decodable {
      let rule: String
      let certainty: String
      let causedBy: Int?
    }
  }

  @Test(arguments: [false, true])
  func `Fixture 7: an expiration handler does not end its background time`(isRight: Bool) throws {
    let (id, story) = (CorrelationID(5), try Story())
    story.app(
      (10, ProcessStateChanged(state: .background)), (20, AssertionBegun(assertion: id, name: "upload")),
      (30_000, AssertionExpired(assertion: id, name: "upload")))
    if isRight { story.app((30_001, AssertionEnded(assertion: id, name: "upload"))) }
    story.end(isRight ? .memoryPressure : .assertionExpired, signal: 9, at: 35_000)
    let found = try story.found
    #expect(found == (isRight ? [] : ["assertion-expired-kill certain"]))
  }

  @Test(arguments: [false, true])
  func `Fixture 8: a hand-off task is created only after the app was suspended`(isRight: Bool) throws {
    let (id, story) = (CorrelationID(5), try Story())
    let made = TaskCreated(task: Self.task, type: .download, intent: "photo")
    story.app(
      (10, SessionCreated(session: Self.foreground, instance: CorrelationID(1), sessionKind: .default)),
      (20, TaskCreated(task: Self.inFront, type: .download, intent: "photo")), (21, TaskResumed(task: Self.inFront)),
      (22, AttemptStarted(task: Self.inFront, attempt: 1)),
      (30, SessionCreated(session: Self.background, instance: CorrelationID(2), sessionKind: .background)),
      (40, AssertionBegun(assertion: id, name: "photo")), (30_000, AssertionExpired(assertion: id, name: "photo")),
      (30_001, TaskCancelRequested(task: Self.inFront, by: .app, resumeData: ValueDigest(7))),
      (30_002, AttemptEnded(task: Self.inFront, attempt: 1, end: .cancelled)))
    if isRight { story.app((30_003, made), (30_003, TaskResumed(task: Self.task))) }
    story.app((30_004, AssertionEnded(assertion: id, name: "photo")), (30_500, ProcessStateChanged(state: .suspended)))
    if !isRight {
      story.app((90_000, ProcessStateChanged(state: .resumed)), (90_001, made), (90_002, TaskResumed(task: Self.task)))
    }
    let found = try story.found
    #expect(found == (isRight ? [] : ["handoff-lost certain"]))
  }

  @Test(arguments: [false, true])
  func `Fixture 15: a force quit looks like a clean exit`(isRight: Bool) throws {
    var story = try Story()
    story.app(
      (10, SessionCreated(session: Self.background, instance: CorrelationID(1), sessionKind: .background)),
      (20, TaskCreated(task: Self.task, type: .download)), (21, TaskResumed(task: Self.task)))
    story.end(.userQuit, code: 0, at: 9000)
    try story.again(
      .user, at: 60_000,
      (60_010, SessionCreated(session: Self.background, instance: CorrelationID(2), sessionKind: .background)),
      (60_020, TaskAdopted(task: Self.task)),
      (
        60_030,
        isRight
          ? TaskCompleted(task: Self.task, received: 10, status: 200)
          : TaskCompleted(task: Self.task, domain: .url, error: -999, cancelReason: .userForceQuit)
      ))
    let found = try story.found
    #expect(found == (isRight ? [] : ["force-quit-cancelled certain"]))
  }

  @Test(arguments: [false, true])
  func `Fixture 16: a dead-man alarm is checked too late`(isRight: Bool) throws {
    let (id, story) = (CorrelationID(3), try Story())
    let armed = DeadmanArmed(deadman: id, name: "still alive", interval: .seconds(600))
    story.app((1000, armed))
    if isRight {
      story.app((421_000, DeadmanChecked(deadman: id, remaining: .seconds(180))), (421_001, armed))
    } else {
      story.daemon((601_000, DeadmanFired(deadman: id, count: 1)))
      story.app((602_000, DeadmanChecked(deadman: id, remaining: .zero)), (602_001, armed))
    }
    story.app((700_000, LogHeartbeatWritten()))
    let found = try story.found
    #expect(found == (isRight ? [] : ["deadman-false-alarm certain"]))
  }

  @Test(arguments: [false, true])
  func `Fixture 17: an app that is suspended when it is force-quit cannot arm a trigger`(isRight: Bool) throws {
    var story = try Story()
    story.app((10, AppCapabilitiesRecorded(capabilities: "location,voip")))
    if isRight {
      story.app(
        (50_000, ProcessTerminationAnnounced(launch: story.app.writer?.launch, by: .user)),
        (50_001, TriggerArmed(trigger: CorrelationID(2), triggerKind: .region, name: "wakeupinbg", radius: 5)))
    } else {
      story.app((50_000, ProcessStateChanged(state: .suspended)))
    }
    story.end(.userQuit, code: 0, at: 51_000)
    try story.again(isRight ? .region : .user, at: 3_600_000)
    let found = try story.found
    #expect(found == (isRight ? [] : ["not-resurrected-after-user-kill certain"]))
  }

  @Test func `Fixture 18: a call of exit() by the app is not a crash`() throws {
    var story = try Story()
    story.app(
      (10, SessionCreated(session: Self.background, instance: CorrelationID(1), sessionKind: .background)),
      (20, TaskCreated(task: Self.task, type: .download)), (21, TaskResumed(task: Self.task)),
      (500, ProcessStateChanged(state: .background)),
      (501, ProcessExited(launch: story.app.writer?.launch, code: 0, exitReason: .exitCall)))
    story.end(.exitCall, code: 0, at: 510)
    try story.again(
      .transfer, at: 60_000,
      (60_010, SessionCreated(session: Self.background, instance: CorrelationID(2), sessionKind: .background)),
      (60_020, TaskAdopted(task: Self.task)), (60_030, TaskCompleted(task: Self.task, received: 10, status: 200)))
    let found = try story.found
    #expect(found == [])
  }
}
