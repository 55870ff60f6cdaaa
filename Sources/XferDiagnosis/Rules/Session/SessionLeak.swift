import XferEvents
import XferLifecycle
import XferReplay

/// Sessions are made and never let go.
struct SessionLeak: ProcessRule {
  private enum Ending { case none, released, invalidated }

  /// Sessions that are made one after another; the first and the last are what is cited.
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
    summary: "The process made session after session and let none of them go.",
    explanation: """
      A session keeps its delegate, its connections, its cache and, on Linux, its threads until it is invalidated; letting go \
      of the variable is not enough. Code that makes a session for each task never uses a connection twice, pays for a TLS \
      handshake each time, and ends when descriptors, threads or the system's patience do. The variant says whether the \
      sessions that live became too many, or none was let go when the process ended in good order.
      """,
    remedy: """
      Make one session and use it for all tasks of a kind. Where a session is for one task only, call \
      finishTasksAndInvalidate right after the task is resumed. A background session is to stay.
      """,
    sources: [
      "https://github.com/BranchMetrics/ios-branch-deep-linking-attribution/pull/188",
      "https://github.com/swiftlang/swift-corelibs-foundation/issues/3497",
      "https://developer.apple.com/documentation/foundation/urlsession/1407428-finishtasksandinvalidate",
    ],
    reports: [
      RuleExample(
        "twenty sessions live, as the process itself counts", .certain, variant: "too many live",
        cites: [.first(.sessionCreated), .last(.sessionCreated)],
        steps: [.at(0, ProcessStarted(executable: "app"))] + sessions(20)),
      RuleExample(
        "twenty were made and none was let go", .probable, variant: "too many live",
        cites: [.first(.sessionCreated), .last(.sessionCreated)],
        steps: [.at(0, ProcessStarted(executable: "app"))] + sessions(20, isCounted: false)),
      RuleExample(
        "none of five was let go at the end", .certain, variant: "never let go",
        cites: [.first(.sessionCreated), .last(.sessionCreated), .processExited],
        steps: [.at(0, ProcessStarted(executable: "app"))] + sessions(5) + [
          .at(30, ProcessExited(code: 0, exitReason: .returned)), .at(30, LogClosed()),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "one background session that lives as long as the app",
        steps: sessions(1, kind: .background) + [.at(30, LogClosed())]),
      RuleExample(
        "the one session that is used for everything",
        steps: sessions(1) + [.at(30, LogClosed())]),
      RuleExample(
        "twenty sessions, each let go when its task was resumed",
        steps: sessions(20, ending: .invalidated) + [.at(60, LogClosed())]),
      RuleExample(
        "five sessions, each released",
        steps: sessions(5, ending: .released) + [.at(60, LogClosed())]),
      RuleExample(
        "the process was killed before it could let them go",
        steps: sessions(5) + [
          .at(30, ProcessExitObserved(launch: ExampleProcess.app.launch, exitReason: .missing), by: .nextLife)
        ]),
      RuleExample(
        "a few sessions live while the process runs",
        steps: sessions(5) + [.at(30, LogHeartbeatWritten())]),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  /// More than any app has a use for: one for each kind of work is what sessions are meant for.
  var liveSessions = 20
  /// A few that live as long as their process are the use that is recommended.
  var keptSessions = 5

  static let limits = [
    RuleLimit("live-sessions", \Self.liveSessions, "from how many live sessions of a process on they are too many"),
    RuleLimit("kept-sessions", \Self.keptSessions, "how many sessions a process may keep until it ends"),
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let sessions = process.sessions
    let isOver = process.endFact != nil
    guard let first = sessions.first, let last = sessions.last else { return isOver || asked.isEndOfLog ? .silent : nil }
    let name = process.executable ?? "The process"
    if sessions.live >= liveSessions {
      // What the process counts is shown by the count itself; what is concluded from its events, by what is not there.
      let isCounted = sessions.counted ?? 0 >= liveSessions
      return .finding(
        Draft(
          variant: "too many live", summary: "\(name) has \(sessions.live) sessions that live at the same time.",
          claim: isCounted ? .presence : .absence(since: first, shownBy: .coverage), evidence: first, [last],
          missing: isCounted ? [] : [.init(.sessionInvalidationRequested, dueBy: last.moment)],
          unless: ["so many are needed at the same time"]))
    }
    guard let end = process.exited ?? process.logClosed else { return isOver || asked.isEndOfLog ? .silent : nil }
    guard sessions.letGo == 0, sessions.made >= keptSessions else { return .silent }
    return .finding(
      Draft(
        variant: "never let go", summary: "\(name) made \(sessions.made) sessions and let none of them go before it ended.",
        claim: .absence(since: first, shownBy: .end(end)), evidence: first, [last, end],
        missing: [.init(.sessionInvalidationRequested, dueBy: end.moment)]))
  }
}
