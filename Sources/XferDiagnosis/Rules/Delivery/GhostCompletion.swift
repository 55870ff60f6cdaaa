import XferEvents
import XferLifecycle
import XferReplay

/// A task was completed that nothing had told of.
struct GhostCompletion: TaskRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(startReason: .user, executable: "app"))
  private static func session(_ kind: SessionKind) -> RuleExample.Step {
    .at(
      1, SessionCreated(session: TaskIdentity.example.session, instance: CorrelationID(1), sessionKind: kind, hasDelegate: true))
  }
  private static let completed = TaskCompleted(delivery: DeliveryID(1), received: 9, status: 200)
  private static func listed(_ tasks: [TaskIdentity]) -> RuleExample.Step {
    .at(0, DaemonTasksListed(generation: 3, count: Int64(tasks.count), tasks: tasks), by: .daemon)
  }
  private static let later = RuleExample.Step.at(9, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "ghost-completion", severity: .warning,
    summary: "A task was completed that nothing in the log had told of.",
    explanation: """
      A task that the app never made, as far as its log knows, and that no list of the daemon names, is completed: another part \
      of the app made it without recording it, or a life of the app before made it and nobody adopted it. Libraries that have a \
      delegate per task let such a completion fall, and its file with it.
      """,
    remedy:
      "Handle completions in the session's delegate, for tasks too that this life has not made, and find their record by what travels with them.",
    sources: ["https://github.com/Alamofire/Alamofire/issues/2822", "https://github.com/AFNetworking/AFNetworking/pull/1988"],
    reports: [
      RuleExample(
        "in a default session", .probable, cites: [.taskCompleted],
        started, session(.default), .at(5, completed), later),
      RuleExample(
        "in a background session, and the daemon had not listed it", .probable, cites: [.taskCompleted],
        listed([.example(2)]), started, session(.background), .at(5, completed), later),
    ],
    staysSilent: [
      RuleExample("it was made", started, session(.default), .at(2, TaskCreated(type: .data)), .at(5, completed), later),
      RuleExample("the daemon had listed it", listed([.example]), started, session(.background), .at(5, completed), later),
      RuleExample(
        "it was known again after a launch",
        listed([]), started, session(.background), .at(2, TaskAdopted()), .at(5, completed), later),
      RuleExample(
        "the daemon's log is not here, and an earlier life may have made it",
        started, session(.background), .at(5, completed), later),
      RuleExample(
        "the system's own daemon carried it, and ours had listed what it has",
        listed([]), .at(0, ProcessStarted(role: .recorder, startReason: .user, executable: "app")), session(.background),
        .at(5, completed), later),
      RuleExample(
        "the log's beginning is gone",
        .gap(.missingHead, at: .zero), started, session(.default), .at(5, completed), later),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.unannounced)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed, task.created == nil, task.listed == nil, task.adopted == nil else {
      return asked.isTaskOver ? .silentSoFar : nil
    }
    let process = world.process(of: task)
    guard let started = process.started, !world.gaps.contains(where: { $0.cause == .missingHead }) else {
      return .undecidable(needs: "the log’s beginning")
    }
    if world.mayOutliveProcess(task) {
      let isListed = world.processes.contains { $0.daemon?.listed != nil || $0.daemon?.generation == 1 }
      // What a recorder tells of is carried by the system's daemon, which has no log of ours.
      guard isListed, process.role != .recorder else { return .undecidable(needs: "daemon.recovered, or daemon.tasksListed") }
    }
    return .finding(
      Draft(
        summary: "Task \(task.identity.text) was completed, and nothing had told of it before.",
        claim: .absence(since: started, shownBy: .coverage), evidence: completed,
        missing: [.init(.taskCreated, dueBy: completed.moment)], unless: ["it was made by code that records nothing"]))
  }
}
