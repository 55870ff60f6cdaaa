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
    .crashedInCallback, .sessionCancelled, .suspendedInTransfer, .exitedInCallback,
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

  mutating func loseAll() { if isCaused { piece.lost = Set(piece.tasks) } }

  /// Adds background downloads of which each takes some seconds.
  mutating func hold(_ maker: inout PieceMaker, _ range: ClosedRange<Int>, in session: InjectedSession = .background) {
    for _ in 0..<maker.number(range) {
      let name = maker.nextName()
      piece.download(
        name, session, "{ \(PieceMaker.resumable), body: { size: 2500000, seed: 7 }, rate: 1MiB/s }")
      piece.react("progress", name, "{ write: { path: $FILES/begun-\(name), text: x } }", when: "once: true")
      steps.append("wait: { file: begun-\(name) }")
    }
  }
}
