import XferEvents
import XferLifecycle
import XferReplay

/// Events of a session that does not send launch events waited until the user opened the app.
struct RelaunchSuppressed: SessionRule {
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)

  private static func story(sends: Bool = false, reason: StartReason = .user, opened: Double = 600) -> [RuleExample.Step] {
    func created(_ instance: UInt64) -> SessionCreated {
      SessionCreated(
        session: session, instance: CorrelationID(instance), sessionKind: .background, sendsLaunchEvents: sends)
    }
    return [
      .at(0, created(1)), .at(1, TaskCreated(task: task, type: .download)), .at(1, TaskResumed(task: task)),
      .at(2, ProcessExited(code: 0, exitReason: .exitCall)),
      .at(5, TaskTransferred(task: task, received: 10, status: 200), by: .daemon),
      .at(opened - 1, ProcessStarted(startReason: reason, executable: "app"), by: .nextLife),
      .at(opened, created(2), by: .nextLife), .at(opened + 1, LogHeartbeatWritten(), by: .nextLife),
    ]
  }

  static let description = RuleDescription(
    id: "relaunch-suppressed", severity: .warning,
    summary: "Transfers ended, but their session does not launch the app, so their results waited until the user opened it.",
    explanation: """
      With sessionSendsLaunchEvents off, the system does not launch an app when its transfers end: the app receives their \
      events when it is next started for another reason. This may be intended, to save power. The system should keep the \
      downloaded files until then, but some developers report that files were missing at the next launch.
      """,
    remedy: "Leave sessionSendsLaunchEvents on, unless the files can wait until the user opens the app.",
    sources: ["https://github.com/lionheart/openradar-mirror/issues/7229"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "the user opened the app ten minutes later", .certain, cites: [.sessionCreated, .taskTransferred], steps: story())
    ],
    staysSilent: [
      RuleExample("the session sends launch events", steps: story(sends: true)),
      RuleExample("the app was launched for a transfer anyway", steps: story(reason: .transfer)),
      RuleExample("the user opened the app within a minute", steps: story(opened: 30)),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  /// The maximum time for an ended transfer to wait for the app. Users do not notice a shorter delay.
  var patience: Duration = .seconds(60)

  static let limits = [
    RuleLimit("patience", \Self.patience, "the maximum time for an ended transfer to wait for the app")
  ]

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
