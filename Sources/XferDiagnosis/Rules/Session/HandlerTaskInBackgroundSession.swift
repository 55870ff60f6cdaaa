import XferEvents
import XferLifecycle
import XferReplay

/// A background session was given a task with a completion handler.
struct HandlerTaskInBackgroundSession: SessionRule, TaskRule {
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
  private static let over: [RuleExample.Step] = [
    .at(1, TaskResumed()), .at(5, ProcessExited(code: 0, exitReason: .returned)), .at(20, TaskAdopted(), by: .nextLife),
  ]

  static let description = RuleDescription(
    id: "handler-task-in-background-session", severity: .notice,
    summary: "A background session was asked for a task with a completion handler, which does not outlive its process.",
    explanation: """
      A completion handler is code with what it has captured, in the memory of one process. A background task may end when that \
      process is gone, and nothing can bring the handler back. URLSession refuses such tasks; wrappers that keep the handlers \
      themselves call nobody after a relaunch. The variant says what happened: "refused", or "nobody called".
      """,
    remedy:
      "Use the session's delegate, and find what a task was for by what the app has on disk, not by what a closure captured.",
    sources: [
      "https://github.com/floschliep/NSURLSession-SynchronousTask/issues/4",
      "https://github.com/AFNetworking/AFNetworking/issues/1792", "https://blog.csdn.net/zengconggen/article/details/77648094",
    ],
    reports: [
      RuleExample("the session refused it", .certain, variant: "refused", cites: [.taskRejected], made(), .at(1, rejected)),
      RuleExample(
        "it ended in the app's next life", .certain, variant: "nobody called", cites: [.taskCreated, .taskCompleted],
        steps: [made(), .at(1, created(.closure))] + over + [.at(30, completed, by: .nextLife)]),
    ],
    staysSilent: [
      RuleExample("it ended in the same life", made(), .at(1, created(.closure)), .at(9, completed)),
      RuleExample(
        "its delegate is called in the next life",
        steps: [made(), .at(1, created(.delegate))] + over + [.at(30, completed, by: .nextLife)]),
      RuleExample("a default session", made(.default), .at(1, created(.closure)), .at(9, completed)),
      RuleExample(
        "refused for another reason",
        made(), .at(1, TaskRejected(session: session, instance: instance, type: .download, rejection: .badURL))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.hasHandler)]
  static let watches: Set<EventKind> = [.taskRejected, .taskCompleted]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let refused = session.refusals.tasks.first { $0.reason == .completionHandlerInBackground }
    guard let refused else { return asked.isEndOfLog ? .silent : nil }
    return .finding(
      Draft(
        variant: "refused", summary: "Background session \(session.identifier) refused a task with a completion handler.",
        claim: .presence, evidence: refused.rejected))
  }

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let maker = task.oddities.handlerProcess, let created = task.created, let completed = task.completed else {
      return asked.isTaskOver ? .silent : nil
    }
    guard task.process != maker, world.processes[task.process].role != .daemon else { return .silent }
    return .finding(
      Draft(
        variant: "nobody called",
        summary:
          "Task \(task.identity.text) was made with a completion handler and ended in another life of the app, which has none.",
        claim: .presence, evidence: created, [completed]))
  }
}
