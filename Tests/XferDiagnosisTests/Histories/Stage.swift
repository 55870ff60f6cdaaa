import XferEvents

/// The processes of a history and their session objects.
struct Stage {
  var story: Story
  /// The running daemon; `nil` if none is running.
  var daemon: Pen?
  var generation: Int64 = 0
  /// The app's current life.
  var app: Pen?
  var appName = "kettle"
  var sessions: [Session] = []
  /// The flaw to insert; `nil` for a faultless history.
  var flaw: Flaw?
  var openTasks: [TaskIdentity] = []
  /// The completion handlers of the wakes whose events are being handled.
  var handlers: [(session: String, handler: HandlerID)] = []

  /// A session object.
  struct Session {
    let identifier: String
    let kind: SessionKind
    let instance: CorrelationID
    let app: Pen
  }

  init(seed: UInt64) { story = Story(seed: seed) }

  // MARK: Processes

  mutating func open(_ pen: Pen, levels: String = "debug") {
    story.tell(pen, LogOpened(segment: 1, captureMode: .full, levels: levels, version: "1.0", synthetic: true))
    story.tell(pen, sample(.opened))
  }

  func sample(_ reason: SampleReason) -> ClockSampled {
    let moment = story.history.moment(story.now)
    return ClockSampled(
      wallClock: moment.wall, boottimeClock: .nanoseconds(moment.boottime ?? 0), sampleReason: reason)
  }

  mutating func started(_ pen: Pen, _ reason: StartReason, background: Bool = false) {
    let writer = story.history.writers[pen.writer].context
    story.tell(
      pen,
      ProcessStarted(
        launch: writer.launch, boot: writer.boot, pid: writer.pid, parentPid: 1, role: writer.role, startReason: reason,
        background: background, prewarmed: false, debugger: false, simulator: false,
        mainThreadContract: writer.role == .app ? true : nil, executable: writer.executable, version: "1.0", osVersion: "6.1"))
  }

  func launch(_ pen: Pen) -> LaunchID { story.history.writers[pen.writer].launch }
  func pid(_ pen: Pen) -> Int { story.history.writers[pen.writer].context.pid ?? 0 }

  mutating func startDaemon(_ reason: StartReason = .command) {
    let pen = Pen(writer: story.history.addWriter(.daemon, "xferd"), lane: Pen.main)
    generation += 1
    open(pen)
    started(pen, reason)
    story.tell(pen, DaemonStarted(generation: generation, version: "1.0"))
    story.tell(
      pen, DaemonRecovered(generation: generation, count: Int64(openTasks.count), dropped: 0, tasks: openTasks))
    daemon = pen.on(Pen.engine)
  }

  mutating func endDaemon() {
    guard let daemon else { return }
    story.tell(daemon, DaemonExited(generation: generation, reason: "terminated"), after: .milliseconds(3))
    let main = daemon.on(Pen.main)
    story.tell(main, ProcessExited(launch: launch(main), code: 0, exitReason: .returned))
    story.tell(main, LogClosed(dropped: 0))
    self.daemon = nil
  }

  mutating func startApp(_ reason: StartReason, executable: String? = nil) -> Pen {
    let pen = Pen(writer: story.history.addWriter(.app, executable ?? appName), lane: Pen.main)
    open(pen)
    started(pen, reason, background: reason != .user)
    story.tell(pen, ProcessStateChanged(launch: launch(pen), state: reason == .user ? .foreground : .background))
    return pen
  }

  mutating func link(_ app: Pen) {
    guard let daemon else { return }
    story.together([
      [.tell(daemon, LinkConnected(peer: launch(app), generation: generation), after: story.briefly())],
      [.tell(app.on(Pen.engine), LinkConnected(peer: launch(daemon), generation: generation), after: story.briefly())],
    ])
  }

  /// Lets the app exit by itself, which the daemon observes.
  mutating func exit(_ app: Pen, linked: Bool = true) {
    if story.chance(4) {
      story.tell(app, ProcessTerminationAnnounced(launch: launch(app), by: .user))
      if story.chance(2) { story.tell(app, ProcessStateChanged(launch: launch(app), state: .background)) }
    }
    let end: [Story.Move] = [
      .tell(app, ProcessExited(launch: launch(app), code: 0, exitReason: story.pick([.returned, .exitCall]))),
      .tell(app, LogClosed(dropped: 0)),
    ]
    story.tell(end)
    if linked { leave(app, .exitCall, signal: nil) }
  }

  /// Adds the daemon's events about the end of an app.
  mutating func leave(_ app: Pen, _ reason: ExitReason, signal: Int?, linked: Bool = true) {
    guard let daemon else { return }
    let down = LinkDisconnected(peer: launch(app), generation: generation, reason: "closed")
    story.together([
      linked ? [.tell(daemon, down, after: .milliseconds(2))] : [],
      [
        .tell(
          daemon.on(Pen.main),
          ProcessExitObserved(
            launch: launch(app), boot: story.history.writers[app.writer].context.boot, pid: pid(app),
            code: signal == nil ? 0 : nil, signal: signal, exitReason: reason, by: .daemon,
            executable: story.history.writers[app.writer].context.executable),
          after: .milliseconds(2) + story.briefly())
      ],
    ])
  }

  // MARK: Sessions

  mutating func makeSession(_ kind: SessionKind, _ identifier: String, in app: Pen) -> Session {
    let session = Session(identifier: identifier, kind: kind, instance: story.correlation(), app: app)
    story.tell(
      app,
      SessionCreated(
        session: identifier, instance: session.instance, sessionKind: kind, delegate: story.correlation(), queue: "delegate",
        configuration: ValueDigest(7), connectionsPerHost: 6, requestTimeout: .seconds(60), resourceTimeout: .seconds(604_800),
        timeoutOrigin: .connection, waitsForConnectivity: true, discretionary: false, effectiveDiscretionary: false,
        sendsLaunchEvents: kind == .background ? true : nil, allowsCellular: true, allowsExpensive: true, allowsConstrained: true,
        liveSessions: Int64(sessions.count + 1)))
    if story.chance(4) {
      story.tell(app, SessionConfigured(session: identifier, instance: session.instance, settings: "cache=memory"))
    }
    if story.chance(6) {
      story.tell(
        app,
        SessionSettingAdjusted(
          session: identifier, instance: session.instance, setting: "connectionsPerHost", requested: "900", effective: "64"))
    }
    if story.chance(3) { story.tell(app, AppListenerAttached(session: identifier, name: "controller")) }
    sessions.append(session)
    return session
  }

  mutating func connect(_ session: Session, pending: Int64 = 0) {
    story.tell(session.app, SessionConnectStarted(session: session.identifier, instance: session.instance))
    if story.chance(6) {
      story.tell(
        session.app.on(Pen.engine),
        SessionConnectFailed(
          session: session.identifier, instance: session.instance, domain: .xfer, error: 4, errorName: "busy"))
      story.tell(
        session.app, SessionConnectStarted(session: session.identifier, instance: session.instance), after: .milliseconds(50))
    }
    story.tell(
      session.app.on(Pen.engine),
      SessionConnected(session: session.identifier, instance: session.instance, generation: generation, pending: pending),
      after: .milliseconds(3))
  }

  /// Returns a short loss of the link.
  mutating func relink(_ app: Pen) -> [Story.Move] {
    guard let daemon else { return [] }
    let (peer, engine) = (launch(daemon), app.on(Pen.engine))
    return [
      .pause(.milliseconds(story.number(20...60))),
      .tell(engine, LinkDisconnected(peer: peer, generation: generation, reason: "closed")),
      .tell(engine, LinkConnected(peer: peer, generation: generation), after: .milliseconds(100)),
    ]
  }

  /// Adds a session that fails to connect and is invalidated.
  mutating func giveUp(_ app: Pen) {
    let name = "com.example.kettle.spare"
    let session = makeSession(.background, name, in: app)
    story.tell(
      app, SessionInvalidationRequested(session: name, instance: session.instance, invalidation: .cancel, by: .app, liveTasks: 0))
    story.tell(app, SessionConnectStarted(session: name, instance: session.instance))
    let engine = app.on(Pen.engine)
    story.tell(
      engine, SessionConnectFailed(session: name, instance: session.instance, domain: .xfer, error: 4, errorName: "invalid"))
    story.tell(engine, SessionInvalidated(session: name, instance: session.instance))
    sessions.removeAll { $0.instance == session.instance }
  }

  /// Returns a query for a session's tasks with its answer.
  mutating func query(_ session: Session, _ tasks: [TaskIdentity] = []) -> [Story.Move] {
    let query = story.correlation()
    return [
      .pause(story.briefly()),
      .tell(session.app, SessionTasksQueried(session: session.identifier, instance: session.instance, query: query)),
      .tell(
        session.app.on(Pen.engine),
        SessionTasksAnswered(
          session: session.identifier, instance: session.instance, query: query, count: Int64(tasks.count), tasks: tasks,
          connected: true), after: .milliseconds(1)),
    ]
  }

  /// Invalidates a session whose tasks have ended.
  mutating func invalidate(_ session: Session) {
    let engine = session.app.on(Pen.engine)
    story.note(.invalidation)
    story.tell(
      session.app,
      SessionInvalidationRequested(
        session: session.identifier, instance: session.instance, invalidation: story.pick([.finishTasks, .cancel]), by: .app,
        liveTasks: 0))
    var answer: Story.Move?
    if story.chance(3) {
      var moves = query(session)
      if story.chance(2) { answer = moves.removeLast() }
      story.tell(moves)
    }
    story.tell(engine, SessionInvalidated(session: session.identifier, instance: session.instance))
    if let answer { story.tell([answer]) }
    let delivery = story.delivery()
    let delegate = session.app.on(Pen.delegate)
    let (name, callback) = (session.identifier, Callback.didBecomeInvalid)
    story.tell(engine, DeliverySent(session: name, delivery: delivery, callback: callback))
    story.tell(delegate, DeliveryReceived(session: name, delivery: delivery, callback: callback))
    story.tell(delegate, DeliveryEntered(session: name, delivery: delivery, callback: callback, queue: "delegate"))
    story.tell(delegate, DeliveryLeft(session: name, delivery: delivery, callback: callback))
    if story.chance(2) {
      story.tell(session.app, SessionReleased(session: name, instance: session.instance, liveTasks: 0))
    }
    sessions.removeAll { $0.instance == session.instance }
  }
}
