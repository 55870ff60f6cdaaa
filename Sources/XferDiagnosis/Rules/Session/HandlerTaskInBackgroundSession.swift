import XferEvents
import XferLifecycle
import XferReplay

/// Reports a background task that was requested with a completion handler.
struct HandlerTaskInBackgroundSession: SessionRule, RememberingTaskRule {
  private static let session = TaskIdentity.example.session
  private static let instance = CorrelationID(1)

  private static func made(_ kind: SessionKind = .background) -> RuleExample.Step {
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: true))
  }
  private static let rejected = TaskRejected(
    session: session, instance: instance, type: .download, rejection: .completionHandlerInBackground)
  private static func created(_ style: CompletionStyle) -> TaskCreated {
    TaskCreated(type: .download, completion: style)
  }
  private static let completed = TaskCompleted(delivery: DeliveryID(1), received: 9, status: 200)
  private static let relaunch: [RuleExample.Step] = [
    .at(1, TaskResumed()), .at(5, ProcessExited(code: 0, exitReason: .returned)), .at(20, TaskAdopted(), by: .nextLife),
  ]

  static let description = RuleDescription(
    id: "handler-task-in-background-session", severity: .notice,
    summary:
      "A background session was asked for a task with a completion handler, which cannot survive the end of its process.",
    explanation: """
      A completion handler is a closure in the memory of one process. A background task may finish after that process has \
      ended, and the handler cannot be restored. URLSession therefore rejects such tasks. A wrapper that stores the handlers \
      itself cannot call them after a relaunch. The variant says what happened: "refused", or "nobody called" (the task \
      finished after a relaunch, without a handler).
      """,
    remedy: """
      Receive completions in the session's delegate. Identify the task by a record that the app stores on disk, not by values \
      that a closure captured.
      """,
    sources: [
      "https://github.com/floschliep/NSURLSession-SynchronousTask/issues/4",
      "https://github.com/AFNetworking/AFNetworking/issues/1792", "https://blog.csdn.net/zengconggen/article/details/77648094",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the session rejected the task", .certain, variant: "refused", cites: [.taskRejected], made(), .at(1, rejected)),
      RuleExample(
        "the task finished after a relaunch", .certain, variant: "nobody called", cites: [.taskCreated, .taskCompleted],
        steps: [made(), .at(1, created(.closure))] + relaunch + [.at(30, completed, by: .nextLife)]),
    ],
    staysSilent: [
      RuleExample("the task finished in the process that created it", made(), .at(1, created(.closure)), .at(9, completed)),
      RuleExample(
        "the delegate is called after a relaunch",
        steps: [made(), .at(1, created(.delegate))] + relaunch + [.at(30, completed, by: .nextLife)]),
      RuleExample("the session is a default session", made(.default), .at(1, created(.closure)), .at(9, completed)),
      RuleExample(
        "the task was rejected for another reason",
        made(), .at(1, TaskRejected(session: session, instance: instance, type: .download, rejection: .badURL))),
    ])

  static let watches: Set<EventKind> = [.taskRejected, .taskCompleted]
  static let remembers: Set<EventKind> = [.taskCreated]

  /// The process life that created the task with a completion handler. No other life has the handler.
  struct Memory {
    let creator: Int
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    if event.completion == .closure || event.completion == .async { memory = Memory(creator: task.process) }
  }

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let refused = session.refusals.tasks.first { $0.reason == .completionHandlerInBackground }
    guard let refused else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        variant: "refused", summary: "Background session \(session.identifier) rejected a task with a completion handler.",
        claim: .presence, evidence: refused.rejected))
  }

  func verdict(on task: TaskLifecycle, remembering memory: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let created = task.created, let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard world.sessionKind(of: task) == .background, task.process != memory.creator,
      world.processes[task.process].role != .daemon
    else { return .silent }
    return .finding(
      Draft(
        variant: "nobody called",
        summary: """
          Task \(task.identity.label) was created with a completion handler, but finished after a relaunch, when the handler no \
          longer existed.
          """,
        claim: .presence, evidence: created, [completed]))
  }
}
