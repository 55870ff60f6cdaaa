import XferEvents
import XferLifecycle
import XferReplay

/// A task that timed out without ever having a connection.
struct TimeoutButNeverSent: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .data, requestTimeout: .seconds(60))), .at(0.001, TaskResumed()),
    .at(0.002, AttemptStarted(attempt: 1)),
  ]
  private static let connected = RuleExample.Step.at(0.009, AttemptConnectionAcquired(attempt: 1))
  private static func timedOut(_ phase: AttemptPhase?, nameLookup: Duration? = nil) -> [RuleExample.Step] {
    [
      .at(
        60, AttemptEnded(attempt: 1, end: .timeout, domain: .curl, error: 28, nameLookupTime: nameLookup, phase: phase)),
      .at(60, completed),
    ]
  }
  private static let completed = TaskCompleted(
    delivery: DeliveryID(1), domain: .url, error: -1001, errorName: "timedOut")

  static let description = RuleDescription(
    id: "timeout-but-never-sent", severity: .error,
    summary: "The task timed out without ever having a usable connection.",
    explanation: """
      "The request timed out" suggests a slow server, but here the server never received the request, because no connection \
      was ready to carry it. Right after the device starts, after a change of network, or behind a firewall that drops \
      packets, the first packet remains unanswered or is not sent at all. The variant names the phase in which the attempt \
      timed out: it was still "queued", it was "connecting", or it was connected but still negotiating TLS ("securing"). If \
      the log does not name the phase but contains a nameLookupTime, the host name was resolved, and the variant is \
      "connecting". This rule does not report a timeout during name resolution.
      """,
    remedy: """
      Wait for a network path before the first request (waitsForConnectivity), and retry when the path changes. If the log \
      shows the same timeout at all times, check firewalls, and check for addresses of the host on which no server listens.
      """,
    sources: ["https://forums.developer.apple.com/forums/thread/771663"],
    consequenceOf: [
      "request-timeout-while-queued", "waits-for-connectivity-forever", "network-policy-blocked", "connection-slot-starvation",
    ],
    reports: [
      RuleExample(
        "the first packet remained unanswered", .certain, variant: "connecting",
        cites: [.attemptStarted, .attemptEnded, .taskCompleted], steps: begun + timedOut(.connecting)),
      RuleExample(
        "the host name was resolved, but no connection was established", .certain, variant: "connecting",
        cites: [.attemptStarted, .attemptEnded, .taskCompleted],
        steps: begun + timedOut(nil, nameLookup: .milliseconds(9))),
      RuleExample(
        "the attempt was queued all the time", .certain, variant: "queued",
        cites: [.attemptStarted, .attemptEnded, .taskCompleted], steps: begun + timedOut(.queued)),
    ],
    staysSilent: [
      RuleExample("the host name was not resolved", steps: begun + timedOut(.resolving)),
      RuleExample("the connection was established, but no response came", steps: begun + [connected] + timedOut(.waiting)),
      RuleExample(
        "an earlier attempt had a connection",
        steps: begun + [
          connected, .at(1, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, retryIn: .zero)),
          .at(1, AttemptStarted(attempt: 2)), .at(61, AttemptEnded(attempt: 2, end: .timeout, phase: .connecting)),
          .at(61, completed),
        ]),
      RuleExample(
        "the connection was refused immediately",
        steps: begun + [
          .at(0.009, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 7, phase: .connecting)),
          .at(0.009, TaskCompleted(delivery: DeliveryID(1), domain: .url, error: -1004)),
        ]),
      RuleExample("the log does not name the phase of the attempt", steps: begun + timedOut(nil)),
    ])

  static let presupposes: Set<TaskSign>? = [.failure]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    if task.timedOut, task.connections == 0, task.attempt == nil, world.processes[task.process].coverage != nil {
      return .undecidable(needs: "the events of the attempt")
    }
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
        summary: "Task \(task.identity.label) timed out without ever having a usable connection (\(phase.name)).",
        claim: .absence(since: started, shownBy: .end(end)), evidence: started, [attempt.ended, completed],
        missing: [.init(.attemptConnectionAcquired, dueBy: end.moment)]))
  }
}
