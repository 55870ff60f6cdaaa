import LogTestSupport

/// What happens to the app and the device while transfers run: a launch for background events, or an event of the device.
struct InjectedCourse {
  /// The fault that the course contains, or of whose correct version it consists.
  let kind: InjectedCause
  let isCaused: Bool
  /// The tasks that run meanwhile. Their cause is that of the course.
  var piece: InjectedPiece
  /// The creation of the background sessions at every launch.
  var sessions = ["{ session: com.example.a }"]
  /// Steps of every launch, before all others.
  var atLaunch: [String] = []
  /// Steps of the first launch when the other tasks have ended. The tasks are created before.
  var goOn: [String] = []
  var handleEvents = ["store-handler"]
  var eventsFinished = ["{ do: [call-handler, { exit: 0, when: { background: true } }], on: main }"]
  /// Further reactions of the app, by callback.
  var reactions: [String: [String]] = [:]
  /// The steps of the device.
  var steps: [String] = []

  /// The courses whose steps wait for a state of the app that must not occur before.
  static let needingFreshState: [InjectedCause] = [.forceQuit, .backgroundRefreshOff, .suspendedInTransfer, .wakeTimeExceeded]

  /// The step of the device that waits until the app has received all completions.
  static let allAcknowledged = "all acknowledged"

  static let wakes: [InjectedCause] = [
    .handlerNeverCalled, .handlerCalledEarly, .handlerCalledTwice, .handlerCalledOffMain, .handlersOverwritten,
    .otherHandlerCalled, .sessionNotRecreated, .otherSessionCreated, .newIdentifierEachLaunch, .wakeTimeExceeded,
    .crashInEachWake, .programRemoved, .createdInWake, .noLaunchEvents,
  ]
  static let events: [InjectedCause] = [
    .settingsChanged, .forceQuit, .daemonKilled, .daemonStateDeleted, .backgroundRefreshOff, .killedInTransfer,
    .crashedInCallback, .sessionCancelled, .suspendedInTransfer,
  ]

  var concernedSessions: [String] {
    switch kind {
    case .handlersOverwritten, .otherHandlerCalled: ["com.example.a", "com.example.b"]
    case .noLaunchEvents: ["com.example.quiet"]
    default: ["com.example.a"]
    }
  }

  init(_ kind: InjectedCause, isCaused: Bool, _ maker: inout PieceMaker) {
    (self.kind, self.isCaused, piece) = (kind, isCaused, InjectedPiece(nil))
    if Self.wakes.contains(kind) { drawWake(&maker) } else { drawEvent(&maker) }
    piece.cause = isCaused ? kind : nil
    // A session without a task would be a fault of its own.
    if Self.events.contains(kind), !piece.sessions.contains(where: \.isBackground) { sessions = [] }
    piece.sessions = piece.sessions.filter { !$0.isBackground }
    if isCaused { piece.concernedSessions = concernedSessions }
  }

  private mutating func loseAll() { if isCaused { piece.lost = Set(piece.tasks) } }

  /// Adds background downloads of which each takes some seconds.
  private mutating func hold(_ maker: inout PieceMaker, _ range: ClosedRange<Int>, in session: InjectedSession = .background) {
    for _ in 0..<maker.number(range) {
      let name = maker.nextName()
      piece.download(
        name, session, "{ \(PieceMaker.resumable), body: { size: 2500000, seed: 7 }, rate: 1MiB/s }")
      piece.react("progress", name, "{ write: { path: $FILES/begun-\(name), text: x } }", when: "once: true")
      steps.append("wait: { file: begun-\(name) }")
    }
  }

  // MARK: Launches for background events

  private mutating func drawWake(_ maker: inout PieceMaker) {
    maker.session = .background
    goOn = ["{ exit: 0 }"]
    let isAlone = [.wakeTimeExceeded, .createdInWake, .noLaunchEvents].contains(kind)
    for _ in 0..<(isAlone ? 1 : maker.number(1...3)) { add(maker.correct(delayed: 700)) }
    steps = ["wait: { exit: reader, count: 2 }"]
    guard isCaused || kind == .handlersOverwritten || kind == .otherHandlerCalled else { return }
    switch kind {
    case .handlerNeverCalled: handleEvents = ["leave"]
    case .handlerCalledEarly: handleEvents = ["call-handler"]
    case .handlerCalledTwice:
      eventsFinished = [
        "{ on: main, do: [{ call-handler: { session: com.example.a, again: true } }, call-handler, { exit: 0 }] }"
      ]
    case .handlerCalledOffMain: eventsFinished = ["{ do: [call-handler, { exit: 0 }], on: delegate }"]
    case .handlersOverwritten, .otherHandlerCalled: useTwoSessions(&maker)
    case .sessionNotRecreated, .otherSessionCreated:
      sessions = ["{ session: com.example.a, when: { background: false } }"]
      loseAll()
      handleEvents =
        kind == .sessionNotRecreated
        ? ["store-handler", "{ query: $SESSION, otherwise: [{ exit: 0 }] }"]
        : ["{ session: com.example.other }", "call-handler", "{ exit: 0 }"]
    case .newIdentifierEachLaunch:
      sessions = ["{ session: { name: com.example.a, identifier: com.example.a.$UUID } }"]
      handleEvents = ["store-handler", "{ query: $SESSION, otherwise: [{ exit: 0 }] }"]
      loseAll()
    case .wakeTimeExceeded:
      for place in piece.reactions.indices where piece.reactions[place].callback == "completed" {
        piece.reactions[place].steps += [
          "{ write: { path: $FILES/ready, text: x } }", "{ wait: { file: $FILES/unpacked, within: 30s } }",
        ]
      }
      steps = [
        "wait: { file: ready }", "conditions: { clock: +30s }",
        "wait: { event: process.stateChanged, with: { state: suspended } }",
        // The app continues when its user opens it, or in another wake, in which it may end before its user could open it.
        "file: { write: unpacked, text: x }",
        "run: [sh, -c, \"$DIR/apps/reader app foreground $DIR/apps/reader; true\"]", "wait: { exit: reader, count: 2 }",
      ]
    case .crashInEachWake:
      atLaunch = ["{ crash: abort, when: { background: true } }"]
      steps += ["conditions: { clock: +1m }", "wait: { exit: reader, count: 3 }"]
      loseAll()
    case .programRemoved:
      steps = [
        "wait: { exit: reader }", "run: [rm, $DIR/apps/reader]", "wait: { event: wake.launched }",
        "conditions: { clock: +61m }", "conditions: { power: battery }",
      ]
      loseAll()
    case .createdInWake: createInWake(&maker)
    case .noLaunchEvents:
      let quiet = InjectedSession(name: "com.example.quiet", isBackground: true, settings: "launch-events: false")
      let name = maker.nextName()
      piece = InjectedPiece(nil)
      piece.download(name, quiet, "{ body: { size: 3000, seed: 2 }, delay: { beforeStatus: 700ms } }")
      sessions = [quiet.creation]
      goOn.insert("{ trigger: { arm: push, name: news } }", at: 0)
      steps = [
        "wait: { exit: reader }", "wait: { event: task.transferred, with: { session: com.example.quiet } }",
        "conditions: { clock: +10m }", "trigger: { app: reader, kind: push }",
      ]
    default: break
    }
  }

  private mutating func add(_ other: InjectedPiece) {
    piece.tasks += other.tasks
    piece.sessions += other.sessions
    piece.routes += other.routes
    piece.files += other.files
    piece.creation += other.creation
    piece.reactions += other.reactions
  }

  private mutating func createInWake(_ maker: inout PieceMaker) {
    var created = InjectedPiece(nil)
    let name = maker.nextName()
    created.download(name, .background, "{ body: { size: 1000, seed: 2 } }")
    let creation = created.creation.removeFirst()
    add(created)
    atLaunch = []
    sessions.append("{ do: [\(creation)], when: { launch: 2 } }")
    // The created task is the one that the system delays.
    steps = ["wait: { exit: reader }"]
  }

  private mutating func useTwoSessions(_ maker: inout PieceMaker) {
    let (first, second) = ("com.example.a", "com.example.b")
    let name = maker.nextName()
    piece.download(name, .otherBackground, "{ body: { size: 5000, seed: 2 }, delay: { beforeStatus: 700ms } }")
    sessions = ["{ do: [{ session: \(first) }, { session: \(second) }], when: { background: false } }"]
    let create = "{ do: [{ session: \(first) }, { session: \(second) }], when: { nth: 2 } }"
    if kind == .handlersOverwritten {
      handleEvents = [isCaused ? "{ store-handler: { as: handler } }" : "store-handler", create]
      eventsFinished = [
        """
        { on: main, when: { nth: 2 }, do: [{ call-handler: handler, otherwise: [{ call-handler: \(first) }, \
        { call-handler: \(second) }] }, { exit: 0 }] }
        """
      ]
    } else {
      handleEvents = ["store-handler", create]
      for task in piece.tasks where task == name {
        piece.react("completed", task, "{ wait: { file: $DIR/called, within: 20s } }", "{ outcome: auto }")
      }
      eventsFinished = [
        """
        { on: main, when: { session: \(first) }, do: [{ call-handler: \(isCaused ? second : first) }, \
        { write: { path: $DIR/called, text: x } }] }
        """,
        """
        { on: main, when: { session: \(second) }, do: [{ call-handler: \(second), otherwise: [{ call-handler: \(first) }] }, \
        { exit: 0 }] }
        """,
      ]
    }
  }

  // MARK: Events of the device

  private mutating func drawEvent(_ maker: inout PieceMaker) {
    switch kind {
    case .settingsChanged:
      hold(&maker, 1...2)
      let other = isCaused ? "true" : "false"
      sessions = [
        "{ session: { identifier: com.example.a, settings: { cellular: false } }, when: { launch: 1 } }",
        "{ session: { identifier: com.example.a, settings: { cellular: \(other) } }, when: { launch: 2 } }",
      ]
      steps += ["kill: reader\n    because: memoryPressure", "launch: reader"]
    case .forceQuit:
      if isCaused { hold(&maker, 1...3) }
      switch maker.number(0...2) {
      case 0: break
      case 1: steps += ["background: reader", "wait: { event: process.stateChanged, with: { state: background } }"]
      default:
        steps += [
          "background: reader", "wait: { event: process.stateChanged, with: { state: background } }",
          "conditions: { clock: +5s }", "wait: { event: process.stateChanged, with: { state: suspended } }",
        ]
      }
      steps += ["force-quit: reader", "wait: { exit: reader }"]
      if maker.number(0...1) == 0 { steps.append("launch: reader") } else { loseAll() }
    case .daemonKilled:
      hold(&maker, 1...3)
      let harmless = maker.choose([
        ["daemon: stop", "daemon: start"], ["conditions: { network: down }", "conditions: { network: up }"],
        ["device: restart", "daemon: start", "launch: reader"],
      ])
      steps += isCaused ? ["daemon: kill", "daemon: start"] : harmless
    case .daemonStateDeleted:
      hold(&maker, 1...3)
      steps += [
        "kill: reader\n    because: memoryPressure", "wait: { exit: reader }", "daemon: stop",
        isCaused ? "run: [sh, -c, \"rm -rf $DIR/state/xferd\"]" : "run: [ls, $DIR/state/xferd]",
        "daemon: start", "wait: { event: daemon.recovered, count: 2 }",
      ]
      loseAll()
    case .backgroundRefreshOff:
      hold(&maker, 1...3)
      steps += [
        "background: reader", "wait: { event: process.stateChanged, with: { state: background } }",
        "conditions: { background-refresh: \(!isCaused) }", "foreground: reader",
      ]
    case .killedInTransfer:
      hold(&maker, 1...2, in: isCaused ? .work : .background)
      steps += ["kill: reader\(isCaused ? "" : "\n    because: memoryPressure")", "wait: { exit: reader }"]
      loseAll()
    case .crashedInCallback:
      let name = maker.nextName()
      piece.data(name, .work, "{ body: { size: 5000, seed: 2 } }")
      if isCaused {
        piece.react("completed", name, "crash")
      } else {
        piece.react("completed", name, "{ outcome: auto }", "{ crash: trap, on: global, after: 400ms }")
      }
      steps += ["wait: { exit: reader }"]
      loseAll()
    case .sessionCancelled:
      let name = maker.nextName()
      let session = InjectedSession(name: "closing")
      piece.download(name, session, "{ body: { size: 500000, seed: 2 }, rate: 1MiB/s }")
      piece.react("progress", name, "{ write: { path: $FILES/begun-\(name), text: x } }", when: "once: true")
      if isCaused { piece.react("completed", name, "leave") }
      reactions["entered-background"] = [
        "{ invalidate: { session: closing, cancel: \(isCaused) }, when: { exists: $FILES/begun-\(name) } }"
      ]
      reactions["entering-foreground"] = [
        "{ write: { path: $FILES/returned, text: x }, when: { exists: $FILES/begun-\(name) } }"
      ]
      steps = [
        "wait: { file: begun-\(name) }", "background: reader", Self.allAcknowledged, "conditions: { clock: +11s }",
        "foreground: reader", "wait: { file: returned }",
      ]
    case .suspendedInTransfer:
      let name = maker.nextName()
      let session = InjectedSession(name: "frozen", settings: "request-timeout: 60s, retries: 0")
      piece.download(name, session, "{ body: { size: 50000, seed: 2 }\(isCaused ? ", hang: mid-body" : "") }")
      steps = [
        isCaused ? "wait: { event: attempt.bytesReceived }" : Self.allAcknowledged, "background: reader",
        "wait: { event: process.stateChanged, with: { state: background } }", "conditions: { clock: +5s }",
        "wait: { event: process.stateChanged, with: { state: suspended } }", "conditions: { clock: +2m }", "foreground: reader",
      ]
    default: break
    }
  }
}
