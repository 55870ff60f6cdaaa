import XferEvents
import XferLifecycle
import XferReplay

/// A completion of a task that no earlier event mentions.
struct GhostCompletion: RememberingTaskRule {
  private static let started = RuleExample.Step.at(0, ProcessStarted(startReason: .user, executable: "app"))
  private static func session(_ kind: SessionKind) -> RuleExample.Step {
    .at(1, SessionCreated(session: "default-1", instance: CorrelationID(1), sessionKind: kind, hasDelegate: true))
  }
  private static let completed = RuleExample.Step.at(5, TaskCompleted(delivery: DeliveryID(1), received: 9, status: 200))
  private static func listed(_ tasks: [TaskIdentity]) -> RuleExample.Step {
    .at(0, DaemonTasksListed(generation: 3, count: Int64(tasks.count), tasks: tasks), by: .daemon)
  }
  private static let later = RuleExample.Step.at(9, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "ghost-completion", severity: .warning,
    summary: "A task completed that no earlier event in the log mentions.",
    explanation: """
      The app receives the completion of a task that, according to the log, it never created and the daemon never listed. \
      Either a part of the app created the task without logging it, or an earlier launch of the app created it and this \
      launch did not look for it in the session's tasks. Libraries with one delegate per task discard such a completion \
      together with its file.
      """,
    remedy: """
      Handle completions in the session's delegate, including those of tasks that this launch of the app did not create, and \
      find their records by the metadata or the description that travels with the task.
      """,
    sources: ["https://github.com/Alamofire/Alamofire/issues/2822", "https://github.com/AFNetworking/AFNetworking/pull/1988"],
    untriggerable: "The engine writes the creation or the adoption of a task before the task’s completion.",
    reports: [
      RuleExample(
        "an unknown task of a default session completed", .probable, cites: [.taskCompleted],
        started, session(.default), completed, later),
      RuleExample(
        "an unknown task of a background session completed, and the daemon had not listed it", .probable, cites: [.taskCompleted],
        listed([.example(2)]), started, session(.background), completed, later),
    ],
    staysSilent: [
      RuleExample("the task was created", started, session(.default), .at(2, TaskCreated(type: .data)), completed, later),
      RuleExample("the daemon had listed the task", listed([.example]), started, session(.background), completed, later),
      RuleExample(
        "the app found the task in its session after a relaunch",
        listed([]), started, session(.background), .at(2, TaskAdopted()), completed, later),
      RuleExample(
        "the daemon's log is missing, and an earlier launch may have created the task",
        started, session(.background), completed, later),
      RuleExample(
        "the system's own daemon ran the task, and the log has only the task list of another daemon",
        listed([]), .at(0, ProcessStarted(role: .recorder, startReason: .user, executable: "app")), session(.background),
        completed, later),
      RuleExample(
        "the beginning of the log is missing", .gap(.missingHead, at: .zero), started, session(.default), completed, later),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let remembers: Set<EventKind> = [.taskCompleted]

  /// The completion of a task that no earlier event mentions.
  struct Memory {
    let completed: Fact
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    guard task.completed == fact, task.created == nil, task.listed == nil, task.adopted == nil else { return }
    memory = Memory(completed: fact)
  }

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard task.created == nil, task.listed == nil, task.adopted == nil else { return asked.isTaskOver ? .silentSoFar : nil }
    let completed = memory.completed
    let process = world.process(of: task)
    guard let started = process.started, !world.gaps.contains(where: { $0.cause == .missingHead }) else {
      return .undecidable(needs: "the beginning of the log")
    }
    if world.mayOutliveProcess(task) {
      let isListed = world.processes.contains { $0.daemon?.listed != nil || $0.daemon?.generation == 1 }
      // A recorder's tasks are carried by the system's daemon, which writes no log of this format.
      guard isListed, process.role != .recorder else { return .undecidable(needs: "daemon.recovered or daemon.tasksListed") }
    }
    return .finding(
      Draft(
        summary: "Task \(task.identity.label) completed, but no earlier event mentions it.",
        claim: .absence(since: started, shownBy: .coverage), evidence: completed,
        missing: [.init(.taskCreated, dueBy: completed.moment)], unless: ["the task was created by code that does not log"]))
  }
}
