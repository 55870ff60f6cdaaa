import XferEvents
import XferLifecycle
import XferReplay

/// Each launch makes background sessions with new identifiers, and nobody comes for what the earlier ones had.
struct EphemeralIdentifier: ProcessRule {
  private static let earlier = "com.example.8A6E0804-2BD0-4672-B79D-D97027F9071A"
  private static let later = "com.example.1B4E28BA-2FA1-41D2-883F-0016D3CCA427"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: earlier, number: 1)

  private static func created(_ session: String, _ instance: UInt64) -> SessionCreated {
    SessionCreated(session: session, instance: CorrelationID(instance), sessionKind: .background)
  }
  /// A download is begun, and the app is gone before it ends.
  private static func firstLife(_ session: String) -> [RuleExample.Step] {
    let task = TaskIdentity(uid: task.uid, session: session, number: 1)
    let creation = created(session, 1)
    return [
      .at(0, ProcessStarted(startReason: .user, executable: "app")),
      .at(0.005, creation),
      .at(0.01, TaskCreated(task: task, type: .download)),
      .at(0.011, TaskResumed(task: task)),
      .at(5, ProcessExited(code: 0, exitReason: .exitCall)), .at(5, LogClosed()),
    ]
  }
  private static let nextStarted: RuleExample.Step = .at(20, ProcessStarted(startReason: .user, executable: "app"), by: .nextLife)
  private static let covered: RuleExample.Step = .at(90, LogHeartbeatWritten(), by: .nextLife)

  static let description = RuleDescription(
    id: "ephemeral-identifier", severity: .critical,
    summary: "Each launch makes background sessions with new identifiers, and the tasks of the earlier ones are nobody's.",
    explanation: """
      The identifier is the only thread between an app and the transfers that it left behind: whoever makes a session with \
      the same one gets its tasks back. A new UUID for each download or each launch cuts it. What was under way goes on in \
      the system, ends, and has nobody to be given to. Identifiers count as made up anew where a part of them looks like a \
      UUID or a long number, or where three launches had none in common.
      """,
    remedy: """
      Use a constant identifier, for example the bundle's followed by a word. Where it has to be generated, write it down \
      before the first task is made, and make the sessions of all identifiers that were written down at each launch.
      """,
    sources: [
      "https://github.com/MacPaw/OpenAI/issues/81", "https://github.com/apollographql/apollo-ios/issues/1362",
      "https://vmhkb.mspwftt.com/forums/thread/74730",
    ],
    needsNoDebugger: true,
    reports: [
      RuleExample(
        "a new UUID in the next launch, while the first download still runs", .probable, cites: [.sessionCreated],
        steps: firstLife(earlier) + [nextStarted, .at(21, created(later, 2), by: .nextLife), covered]),
      RuleExample(
        "the app is woken for the first identifier and has a second", .certain, cites: [.sessionCreated, .last(.processExited)],
        steps: firstLife(earlier) + [
          .at(20, ProcessStarted(startReason: .transfer, background: true, executable: "app"), by: .nextLife),
          .at(20, WakeDelivered(session: earlier, handler: HandlerID(3)), by: .nextLife),
          .at(21, created(later, 2), by: .nextLife), .at(25, ProcessExited(code: 0, exitReason: .returned), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a new one for new work, and the earlier one is made again",
        steps: firstLife(earlier) + [
          nextStarted, .at(21, created(later, 2), by: .nextLife), .at(22, created(earlier, 3), by: .nextLife), covered,
        ]),
      RuleExample(
        "a new one for new work, and the earlier one is made again when the app has started",
        steps: firstLife(earlier) + [
          nextStarted, .at(21, created(later, 2), by: .nextLife), .at(30, LogHeartbeatWritten(), by: .nextLife),
          .at(40, created(earlier, 3), by: .nextLife), covered,
        ]),
      RuleExample(
        "a new one, when the earlier one has nothing left",
        steps: firstLife(earlier).dropLast(2) + [
          .at(3, TaskTransferred(task: task, received: 10, status: 200)),
          .at(4, TaskCompleted(task: task, received: 10, status: 200)), .at(4, TaskAcknowledged(task: task)),
          .at(5, ProcessExited(code: 0, exitReason: .exitCall)), nextStarted, .at(21, created(later, 2), by: .nextLife),
          covered,
        ]),
      RuleExample(
        "one constant name gave way to another",
        steps: firstLife("com.example.v1") + [
          nextStarted, .at(21, created("com.example.v2", 2), by: .nextLife), covered,
        ]),
      RuleExample(
        "the same name in both launches",
        steps: firstLife("com.example.img") + [
          nextStarted, .at(21, created("com.example.img", 2), by: .nextLife), covered,
        ]),
    ])

  static let watches: Set<EventKind> = [.sessionCreated, .processExited]

  /// For an app that makes its sessions one after another as it starts.
  var patience: Duration = .seconds(30)

  static let limits = [
    RuleLimit("patience", \Self.patience, "how long a life of the app may take to make the sessions of earlier ones")
  ]
  /// Lives without a name in common, where no name looks generated.
  private static let livesLimit = 3
  /// Sessions of one life, and lives, to look at: more would show nothing new.
  private static let sessionsLimit = 64
  private static let lookBack = 8
  /// Sessions to cite.
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
    // Whoever makes so many says nothing new with one more.
    if own.count > Self.sessionsLimit, !isOver, !asked.isEndOfLog { return .wait(patience, after: first) }
    guard end != nil || asked.covered(since: first, by: process) >= patience else {
      return isOver || asked.isEndOfLog ? .silent : .wait(patience, after: first)
    }
    guard let story = Story(place, own, in: world) else { return .silent }
    return .finding(
      Draft(
        summary: """
          \(process.executable ?? "The app") makes background sessions with new identifiers at each launch; \
          \(story.abandoned.count == 1 ? "one" : "\(story.abandoned.count)") of an earlier launch \
          \(story.abandoned.count == 1 ? "has" : "have") tasks that nobody comes for, as \(story.abandoned[0].identifier).
          """,
        claim: .absence(since: first, shownBy: end.map { .end($0) } ?? .coverage),
        evidence: first, story.abandoned.prefix(Self.cited).map(\.created) + [end],
        missing: [.init(.sessionCreated, dueBy: first.due(within: patience))],
        unless: ["the app keeps the identifiers and makes those sessions later"]))
  }

  /// What the lives of one app made, up to one of them.
  private struct Story {
    /// Sessions of earlier lives that have work left and were not made again.
    let abandoned: [SessionLifecycle]

    /// `nil` where names come again, or nothing is left behind.
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
      // A name that was made again, by whichever life, is one that the app knows.
      guard !candidates.isEmpty, !(own + candidates).contains(where: { Self.cameAgain($0.identifier, in: world) }) else {
        return nil
      }
      let templates = Set(own.map { GeneratedName($0.identifier) }.filter(\.isGenerated).map(\.template))
      if lives < EphemeralIdentifier.livesLimit {
        candidates = candidates.filter {
          let name = GeneratedName($0.identifier)
          return name.isGenerated && templates.contains(name.template)
        }
      }
      let busy = Self.busy(in: world)
      abandoned = candidates.filter { busy.contains($0.identifier) }
      if abandoned.isEmpty { return nil }
    }

    private static func cameAgain(_ identifier: String, in world: World) -> Bool {
      let places = world.background.places(of: identifier)
      guard let first = places.first.map({ world.sessions[$0].process }) else { return false }
      return places.contains { world.sessions[$0].process != first }
    }

    /// Sessions with tasks that run, or ended and were never given to the app, or with a wake that is not over.
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
