import XferEvents
import XferLifecycle
import XferReplay

/// The app gave a transfer up when it lost the daemon, and the daemon finished it.
struct FalseFailureOnDisconnect: TaskRule {
  private static let peer = ExampleProcess.daemon.launch
  private static let story: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(0.001, LinkConnected(peer: peer, generation: 1)),
    .at(0.001, SessionCreated(session: "default-1", sessionKind: .background)), .at(0.002, TaskCreated(type: .upload)),
    .at(0.003, TaskResumed()), .at(0.004, AttemptStarted(attempt: 1), by: .daemon),
  ]
  private static let down = LinkDisconnected(peer: peer, generation: 1, reason: "closed")
  private static let up = RuleExample.Step.at(7, LinkConnected(peer: peer, generation: 1))
  private static let failed = AppOutcomeRecorded(task: .example, outcome: .failure)
  private static let transferred = TaskTransferred(sent: 900, status: 200)

  static let description = RuleDescription(
    id: "false-failure-on-disconnect", severity: .critical,
    summary: "The app took a transfer for failed when it lost the daemon, and the daemon completed it.",
    explanation: """
      That the daemon cannot be reached says nothing of the tasks that it carries. An app that fails them all at once, and \
      tries them again, uploads twice and shows an error for what is done.
      """,
    remedy: """
      Keep three answers apart: done, failed, not known. When the link goes down, a task is not known; connect again, list the \
      session's tasks, and wait for what the daemon says.
      """,
    sources: ["https://github.com/firebase/firebase-ios-sdk/issues/147"], isContractOnly: true,
    reports: [
      RuleExample(
        "the app records a failure, and the upload goes through", .possible,
        cites: [.linkDisconnected, .appOutcomeRecorded, .taskTransferred],
        steps: story + [.at(5, down), .at(6, failed), up, .at(30, transferred, by: .daemon)])
    ],
    staysSilent: [
      RuleExample(
        "the app waited, and heard of it",
        steps: story + [
          .at(5, down), up, .at(30, transferred, by: .daemon), .at(31, AppOutcomeRecorded(task: .example, outcome: .success)),
        ]),
      RuleExample(
        "the daemon had lost it, too",
        steps: story + [
          .at(5, down), .at(6, failed), up,
          .at(30, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56), by: .daemon),
        ]),
      RuleExample(
        "the server refused it",
        steps: story + [.at(5, down), .at(6, failed), up, .at(30, TaskTransferred(sent: 900, status: 500), by: .daemon)]),
      RuleExample(
        "the app took it for failed when it was done, whatever the link",
        steps: story + [.at(4, transferred, by: .daemon), .at(5, down), .at(6, failed), up]),
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
        summary: "The app took \(task.identity.text) for failed when it had lost the daemon, and the daemon completed it.",
        claim: .presence, evidence: failed, [down, transferred]))
  }
}
