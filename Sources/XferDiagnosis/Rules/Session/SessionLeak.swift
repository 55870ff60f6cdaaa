import XferEvents
import XferLifecycle
import XferReplay

/// Reports a process that creates sessions and never invalidates them.
struct SessionLeak: ProcessRule {
  private enum Ending { case none, released, invalidated }

  /// Returns steps that create sessions one second apart and end each session, if requested, half a second later.
  private static func sessions(
    _ count: Int, kind: SessionKind = .default, isCounted: Bool = true, ending: Ending = .none
  ) -> [RuleExample.Step] {
    (1...count).flatMap { number -> [RuleExample.Step] in
      let (name, instance) = ("default-\(number)", CorrelationID(UInt64(number)))
      let live = isCounted ? Int64(ending == .none ? number : 1) : nil
      let created = SessionCreated(session: name, instance: instance, sessionKind: kind, liveSessions: live)
      let first: RuleExample.Step = .at(.seconds(number), created)
      let time: Duration = .seconds(number) + .milliseconds(500)
      switch ending {
      case .none: return [first]
      case .released: return [first, .at(time, SessionReleased(session: name, instance: instance))]
      case .invalidated:
        return [
          first,
          .at(time, SessionInvalidationRequested(session: name, instance: instance, invalidation: .finishTasks, by: .app)),
        ]
      }
    }
  }

  static let description = RuleDescription(
    id: "session-leak", severity: .warning,
    summary: "The process created many sessions and did not invalidate them.",
    explanation: """
      A session keeps its delegate, its connections, its cache and, on Linux, its threads until it is invalidated; dropping \
      the app's last reference to it is not enough. An app that creates a session for each task cannot reuse a connection, \
      needs a TLS handshake for each task, and fails when it runs out of descriptors or threads. The variant says what the log \
      shows: "too many live", if too many sessions were live at the same time, or "never let go", if the process exited \
      normally, and none of its sessions had been invalidated or deallocated (session.released).
      """,
    remedy: """
      Create one session and use it for all tasks of the same kind. If a session is for one task only, call \
      finishTasksAndInvalidate() right after you resume the task. Keep a background session for as long as the app runs.
      """,
    sources: [
      "https://github.com/BranchMetrics/ios-branch-deep-linking-attribution/pull/188",
      "https://github.com/swiftlang/swift-corelibs-foundation/issues/3497",
      "https://developer.apple.com/documentation/foundation/urlsession/1407428-finishtasksandinvalidate",
    ],
    reports: [
      RuleExample(
        "twenty sessions are live, according to the process's own count", .certain, variant: "too many live",
        cites: [.first(.sessionCreated), .last(.sessionCreated)],
        steps: [.at(0, ProcessStarted(executable: "app"))] + sessions(20)),
      RuleExample(
        "twenty sessions were created and none was invalidated", .probable, variant: "too many live",
        cites: [.first(.sessionCreated), .last(.sessionCreated)],
        steps: [.at(0, ProcessStarted(executable: "app"))] + sessions(20, isCounted: false)),
      RuleExample(
        "none of five sessions was invalidated before the exit", .certain, variant: "never let go",
        cites: [.first(.sessionCreated), .last(.sessionCreated), .processExited],
        steps: [.at(0, ProcessStarted(executable: "app"))] + sessions(5) + [
          .at(30, ProcessExited(code: 0, exitReason: .returned)), .at(30, LogClosed()),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "one background session is kept until the app exits", steps: sessions(1, kind: .background) + [.at(30, LogClosed())]),
      RuleExample("one session is used for all tasks", steps: sessions(1) + [.at(30, LogClosed())]),
      RuleExample(
        "each of twenty sessions is invalidated after its task was resumed",
        steps: sessions(20, ending: .invalidated) + [.at(60, LogClosed())]),
      RuleExample("each of five sessions is released", steps: sessions(5, ending: .released) + [.at(60, LogClosed())]),
      RuleExample(
        "the process was killed before it could invalidate its sessions",
        steps: sessions(5) + [
          .at(30, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)
        ]),
      RuleExample("five sessions are live while the process runs", steps: sessions(5) + [.at(30, LogHeartbeatWritten())]),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  /// The number of live sessions that counts as too many. An app needs about one session per kind of work.
  var liveSessions = 20
  /// The number of sessions without an end that counts as a leak; smaller numbers are common.
  var keptSessions = 5

  static let limits = [
    RuleLimit("live-sessions", \Self.liveSessions, "the number of live sessions in a process that counts as too many"),
    RuleLimit("kept-sessions", \Self.keptSessions, "the number of sessions kept until the process ends that counts as a leak"),
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let sessions = process.sessions
    let isOver = process.endFact != nil
    guard let first = sessions.first, let last = sessions.last else { return isOver || asked.isEndOfLog ? .silent : nil }
    let name = process.executable ?? "The process"
    if sessions.live >= liveSessions {
      // The process's own count is direct evidence. A count derived from events relies on missing invalidation events.
      let isCounted = sessions.counted ?? 0 >= liveSessions
      return .finding(
        Draft(
          variant: "too many live", summary: "\(name) had \(sessions.live) live sessions at the same time.",
          claim: isCounted ? .presence : .absence(since: first, shownBy: .coverage), evidence: first, [last],
          missing: isCounted ? [] : [.init(.sessionInvalidationRequested, dueBy: last.moment)],
          unless: ["the app needs this many sessions at the same time"]))
    }
    guard let end = process.exited ?? process.logClosed else { return isOver || asked.isEndOfLog ? .silent : nil }
    guard sessions.letGo == 0, sessions.made >= keptSessions else { return .silent }
    return .finding(
      Draft(
        variant: "never let go",
        summary: "\(name) created \(sessions.made) sessions, and none of them was invalidated or deallocated before it ended.",
        claim: .absence(since: first, shownBy: .end(end)), evidence: first, [last, end],
        missing: [.init(.sessionInvalidationRequested, dueBy: end.moment)]))
  }

  func finalSummary(of finding: Finding, about place: Int, in world: World) -> String? {
    guard finding.variant == "too many live" else { return nil }
    let process = world.processes[place]
    return "\(process.executable ?? "The process") had \(process.sessions.peak) live sessions at the same time."
  }
}
