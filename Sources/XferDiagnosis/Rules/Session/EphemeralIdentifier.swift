import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that creates background sessions with new identifiers at each launch and orphans the earlier tasks.
struct EphemeralIdentifier: ProcessRule {
  private static let earlier = "com.example.8A6E0804-2BD0-4672-B79D-D97027F9071A"
  private static let later = "com.example.1B4E28BA-2FA1-41D2-883F-0016D3CCA427"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: earlier, number: 1)

  private static func created(_ session: String, _ instance: UInt64) -> SessionCreated {
    SessionCreated(session: session, instance: CorrelationID(instance), sessionKind: .background)
  }
  /// The steps of a launch in which the app starts a download and exits before the download ends.
  private static func firstLife(_ session: String) -> [RuleExample.Step] {
    let task = TaskIdentity(uid: task.uid, session: session, number: 1)
    return [
      .at(0, ProcessStarted(startReason: .user, executable: "app")), .at(0.005, created(session, 1)),
      .at(0.01, TaskCreated(task: task, type: .download)), .at(0.011, TaskResumed(task: task)),
      .at(5, ProcessExited(code: 0, exitReason: .exitCall)), .at(5, LogClosed()),
    ]
  }
  /// The steps of a launch in which the app completes a download before it exits.
  private static let completeLife: [RuleExample.Step] =
    firstLife(earlier).dropLast(2) + [
      .at(3, TaskTransferred(task: task, received: 10, status: 200)),
      .at(4, TaskCompleted(task: task, received: 10, status: 200)), .at(4, TaskAcknowledged(task: task)),
      .at(5, ProcessExited(code: 0, exitReason: .exitCall)),
    ]
  /// The steps of a later launch that creates a session; then `steps` follow.
  private static func nextLife(_ session: String, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    let begin: [RuleExample.Step] = [
      .at(20, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife),
      .at(21, created(session, 2), by: .nextLife),
    ]
    return begin + steps + [.at(90, LogHeartbeatWritten(), by: .nextLife)]
  }

  static let description = RuleDescription(
    id: "ephemeral-identifier", severity: .critical,
    summary:
      "The app creates background sessions with new identifiers at each launch, so the tasks of earlier sessions are orphaned.",
    explanation: """
      A session's identifier is the only link between an app and its transfers from an earlier launch: a session with the same \
      identifier gets those tasks back. With a new UUID for each download or each launch, the link is lost. The system \
      finishes the earlier tasks, but cannot deliver their results to the app. An identifier counts as generated if a part of \
      it looks like a UUID or a long number. Other identifiers count as generated only if three launches never use the same one.
      """,
    remedy: """
      Use a constant identifier, for example the bundle identifier followed by a word. If you must generate one, store it \
      before you create the first task. At each launch, create the sessions of all stored identifiers.
      """,
    sources: [
      "https://github.com/MacPaw/OpenAI/issues/81", "https://github.com/apollographql/apollo-ios/issues/1362",
      "https://vmhkb.mspwftt.com/forums/thread/74730",
    ],
    needsNoDebugger: true,
    reports: [
      RuleExample(
        "the next launch uses a new UUID while the first download still runs", .probable, cites: [.sessionCreated],
        steps: firstLife(earlier) + nextLife(later)),
      RuleExample(
        "the app is relaunched for the first identifier and creates a second one", .certain,
        cites: [.sessionCreated, .last(.processExited)],
        steps: firstLife(earlier) + [
          .at(20, ProcessStarted(startReason: .transfer, background: true, executable: "app"), by: .nextLife),
          .at(20, WakeDelivered(session: earlier, handler: HandlerID(3)), by: .nextLife),
          .at(21, created(later, 2), by: .nextLife), .at(25, ProcessExited(code: 0, exitReason: .returned), by: .nextLife),
        ]),
      RuleExample(
        "another session of the app keeps its identifier", .probable,
        cites: [.first(.sessionCreated), .number(3, .sessionCreated)],
        steps: firstLife(earlier).prefix(2) + [.at(0.006, created("com.example.main", 4))] + firstLife(earlier).dropFirst(2)
          + nextLife(later, .at(21, created("com.example.main", 5), by: .nextLife))),
    ],
    staysSilent: [
      RuleExample(
        "the app also recreates the earlier session",
        steps: firstLife(earlier) + nextLife(later, .at(22, created(earlier, 3), by: .nextLife))),
      RuleExample(
        "the app recreates the earlier session some time after its launch",
        steps: firstLife(earlier)
          + nextLife(later, .at(30, LogHeartbeatWritten(), by: .nextLife), .at(40, created(earlier, 3), by: .nextLife))),
      RuleExample("the earlier session has no tasks left", steps: completeLife + nextLife(later)),
      RuleExample(
        "a constant identifier was replaced with another one", steps: firstLife("com.example.v1") + nextLife("com.example.v2")),
      RuleExample("both launches use the same identifier", steps: firstLife("com.example.img") + nextLife("com.example.img")),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .processExited]

  /// How long after its first session a launch may take to recreate the sessions of earlier launches.
  var patience: Duration = .seconds(30)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long after its first session a launch may take to recreate earlier sessions")
  ]
  /// The number of launches without a common identifier that are required if no identifier looks generated.
  private static let livesLimit = 3
  /// The maximum number of sessions to examine per launch.
  private static let sessionsLimit = 64
  /// The maximum number of launches to examine.
  private static let lookBack = 8
  /// The maximum number of sessions to cite.
  private static let cited = 5

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    let isOver = process.endFact != nil
    guard let launch = process.launch, !world.background.isEmpty,
      let place = world.processes.lastIndex(where: { $0.launch == launch })
    else { return isOver || asked.isEndOfLog ? .silent : nil }
    let own = world.background.places(ofProcess: place).compactMap { world.sessions[$0].created == nil ? nil : $0 }
    guard let first = own.first.flatMap({ world.sessions[$0].created }) else {
      return isOver || asked.isEndOfLog ? .silent : nil
    }
    let end = process.exited ?? process.logClosed
    // A process with this many sessions is judged when the wait or the process ends, not after each further session.
    if own.count > Self.sessionsLimit, !isOver, !asked.isEndOfLog { return .wait(patience, after: first) }
    guard end != nil || asked.covered(since: first, by: process) >= patience else {
      return isOver || asked.isEndOfLog ? .silent : .wait(patience, after: first)
    }
    guard let story = Story(place, own, in: world) else { return .silent }
    let (count, name) = (story.abandoned.count, story.abandoned[0].identifier)
    let orphaned =
      count == 1
      ? "session \(name) of an earlier launch still has tasks and was"
      : "\(count) sessions of earlier launches, such as \(name), still have tasks and were"
    return .finding(
      Draft(
        summary: """
          \(process.executable ?? "The app") creates background sessions with new identifiers at each launch; \
          \(orphaned) not recreated.
          """,
        claim: .absence(since: first, shownBy: end.map { .end($0) } ?? .coverage),
        evidence: first, story.abandoned.prefix(Self.cited).map(\.created) + [end],
        missing: [.init(.sessionCreated, dueBy: first.due(within: patience))],
        unless: ["the app stores the identifiers and recreates those sessions later"]))
  }

  /// The sessions that earlier launches of an app left behind.
  private struct Story {
    /// Sessions of earlier launches that have unfinished work and were not recreated.
    let abandoned: [SessionLifecycle]

    /// Returns `nil` if the app reuses an identifier or no earlier session has unfinished work.
    init?(_ place: Int, _ own: [Int], in world: World) {
      let own = own.prefix(EphemeralIdentifier.sessionsLimit).map { world.sessions[$0] }
      var (lives, candidates) = (1, [SessionLifecycle]())
      var life = world.lifeBefore(place)
      while let earlier = life, lives < EphemeralIdentifier.lookBack {
        let sessions = world.background.places(ofProcess: earlier).suffix(EphemeralIdentifier.sessionsLimit)
          .map { world.sessions[$0] }.filter { $0.created != nil }
        if !sessions.isEmpty { lives += 1 }
        candidates = sessions + candidates
        life = world.lifeBefore(earlier)
      }
      // An identifier that appears in two launches is not generated per launch. The app may have other sessions whose identifiers are.
      let fresh = own.filter { !Self.isReused($0.identifier, in: world) }
      let count = candidates.count
      candidates.removeAll { Self.isReused($0.identifier, in: world) }
      let hasConstant = fresh.count < own.count || candidates.count < count
      if fresh.isEmpty || candidates.isEmpty { return nil }
      let templates = Set(fresh.map { GeneratedName($0.identifier) }.filter(\.isGenerated).map(\.template))
      if lives < EphemeralIdentifier.livesLimit || hasConstant {
        candidates = candidates.filter {
          let name = GeneratedName($0.identifier)
          return name.isGenerated && templates.contains(name.template)
        }
      }
      let busy = Self.busy(in: world)
      abandoned = candidates.filter { busy.contains($0.identifier) }
      if abandoned.isEmpty { return nil }
    }

    private static func isReused(_ identifier: String, in world: World) -> Bool {
      let places = world.background.places(of: identifier)
      guard let first = places.first.map({ world.sessions[$0].process }) else { return false }
      return places.contains { world.sessions[$0].process != first }
    }

    /// Returns the sessions with a running task, an undelivered completion or an unfinished background launch.
    private static func busy(in world: World) -> Set<String> {
      var busy = Set(world.wakes.filter { $0.eventsFinished == nil }.compactMap(\.session))
      for place in world.tasks.indexes {
        let task = world.tasks[place]
        if task.completed == nil, task.forgotten == nil, task.handedOff == nil, task.cancelledBy != .app {
          busy.insert(task.identity.session)
        }
      }
      return busy
    }
  }
}
