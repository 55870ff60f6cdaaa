import LogTestSupport

// Launches for background events.
extension InjectedCourse {
  mutating func drawWake(_ maker: inout PieceMaker) {
    maker.session = .background
    goOn = ["{ exit: 0 }"]
    let isAlone = [.wakeTimeExceeded, .createdInWake, .noLaunchEvents].contains(kind)
    for _ in 0..<(isAlone ? 1 : maker.number(1...3)) { add(maker.correct(delayed: 700)) }
    steps = ["wait: { exit: reader, count: 2 }"]
    guard isCaused || kind == .handlersOverwritten || kind == .otherHandlerCalled else { return }
    switch kind {
    case .handlerNeverCalled: handleEvents = ["leave"]
    case .handlerCalledEarly: createSessionInWake(after: "call-handler")
    case .handlerCalledTwice:
      createSessionInWake(after: "store-handler")
      eventsFinished = [
        "{ on: main, do: [{ call-handler: { session: com.example.a, again: true } }, call-handler, { exit: 0 }] }"
      ]
    case .handlerCalledOffMain:
      createSessionInWake(after: "store-handler")
      eventsFinished = ["{ do: [call-handler, { exit: 0 }], on: delegate }"]
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

  /// Lets a woken app create its session when it has its completion handler. Otherwise the session's events could be over before.
  private mutating func createSessionInWake(after step: String) {
    sessions = ["{ session: com.example.a, when: { background: false } }"]
    handleEvents = [step, "{ session: com.example.a }"]
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
}
