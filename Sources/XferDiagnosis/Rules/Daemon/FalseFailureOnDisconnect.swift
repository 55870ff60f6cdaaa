import XferEvents
import XferLifecycle
import XferReplay

/// A transfer that the app recorded as failed when it lost the daemon, although the daemon completed it.
struct FalseFailureOnDisconnect: TaskRule {
  private static let peer = ExampleProcess.daemon.launch
  private static let story: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(0.001, LinkConnected(peer: peer, generation: 1)),
    .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.002, TaskCreated(type: .upload)),
    .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1), by: .daemon),
  ]
  private static let lost = RuleExample.Step.at(5, LinkDisconnected(peer: peer, generation: 1, reason: "closed"))
  private static let failed = RuleExample.Step.at(6, AppOutcomeRecorded(task: .example, outcome: .failure))
  private static let reconnected = RuleExample.Step.at(7, LinkConnected(peer: peer, generation: 1))
  private static func transferred(status: Int = 200, at time: Double = 30) -> RuleExample.Step {
    .at(time, TaskTransferred(sent: 900, status: status), by: .daemon)
  }

  static let description = RuleDescription(
    id: "false-failure-on-disconnect", severity: .critical,
    summary: "The app recorded a transfer as failed when it lost its connection to the daemon, but the daemon completed it.",
    explanation: """
      A lost connection to the daemon says nothing about the state of the tasks that the daemon runs. An app that records all of \
      them as failed and retries them uploads files twice and shows an error for a transfer that succeeded.
      """,
    remedy: """
      Distinguish three states: complete, failed, unknown. When the connection is lost, mark the tasks as unknown; reconnect, \
      list the session's tasks, and wait for the daemon's answer.
      """,
    sources: ["https://github.com/firebase/firebase-ios-sdk/issues/147"], isContractOnly: true,
    reports: [
      RuleExample(
        "the app records a failure, and the daemon completes the upload", .possible,
        cites: [.linkDisconnected, .appOutcomeRecorded, .taskTransferred],
        steps: story + [lost, failed, reconnected, transferred()])
    ],
    staysSilent: [
      RuleExample(
        "the app waited, and recorded the success",
        steps: story + [
          lost, reconnected, transferred(), .at(31, AppOutcomeRecorded(task: .example, outcome: .success)),
        ]),
      RuleExample(
        "the transfer failed in the daemon as well",
        steps: story + [
          lost, failed, reconnected,
          .at(30, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56), by: .daemon),
        ]),
      RuleExample("the server rejected the upload", steps: story + [lost, failed, reconnected, transferred(status: 500)]),
      RuleExample(
        "the app recorded the failure after the transfer was complete",
        steps: story + [transferred(at: 4), lost, failed, reconnected]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure, .event(.appOutcomeRecorded)]
  static let watches: Set<EventKind> = [.taskTransferred]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let isDisconnection = task.error?.domain == .url && task.error?.number == DaemonDisconnect.wasDisconnected
    guard let failed = task.outcome == .failure ? task.outcomeRecorded : isDisconnection ? task.completed : nil,
      let transferred = task.transferred, failed.duration(to: transferred) ?? .zero > .zero, task.status ?? 0 < 400
    else { return asked.isTaskOver ? .silent : nil }
    let down = task.owner.flatMap { world.processes[$0].link.disconnected }
    guard isDisconnection || down.map({ $0.duration(to: failed) ?? .zero >= .zero }) ?? false else { return .silent }
    return .finding(
      Draft(
        summary: """
          The app recorded task \(task.identity.label) as failed after losing its connection to the daemon, but the daemon \
          completed it.
          """,
        claim: .presence, evidence: failed, [down, transferred]))
  }
}
