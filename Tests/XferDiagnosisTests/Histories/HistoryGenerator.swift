import XferEvents

/// A generator of random histories without faults.
struct HistoryGenerator {
  private var stage: Stage
  /// The tasks of background sessions whose walk has not ended.
  private var going: [Going] = []
  private var background: [String] = []
  private let hasDaemon: Bool
  /// The app while it is suspended in memory; its sessions are in `kept`.
  private var suspended: Pen?
  private var kept: [Stage.Session] = []

  private struct Going {
    var teller: TaskTeller
    /// The remaining parts of the walk, separated by bars in the walk's letters.
    var parts: [Substring]
    let session: String
  }

  static func history(seed: UInt64, flaw: Flaw? = nil) -> History {
    var generator = HistoryGenerator(seed: seed)
    generator.stage.flaw = flaw
    return generator.history()
  }

  private init(seed: UInt64) {
    stage = Stage(seed: seed)
    hasDaemon = !stage.story.chance(6)
  }

  private mutating func history() -> History {
    if hasDaemon { stage.startDaemon() }
    if stage.story.chance(8) { stage.tool() }
    if stage.story.chance(8) { stage.stranger() }
    if stage.story.chance(8) { stage.recorded() }
    if hasDaemon, stage.story.chance(5) { removedApp() }
    background = hasDaemon ? (0...stage.story.number(0...1)).map { "com.example.kettle.\($0)" } : []
    let other = stage.story.chance(3) ? stage.startOther() : nil
    let app = stage.startApp(.user)
    firstLife(app, other)
    if hasDaemon {
      between(app)
      secondLife()
    } else {
      stage.exit(app, linked: false)
      if stage.story.chance(3) { anotherLifeByTheUser() }
    }
    if let other { stage.end(other) }
    stage.endDaemon()
    stage.story.sort()
    Reordering.apply(to: &stage.story)
    return stage.story.history
  }

  // MARK: The app in the foreground

  private mutating func firstLife(_ app: Pen, _ other: Pen?) {
    var sessions = [stage.makeSession(.default, "tea-1", in: app)]
    if stage.story.chance(2) { sessions.append(stage.makeSession(.ephemeral, "tea-2", in: app)) }
    var carried: [Stage.Session] = []
    if hasDaemon {
      stage.link(app)
      for identifier in background {
        let session = stage.makeSession(.background, identifier, in: app)
        stage.connect(session)
        carried.append(session)
      }
    }
    if sessions.count + carried.count > 1 { stage.story.note(.twoSessions) }
    var strands: [[Story.Move]] = []
    for session in sessions { strands += foreground(session, app) }
    for session in carried { strands += begin(session, app) }
    if let session = carried.first, stage.story.chance(3) { strands.append(handedOff(sessions[0], session, app)) }
    if hasDaemon, stage.story.chance(5) { strands.append(stage.relink(app)) }
    if let flaw = stage.flaw { strands.append(stage.strand(of: flaw, app, sessions[0], carried.first)) }
    for _ in 0..<stage.story.number(1...4) { strands.append(stage.aside(app, nil)) }
    if stage.story.chance(3) { strands.append(stage.multipart(app)) }
    if let other { strands += foreground(stage.sessions.first { $0.app == other }!, other) }
    if let session = (sessions + carried).randomElement(using: &stage.story.random), stage.story.chance(2) {
      strands.append(stage.query(session))
    }
    stage.story.together(strands)
    for session in sessions where stage.story.chance(3) { stage.invalidate(session) }
    if hasDaemon, stage.story.chance(6) { stage.giveUp(app) }
  }

  private mutating func foreground(_ session: Stage.Session, _ app: Pen) -> [[Story.Move]] {
    let scene = TaskTeller.Scene(app: app, engine: app.on(Pen.engine), launch: stage.launch(app))
    var strands: [[Story.Move]] = []
    for _ in 0..<stage.story.number(1...3) {
      var teller = self.teller(session, stage.story.pick(Walks.foreground))
      strands.append(teller.0.tell(teller.1.letters, scene, &stage.story))
    }
    if stage.story.chance(5) { strands.append(shared(session, scene)) }
    if stage.story.chance(5) { strands.append(becoming(session, scene)) }
    if stage.story.chance(5) { strands.append(resumed(session, scene)) }
    return strands
  }

  private mutating func teller(_ session: Stage.Session, _ walk: Walks.Walk) -> (TaskTeller, Walks.Walk) {
    // A task without an attempt is answered from the cache, which does not apply to uploads.
    let types: [TaskType] =
      (session.kind == .background ? [.download] : [.data, .download])
      + (walk.letters.contains { "wy(".contains($0) } ? [.upload] : [])
    var teller = TaskTeller(
      stage.story.task(of: session.identifier), walk, type: stage.story.pick(types), isBackground: session.kind == .background,
      in: &stage.story)
    if stage.story.chance(2) { teller.intent = "intent-\(stage.story.identifier())" }
    return (teller, walk)
  }

  /// Returns a task that shares another task's transfer.
  private mutating func shared(_ session: Stage.Session, _ scene: TaskTeller.Scene) -> [Story.Move] {
    stage.story.note(.shared)
    let walk = Walks.Walk("crwtfk")
    var carrier = TaskTeller(
      stage.story.task(of: session.identifier), walk, type: .data, isBackground: false, in: &stage.story)
    let way = stage.story.pick(Walks.shared)
    var sharer = TaskTeller(
      stage.story.task(of: session.identifier), way, type: .data, isBackground: false, in: &stage.story)
    sharer.carrier = carrier.task
    sharer.resource = carrier.resource
    var moves = carrier.tell("cr", scene, &stage.story)
    let bar = way.letters.firstIndex { $0 == "t" || $0 == "f" || $0 == "x" }!
    moves += sharer.tell(way.letters[..<bar], scene, &stage.story)
    moves += carrier.tell("wt", scene, &stage.story)
    moves += sharer.tell(way.letters[bar...], scene, &stage.story)
    moves += carrier.tell("fk", scene, &stage.story)
    return moves
  }

  /// Returns a data task that becomes a download after its response.
  private mutating func becoming(_ session: Stage.Session, _ scene: TaskTeller.Scene) -> [Story.Move] {
    stage.story.note(.becameDownload)
    let walk = Walks.Walk("crwtfk")
    var data = TaskTeller(stage.story.task(of: session.identifier), walk, type: .data, isBackground: false, in: &stage.story)
    var file = TaskTeller(
      stage.story.task(of: session.identifier), walk, type: .download, isBackground: false, in: &stage.story)
    file.resource = data.resource
    var moves = data.tell("cr", scene, &stage.story)
    moves += data.wire("SCQP", .success, scene, &stage.story)
    moves.append(.tell(scene.engine, AttemptEnded(task: data.task, attempt: 1, end: .handedOff, received: 0, sent: 0)))
    moves.append(.tell(scene.engine, TaskHandedOff(task: data.task, successor: file.task, received: 0)))
    moves += file.tell("c", scene, &stage.story)
    moves += Story.callback(
      .didBecomeDownload, stage.story.delivery(), of: data.task, from: scene.engine, to: scene.delegate!)
    moves.append(.tell(scene.engine, TaskResumed(task: file.task, by: .engine)))
    moves += file.wire("SPBE", .success, scene, &stage.story)
    moves += file.tell("tfk", scene, &stage.story)
    return moves
  }

  /// Returns a download that is cancelled and continued by another task from its resume data.
  private mutating func resumed(_ session: Stage.Session, _ scene: TaskTeller.Scene) -> [Story.Move] {
    stage.story.note(.resumedRange)
    var first = TaskTeller(
      stage.story.task(of: session.identifier), .init("cr(x)fk", .cancelled), type: .download, isBackground: false,
      in: &stage.story)
    first.etag = "\"strong\""
    let digest = ValueDigest(stage.story.identifier())
    first.resumeOffer = digest
    var moves = first.tell("cr", scene, &stage.story)
    moves += first.wire("SCQPB", .none, scene, &stage.story)
    moves += first.tell("x)fk", scene, &stage.story)
    var second = first.successor(stage.story.task(of: session.identifier))
    second.resumeData = digest
    moves += second.tell("cr", scene, &stage.story)
    moves += second.wire("SCQPBE", .success, scene, &stage.story)
    moves += Story.callback(
      .didResume, stage.story.delivery(), of: second.task, from: scene.engine, to: scene.delegate!)
    moves += second.tell("tfk", scene, &stage.story)
    return moves
  }

  /// Returns a download that is handed off to the daemon.
  private mutating func handedOff(_ session: Stage.Session, _ carried: Stage.Session, _ app: Pen) -> [Story.Move] {
    stage.story.note(.handOff)
    let scene = TaskTeller.Scene(app: app, engine: app.on(Pen.engine), launch: stage.launch(app))
    let walk = stage.story.pick(Walks.handedOff)
    var first = TaskTeller(
      stage.story.task(of: session.identifier), walk, type: .download, isBackground: false, in: &stage.story)
    first.intent = "intent-\(stage.story.identifier())"
    first.recordsOutcome = false
    first.etag = "\"strong\""
    let digest = ValueDigest(stage.story.identifier())
    first.resumeOffer = digest
    var moves = first.tell("cr", scene, &stage.story)
    moves += first.wire("SCQPB", .none, scene, &stage.story)
    var second = first.successor(stage.story.task(of: carried.identifier), isBackground: true)
    first.successor = second.task
    second.resumeData = digest
    second.intent = first.intent
    let daemon = TaskTeller.Scene(app: app, engine: stage.daemon!, launch: stage.launch(app))
    moves += first.tell(walk.letters.prefix { $0 != ")" }.suffix(2), scene, &stage.story)
    moves += second.tell("cr", daemon, &stage.story)
    moves += first.tell(walk.letters.drop { $0 != ")" }, scene, &stage.story)
    going.append(Going(teller: second, parts: ["wt", "dfkg"], session: carried.identifier))
    stage.openTasks.append(second.task)
    return moves
  }

  // MARK: Background sessions

  /// Adds an app that is removed while the daemon carries its tasks.
  private mutating func removedApp() {
    let name = "com.example.pot"
    var (tellers, parts): ([TaskTeller], [[Substring]]) = ([], [])
    var lives = 1
    for life in 0..<2 where life < lives {
      let app = stage.startApp(.user, executable: "pot")
      stage.link(app)
      let session = stage.makeSession(.background, name, in: app)
      stage.connect(session)
      let scene = TaskTeller.Scene(app: app, engine: stage.daemon!, launch: stage.launch(app))
      if life == 0 {
        for walk in Walks.removed.shuffled(using: &stage.story.random).prefix(4) {
          tellers.append(teller(session, walk).0)
          tellers[tellers.count - 1].intent = nil
          tellers[tellers.count - 1].ownsSource = false
          parts.append(walk.letters.split(separator: "|", omittingEmptySubsequences: false))
          lives = max(lives, parts.last!.count - 1)
        }
      }
      var strands: [[Story.Move]] = []
      for place in tellers.indices where !parts[place].isEmpty {
        strands.append(tellers[place].tell(parts[place].removeFirst(), scene, &stage.story))
      }
      stage.story.together(strands)
      stage.sessions.removeAll { $0.app == app }
      stage.leave(app, .memoryPressure, signal: 9)
      strands = []
      for place in tellers.indices where !parts[place].isEmpty {
        strands.append(
          tellers[place].tell(parts[place].removeFirst(), .init(app: nil, engine: stage.daemon!), &stage.story))
      }
      stage.story.together(strands)
    }
    for place in tellers.indices where !tellers[place].isForgotten {
      stage.story.tell(stage.daemon!, TaskForgotten(task: tellers[place].task, forgotten: .appRemoved))
    }
  }

  private mutating func begin(_ session: Stage.Session, _ app: Pen) -> [[Story.Move]] {
    let scene = TaskTeller.Scene(app: app, engine: stage.daemon!, launch: stage.launch(app))
    return (0..<stage.story.number(1...3)).map { place in
      // A new session's first task is created at once.
      let walk = place == 0 ? .init("cr|wt|dfkg") : stage.story.pick(Walks.background)
      var (teller, _) = teller(session, walk)
      let parts = walk.letters.split(separator: "|", omittingEmptySubsequences: false)
      let moves = teller.tell(parts[0], scene, &stage.story)
      if parts.count > 1 {
        going.append(Going(teller: teller, parts: Array(parts.dropFirst()), session: session.identifier))
        if !parts[0].isEmpty { stage.openTasks.append(teller.task) }
      }
      return moves
    }
  }

  /// Ends or suspends the app while the daemon carries its tasks.
  private mutating func between(_ app: Pen) {
    if going.allSatisfy({ $0.parts.count == 2 && !$0.parts[1].contains("q") && stage.openTasks.contains($0.teller.task) }),
      stage.story.chance(4)
    {
      (suspended, kept) = (app, stage.sessions.filter { $0.app == app })
      stage.story.tell(app, ProcessStateChanged(launch: stage.launch(app), state: .background), after: .milliseconds(50))
      stage.suspend(app)
      return carry()
    }
    stage.suspendOrEnd(app)
    if stage.story.chance(4) {
      stage.story.note(.daemonRestart)
      stage.endDaemon()
      stage.story.tell([.pause(.seconds(1))])
      stage.startDaemon(.restart)
    }
    if stage.story.chance(5) { stage.sleep() }
    carry()
  }

  private mutating func carry() {
    var strands: [[Story.Move]] = []
    for place in going.indices where !going[place].parts.isEmpty {
      let part = going[place].parts.removeFirst()
      strands.append(going[place].teller.tell(part, .init(app: nil, engine: stage.daemon!), &stage.story))
    }
    stage.story.together(strands)
    stage.story.tell(
      stage.daemon!, DaemonTasksListed(generation: stage.generation, count: Int64(stage.openTasks.count), tasks: stage.openTasks))
  }

  /// Launches the app for the daemon's pending events.
  private mutating func secondLife() {
    let wanted = background.filter { identifier in going.contains { $0.session == identifier && !$0.parts.isEmpty } }
    guard !wanted.isEmpty else { return suspended == nil ? anotherLifeByTheUser() : () }
    if suspended == nil, stage.story.chance(3) { interruptedLife(wanted) }
    let wasSuspended = suspended != nil
    let app: Pen
    if let suspended {
      app = suspended
      defer { self.suspended = nil }
      stage.wake(suspended: app, wanted, kept)
    } else {
      app = stage.wake(wanted)
    }
    var strands: [[Story.Move]] = []
    for place in going.indices where !going[place].parts.isEmpty {
      var part = going[place].parts.removeFirst()
      if wasSuspended { part = part.drop { $0 == "d" } }
      let scene = TaskTeller.Scene(app: app.on(Pen.engine), engine: stage.daemon!, launch: stage.launch(app))
      strands.append(going[place].teller.tell(part, scene, &stage.story))
      if going[place].parts.isEmpty { stage.openTasks.removeAll { $0 == going[place].teller.task } }
    }
    if stage.story.chance(3) { strands.append([.pause(stage.story.briefly())] + stage.secrets(app)) }
    stage.story.together(strands)
    stage.finishEvents(of: app)
    if going.contains(where: { !$0.parts.isEmpty }) {
      stage.exit(app)
      stage.sessions.removeAll { $0.app == app }
      carry()
      stage.story.note(.thirdLife)
      return secondLife()
    }
    if stage.story.chance(2) { stage.come(toFront: app) }
    stage.exit(app)
  }

  /// Adds a life started by the user before the wake, which ends before it has handled the daemon's events.
  private mutating func interruptedLife(_ identifiers: [String]) {
    stage.story.note(.redelivery)
    stage.story.note(.thirdLife)
    stage.story.tell([.pause(.seconds(3))])
    let app = stage.startApp(.user)
    stage.link(app)
    for identifier in identifiers { stage.connect(stage.makeSession(.background, identifier, in: app), pending: 2) }
    var strands: [[Story.Move]] = []
    for place in going.indices where going[place].teller.isTransferred && going[place].parts.first?.first == "d" {
      let scene = TaskTeller.Scene(app: app.on(Pen.engine), engine: stage.daemon!, launch: stage.launch(app))
      strands.append(going[place].teller.interrupted(scene, &stage.story))
    }
    stage.story.together(strands)
    stage.sessions.removeAll { $0.app == app }
    stage.exit(app)
  }

  private mutating func anotherLifeByTheUser() {
    stage.story.tell([.pause(.seconds(20))])
    let app = stage.startApp(.user)
    stage.story.note(.relaunch)
    let session = stage.makeSession(.default, "tea-1", in: app)
    stage.story.together(foreground(session, app))
    stage.exit(app, linked: false)
  }
}
