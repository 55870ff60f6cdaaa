import XferEvents

/// A flaw of a history, with which it takes steps that a faultless history cannot take.
enum Flaw: String, CaseIterable {
  case sessionReused, alarmRang, handlerLate, handlerLost, claimFailed, claimedTooLate, offeredAgain

  /// The rules that report the flaw, each in at least one history.
  var rules: Set<String> {
    switch self {
    case .sessionReused: ["duplicate-session-identifier"]
    case .alarmRang: ["deadman-false-alarm"]
    // If the app does not name the variables of its handlers, the handler of one session may seem to overwrite another's.
    case .handlerLate: ["missed-completion-handler", "completion-handler-overwritten", "wake-window-expired"]
    case .handlerLost: ["missed-completion-handler", "completion-handler-overwritten"]
    case .claimFailed: ["claim-failed-destination"]
    case .claimedTooLate: ["temp-file-not-moved"]
    case .offeredAgain: []
    }
  }
}

extension Stage {
  /// Returns the flaw's own strand in the app's first life.
  mutating func strand(of flaw: Flaw, _ app: Pen, _ session: Session, _ carried: Session?) -> [Move] {
    let task = story.task(of: session.identifier)
    switch flaw {
    case .sessionReused:
      guard let carried else { return [] }
      return [
        .tell(
          app,
          SessionReused(
            session: carried.identifier, instance: carried.instance, delegate: CorrelationID(1), callerDelegate: CorrelationID(2))
        )
      ]
    case .alarmRang: return ringing(app)
    case .handlerLate, .handlerLost: return []
    case .claimFailed:
      return download(task, app) { file in
        [
          file.offered, file.claimed(osError: 17), file.unclaimed, file.reaped, file.claimed(osError: 2),
        ]
      }
    case .claimedTooLate:
      return download(task, app) { file in [file.offered, file.unclaimed, file.reaped, file.claimed(osError: 2, inTime: false)] }
    case .offeredAgain:
      return download(task, app) { file in
        [file.offered, file.unclaimed, file.claimed(osError: nil), file.reaped, file.offered, file.unclaimed, file.offered]
          + [file.claimed(osError: nil)]
      }
    }
  }

  private mutating func ringing(_ app: Pen) -> [Move] {
    let alarm = story.correlation()
    let daemon = daemon ?? app
    func fired(_ count: Int64) -> Move { .tell(daemon, DeadmanFired(deadman: alarm, count: count), after: .milliseconds(5)) }
    var moves: [Move] = [
      .tell(
        app,
        DeadmanArmed(deadman: alarm, name: "switch", firesAt: History.wall(story.now + .milliseconds(3)), interval: .seconds(600))
      )
    ]
    if story.chance(2) { moves.append(.tell(app, DeadmanChecked(deadman: alarm, remaining: .milliseconds(1)))) }
    moves += [fired(1), fired(2)]
    moves.append(.tell(app, DeadmanDisarmed(deadman: alarm, by: .app)))
    return moves
  }

  private struct File {
    let task: TaskIdentity
    let delivery: DeliveryID

    var offered: any TransferEvent {
      FileOffered(task: task, delivery: delivery, file: "/tmp/1", inode: 1, size: 900, exists: true)
    }
    var unclaimed: any TransferEvent { FileUnclaimed(task: task, delivery: delivery, inode: 1, size: 900) }
    var reaped: any TransferEvent { FileReaped(task: task, inode: 1, size: 900) }

    func claimed(osError: Int?, inTime: Bool = true) -> any TransferEvent {
      FileClaimed(
        task: task, delivery: delivery, operation: .move, destination: "/kept", osError: osError, inCallback: inTime, size: 900)
    }
  }

  /// Returns a download with the given events for its file.
  private mutating func download(_ task: TaskIdentity, _ app: Pen, _ story: (File) -> [any TransferEvent]) -> [Move] {
    let (engine, delegate) = (app.on(Pen.engine), app.on(Pen.delegate))
    let (taken, done) = (self.story.delivery(), self.story.delivery())
    var moves: [Move] = [
      .tell(app, TaskCreated(task: task, type: .download, completion: .delegate, method: "GET", host: "a.example.com")),
      .tell(app, TaskResumed(task: task, by: .app)),
      .tell(engine, AttemptStarted(task: task, attempt: 1, host: "a.example.com", offset: 0)),
      .tell(engine, AttemptResponseReceived(task: task, attempt: 1, transaction: 1, status: 200, expected: 900)),
      .tell(engine, AttemptBytesReceived(task: task, attempt: 1, received: 900, expected: 900)),
      .tell(engine, AttemptEnded(task: task, attempt: 1, end: .finished, received: 900, sent: 0)),
      .tell(engine, TaskTransferred(task: task, received: 900, sent: 0, status: 200)),
    ]
    moves += Story.callback(
      .didFinishDownloading, taken, of: task, from: engine, to: delegate,
      within: story(File(task: task, delivery: taken)).map { .tell(delegate, $0) })
    moves += Story.callback(.didComplete, done, of: task, from: engine, to: delegate)
    moves.append(.tell(delegate, TaskCompleted(task: task, delivery: done, received: 900, sent: 0, status: 200)))
    moves.append(.tell(app, TaskAcknowledged(task: task, delivery: done)))
    return moves
  }
}
