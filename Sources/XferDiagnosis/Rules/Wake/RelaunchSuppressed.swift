import XferEvents
import XferLifecycle
import XferReplay

/// A session that does not wake its app had events for it, which waited until somebody opened it.
struct RelaunchSuppressed: SessionRule {
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)

  private static func story(sends: Bool, reason: StartReason = .user, opened: Duration = .seconds(600))
    -> [RuleExample.Step]
  {
    let first = SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background, sendsLaunchEvents: sends)
    let second = SessionCreated(session: session, instance: CorrelationID(2), sessionKind: .background, sendsLaunchEvents: sends)
    let transferred = TaskTransferred(task: task, received: 10, status: 200)
    func step(_ event: some TransferEvent, _ time: Duration, _ process: ExampleProcess) -> RuleExample.Step {
      .at(time, event, by: process)
    }
    return [
      step(first, .zero, .app), .at(1, TaskCreated(task: task, type: .download)),
      .at(1, TaskResumed(task: task)), .at(2, ProcessExited(code: 0, exitReason: .exitCall)),
      step(transferred, .seconds(5), .daemon),
      .at(opened - .seconds(1), ProcessStarted(startReason: reason, executable: "app"), by: .nextLife),
      step(second, opened, .nextLife), .at(opened + .seconds(1), LogHeartbeatWritten(), by: .nextLife),
    ]
  }

  static let description = RuleDescription(
    id: "relaunch-suppressed", severity: .warning,
    summary: "The transfers had ended, but their session does not wake the app, and they waited until it was opened.",
    explanation: """
      With sessionSendsLaunchEvents off, an app is not launched when its transfers end: it gets their events when it is \
      started the next time for another reason. That may be meant, to spare the user's battery. Until then the files are in \
      the system's care, and there are reports of some that were gone by then.
      """,
    remedy: "Leave sessionSendsLaunchEvents on, unless the files can wait for the user.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/7229"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "ten minutes until the user opened the app", .certain, cites: [.sessionCreated, .taskTransferred],
        steps: story(sends: false))
    ],
    staysSilent: [
      RuleExample("the session sends launch events", steps: story(sends: true)),
      RuleExample("launched for a transfer, all the same", steps: story(sends: false, reason: .transfer)),
      RuleExample("opened again before a minute had passed", steps: story(sends: false, opened: .seconds(30))),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  /// What nobody notices.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long a transfer may wait for the app to be opened")]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = session.created else { return asked.isEndOfLog ? .silent : nil }
    guard let place = session.surroundings.earlier, let ended = session.surroundings.ended else { return .silent }
    let earlier = world.sessions[place]
    let reason = world.processes[session.process].startReason
    guard earlier.sendsLaunchEvents == false, let first = earlier.created, reason != .transfer, reason != .challenge,
      let delay = ended.duration(to: created), delay >= patience
    else { return .silent }
    let count = session.surroundings.endedCount
    return .finding(
      Draft(
        summary: """
          \(count == 1 ? "A transfer" : "\(count) transfers") of session \(session.identifier) waited \(delay.inSeconds) for \
          the app to be opened, because the session does not send launch events.
          """,
        claim: .presence, evidence: ended, [first, created]))
  }
}
