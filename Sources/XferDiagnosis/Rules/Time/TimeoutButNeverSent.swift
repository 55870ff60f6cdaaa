import XferEvents
import XferLifecycle
import XferReplay

/// The task timed out and had never had a connection.
struct TimeoutButNeverSent: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data, requestTimeout: .seconds(60))), .at(0.001, TaskResumed()),
  ]
  private static let started = AttemptStarted(attempt: 1)
  private static func ended(_ phase: AttemptPhase?, nameLookup: Duration? = nil) -> AttemptEnded {
    AttemptEnded(
      task: .example, attempt: 1, end: .timeout, domain: .curl, error: 28, nameLookupTime: nameLookup, phase: phase)
  }
  private static let completed = TaskCompleted(
    task: .example, delivery: DeliveryID(1), domain: .url, error: -1001, errorName: "timedOut")

  static let description = RuleDescription(
    id: "timeout-but-never-sent", severity: .error,
    summary: "The task timed out, and there never was a connection for it.",
    explanation: """
      "The request timed out" sounds like a slow server. Here the server never heard of it: no connection came about in all \
      the time. Right after a start of the device, behind a change of the network, or with a firewall that answers nothing, \
      the first packet goes out and nothing comes back, or nothing goes out at all. The variant names what was under way: \
      "connecting", "securing", or "queued" when nothing had been begun. Time that was spent on the name is another matter, \
      and told by nameLookupTime.
      """,
    remedy: """
      Wait for a path to the network before the first request (waitsForConnectivity), and try again when it changes. When the \
      log shows the same at all times, look at firewalls and at addresses of the host that nobody listens at.
      """,
    sources: ["https://forums.developer.apple.com/forums/thread/771663"],
    consequenceOf: [
      "request-timeout-while-queued", "waits-for-connectivity-forever", "network-policy-blocked", "connection-slot-starvation",
    ],
    reports: [
      RuleExample(
        "nothing answered the first packet", .certain, variant: "connecting",
        cites: [.attemptStarted, .attemptEnded, .taskCompleted],
        steps: begun + [.at(0.002, started), .at(60, ended(.connecting)), .at(60, completed)]),
      RuleExample(
        "its name was found, and nothing more", .certain, variant: "connecting",
        cites: [.attemptStarted, .attemptEnded, .taskCompleted],
        steps: begun + [.at(0.002, started), .at(60, ended(nil, nameLookup: .milliseconds(9))), .at(60, completed)]),
      RuleExample(
        "nobody had taken it up", .certain, variant: "queued", cites: [.attemptStarted, .attemptEnded, .taskCompleted],
        steps: begun + [.at(0.002, started), .at(60, ended(.queued)), .at(60, completed)]),
    ],
    staysSilent: [
      RuleExample(
        "its name was not found",
        steps: begun + [.at(0.002, started), .at(60, ended(.resolving)), .at(60, completed)]),
      RuleExample(
        "there was a connection, and no answer",
        steps: begun + [
          .at(0.002, started), .at(0.009, AttemptConnectionAcquired(attempt: 1)), .at(60, ended(.waiting)), .at(60, completed),
        ]),
      RuleExample(
        "an earlier attempt had one",
        steps: begun + [
          .at(0.002, started), .at(0.009, AttemptConnectionAcquired(attempt: 1)),
          .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .zero)),
          .at(1, AttemptStarted(attempt: 2)), .at(61, AttemptEnded(attempt: 2, end: .timeout, phase: .connecting)),
          .at(61, completed),
        ]),
      RuleExample(
        "refused at once",
        steps: begun + [
          .at(0.002, started),
          .at(0.009, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 7, phase: .connecting)),
          .at(0.009, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1004)),
        ]),
      RuleExample(
        "the log does not say how far it had got",
        steps: begun + [.at(0.002, started), .at(60, ended(nil)), .at(60, completed)]),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.timedOut, task.connections == 0, let attempt = task.attempt, let started = task.firstAttempt,
      attempt.requestSent == nil, attempt.responseReceived == nil, task.bytesReceived ?? 0 == 0
    else { return .silent }
    guard let phase = attempt.phase ?? (attempt.nameLookupTime == nil ? nil : .connecting) else {
      return .undecidable(needs: "phase of attempt.ended")
    }
    guard [.queued, .connecting, .securing].contains(phase) else { return .silent }
    let end = attempt.ended ?? completed
    return .finding(
      Draft(
        variant: phase.name,
        summary: "Task \(task.identity.text) timed out and never had a connection (\(phase.name)).",
        claim: .absence(since: started, shownBy: .end(end)), evidence: started, [attempt.ended, completed],
        missing: [.init(.attemptConnectionAcquired, dueBy: end.moment)]))
  }
}
