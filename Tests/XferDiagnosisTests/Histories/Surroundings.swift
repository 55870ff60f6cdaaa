import XferEvents

/// Events that are not part of a transfer.
extension Stage {
  typealias Move = Story.Move

  /// Returns a strand of randomly chosen events beside the transfers.
  mutating func aside(_ app: Pen, _ task: TaskIdentity?) -> [Move] {
    let moves: [Move]
    switch story.number(0...11) {
    case 0: moves = world(app) + refusals(app)
    case 1: moves = words(app, task)
    case 2: moves = log(app)
    case 3: moves = work(app, task)
    case 4: moves = assertion(app)
    case 5: moves = alarm(app)
    case 6: moves = trigger(app)
    case 7: moves = beats(app)
    case 8: moves = secrets(app)
    case 9: moves = files(app)
    case 10: moves = locks(app)
    default: moves = cache(app)
    }
    return [.pause(story.briefly())] + moves
  }

  private mutating func world(_ app: Pen) -> [Move] {
    let pen = daemon ?? app
    return [
      .tell(
        pen,
        NetworkPathChanged(
          up: true, expensive: story.chance(2), constrained: story.chance(2), cellular: story.chance(2),
          name: "eth0")),
      .tell(pen, PowerChanged(charging: story.chance(2), battery: 80)),
      .tell(pen, DiskSpaceSampled(free: 1 << 36, openFiles: 20)),
      .tell(pen, ProtectionEnabled()), .tell(pen, ProtectionDisabled(), after: .milliseconds(20)),
      .tell(pen, PolicyChanged(policy: story.pick([.cellularData, .lowDataMode, .lowPowerMode]), enabled: true, by: .user)),
    ]
  }

  /// Returns invalid requests of the app, each rejected with a reason and, possibly, followed by the failed creation.
  private mutating func refusals(_ app: Pen) -> [Move] {
    let session = sessions.first { $0.app == app }
    let refused = TaskRejected(
      session: session?.identifier, instance: session?.instance, type: .data, rejection: .badURL, message: "no")
    let nothing = TaskCreationFailed(session: session?.identifier, instance: session?.instance, type: .data)
    let once: [Move] = story.chance(2) ? [.tell(app, refused), .tell(app, nothing)] : [.tell(app, refused)]
    // The app may repeat its request.
    return story.chance(2) ? once + [.pause(.milliseconds(1500))] + once : once
  }

  private mutating func words(_ app: Pen, _ task: TaskIdentity?) -> [Move] {
    let (activity, signpost) = (story.correlation(), story.correlation())
    let lane = app.on(story.pick([Pen.main, Pen.engine, Pen.delegate]))
    let (subsystem, category) = ("com.example.kettle", "tea")
    return [
      .tell(lane, ActivityBegun(activity: activity, name: "brew", subsystem: subsystem, category: category)),
      .tell(
        lane, SignpostBegun(signpost: signpost, subsystem: subsystem, category: category, name: "boil", activity: activity)),
      .tell(lane, MessageDebug(subsystem: subsystem, category: category, eventMessage: "looks", activity: activity, task: task)),
      .tell(lane, MessageInfo(subsystem: subsystem, category: category, eventMessage: "sees", activity: activity)),
      .tell(lane, MessageDefault(subsystem: subsystem, category: category, eventMessage: "says", task: task)),
      .tell(lane, MessageError(subsystem: subsystem, category: category, eventMessage: "regrets", activity: activity)),
      .tell(lane, MessageFault(subsystem: subsystem, category: category, eventMessage: "despairs")),
      .tell(lane, SignpostEmitted(signpost: story.correlation(), subsystem: subsystem, category: category, name: "steam")),
      .tell(lane, SignpostEnded(signpost: signpost, subsystem: subsystem, category: category, name: "boil", activity: activity)),
      .tell(lane, ActivityEnded(activity: activity, name: "brew")),
      .tell(lane, AppNoted(task: task, message: "noted")),
    ]
  }

  private mutating func log(_ app: Pen) -> [Move] {
    let main = app.on(Pen.main)
    var moves: [Move] = [
      .tell(main, LogHeartbeatWritten(liveTasks: 1, received: 10, queueDepth: 0, cpuTime: .milliseconds(3))),
      .tell(main, sample(story.pick([.periodic, .stepped]))),
    ]
    if story.chance(2) {
      moves.append(.tell(main, LogLevelsChanged(levels: "info", by: .user)))
      moves.append(.tell(main, LogLevelsChanged(levels: "debug", by: .user), after: .milliseconds(4)))
    }
    if story.chance(4) { moves.append(.tell(main, LogLevelsIgnored(levels: "default", reason: "syntax"))) }
    if story.chance(4) { moves.append(.tell(main, LogSyncFailed(segment: 1, osError: 5))) }
    if story.chance(4) {
      moves.append(
        .tell(main, LogSegmentsRemoved(count: 1, size: 900, until: History.wall(0), reason: "age", segment: 0)))
    }
    if story.chance(4) {
      moves.append(.tell(main, LogLevelsThinned(segment: 0, count: 4, levels: "default", until: History.wall(0))))
    }
    if story.chance(3) {
      story.note(.rotation)
      let rotation: [Move] = [
        .tell(main, LogRotated(segment: 2, previousSegment: 1, reason: "full")),
        .tell(
          main, LogOpened(segment: 2, previousSegment: 1, captureMode: .full, levels: "debug", version: "1.0", synthetic: true),
          after: 0),
        .tell(main, sample(.rotated)),
      ]
      moves.append(.callback(queue: "log \(app.writer)", rotation))
    }
    // The disk is slow for a moment.
    if story.chance(4) {
      moves.append(.tell(main, LogStalled(logWork: .sync, elapsed: .milliseconds(300), onMainThread: false, segment: 1)))
    }
    if story.chance(8) { moves.append(.tell(main, LogDropped(family: "message", count: 3, why: .rateLimited))) }
    return moves
  }

  /// Returns reads of a secret that exists, is absent, or becomes available when the device is unlocked.
  mutating func secrets(_ app: Pen) -> [Move] {
    let name = "token \(story.identifier())"
    func read(_ answer: SecretAnswer) -> Move {
      .tell(app, AppSecretRead(name: name, secretAnswer: answer, osError: answer == .unavailable ? -25308 : nil))
    }
    let reading: [Move] =
      switch story.number(0...2) {
      case 0: [read(.read)]
      case 1: [read(.absent)]
      default: [read(.unavailable), .pause(.milliseconds(4)), read(.read)]
      }
    guard story.chance(2) else { return reading }
    return reading + [.tell(app, AppSecretDeleted(name: name, reason: "the user signs out"), after: .milliseconds(2))]
  }

  /// Returns a failed attempt of the app to open an optional file, and a file left over by a recent crash.
  private mutating func files(_ app: Pen) -> [Move] {
    let name = story.identifier()
    return [
      .tell(app, DiskOpenFailed(file: "/cache/\(name)", osError: 2, exists: false)),
      .tell(daemon ?? app, DiskLeftOverFound(file: "/spool/\(name).part", inode: 9, size: 900, age: .seconds(300))),
    ]
  }

  /// Returns a lock that the app holds for a moment, possibly after a timeout while another process held it.
  private mutating func locks(_ app: Pen) -> [Move] {
    let (lock, name) = (story.correlation(), story.pick(["tea.db", "cups.db"]))
    let held: [Move] = [
      .tell(app, AppLockTaken(lock: lock, name: name)), .pause(story.briefly()),
      .tell(app, AppLockReleased(lock: lock, name: name)),
    ]
    return story.chance(2) ? held : [.tell(app, AppLockTimedOut(name: name, elapsed: .milliseconds(200)))] + held
  }

  private mutating func work(_ app: Pen, _ task: TaskIdentity?) -> [Move] {
    let work = story.correlation()
    return [
      .tell(app, AppCapabilitiesRecorded(capabilities: "transfer")),
      .tell(app, AppWorkBegun(work: work, name: "unpack", task: task)),
      .tell(app, AppJournalSaved(upTo: 7), after: .milliseconds(5)),
      .tell(app, AppWorkEnded(work: work, name: "unpack", task: task)),
    ]
  }

  private mutating func assertion(_ app: Pen) -> [Move] {
    let assertion = story.correlation()
    var moves: [Move] = [
      .tell(
        app, AssertionBegun(assertion: assertion, name: "fetch", slot: "token\(assertion.rawValue)", remaining: .seconds(30))),
      .pause(.milliseconds(story.number(1...900))),
    ]
    if story.chance(4) { moves.append(.tell(app, AssertionExpired(assertion: assertion, name: "fetch"))) }
    moves.append(.tell(app, AssertionEnded(assertion: assertion, name: "fetch")))
    return moves
  }

  private mutating func alarm(_ app: Pen) -> [Move] {
    let alarm = story.correlation()
    func armed(_ seconds: Int) -> DeadmanArmed {
      DeadmanArmed(
        deadman: alarm, name: "switch", firesAt: History.wall(story.now + .seconds(seconds)), interval: .seconds(600))
    }
    func checked() -> DeadmanChecked { DeadmanChecked(deadman: alarm, remaining: .seconds(500)) }
    var moves: [Move] = [.tell(app, armed(600))]
    let (again, looks) = (story.chance(2), story.number(0...2))
    if again { moves.append(.tell(app, armed(700), after: .milliseconds(9))) }
    for _ in 0..<looks { moves.append(.tell(app, checked(), after: .milliseconds(9))) }
    if looks > 0, story.chance(2) { moves.append(.tell(app, armed(800), after: .milliseconds(2))) }
    moves.append(.tell(app, DeadmanDisarmed(deadman: alarm, by: .app)))
    if story.chance(3) {
      moves += [.tell(app, armed(900), after: .milliseconds(2)), .tell(app, DeadmanDisarmed(deadman: alarm, by: .app))]
    }
    return moves
  }

  private mutating func trigger(_ app: Pen) -> [Move] {
    let trigger = story.correlation()
    let kind: TriggerKind = story.pick([.region, .significantLocation, .timer, .push])
    func armed() -> Move {
      .tell(app, TriggerArmed(trigger: trigger, triggerKind: kind, name: "place", radius: 100, effectiveRadius: 100))
    }
    func fired() -> Move {
      .tell(daemon ?? app, TriggerFired(trigger: trigger, triggerKind: kind, name: "place"), after: .milliseconds(8))
    }
    return story.pick([[armed(), fired()], [armed(), armed(), fired(), fired()], [armed(), fired(), armed(), fired()]])
  }

  private mutating func beats(_ app: Pen) -> [Move] {
    let name = "beat \(story.identifier())"
    return [
      .tell(app, AppBeatExpected(name: name, interval: .seconds(60), enabled: true)),
      .tell(app, AppBeatSent(name: name), after: .milliseconds(20)),
      .tell(app, AppBeatSent(name: name), after: .milliseconds(30)),
      .tell(app, AppBeatExpected(name: name, interval: .seconds(60), enabled: false)),
    ]
  }

  private mutating func cache(_ app: Pen) -> [Move] {
    let (engine, resource) = (app.on(Pen.engine), ValueDigest(story.identifier()))
    return [
      .tell(engine, CacheMissed(resource: resource, cacheMiss: .absent)),
      .tell(engine, CacheStored(resource: resource, status: 200, size: 90, lifetime: .seconds(60))),
      .tell(engine, CacheRemoved(resource: resource, cacheRemoval: .evicted, count: 1, size: 90)),
    ]
  }

  /// Returns a multipart upload, without the tasks of its parts.
  mutating func multipart(_ app: Pen) -> [Move] {
    story.note(.multipart)
    let upload = story.correlation()
    var moves: [Move] = [.tell(app, MultipartStarted(upload: upload))]
    for part in 0..<story.number(0...3) {
      moves.append(.tell(app, MultipartPartStored(upload: upload, part: part + 1, sent: 5_000_000), after: .milliseconds(7)))
    }
    moves.append(
      story.chance(3) ? .tell(app, MultipartAborted(upload: upload)) : .tell(app, MultipartCompleted(upload: upload)))
    return moves
  }
}
