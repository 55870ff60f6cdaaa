import XferEvents

extension Stage {
  /// Moves the app to the background, where it exits, or is suspended and then killed under memory pressure.
  mutating func suspendOrEnd(_ app: Pen) {
    story.tell(app, ProcessStateChanged(launch: launch(app), state: .background), after: .milliseconds(50))
    sessions.removeAll { $0.app == app }
    if story.chance(3) { return exit(app) }
    suspend(app)
    story.note(.kill)
    story.tell([.pause(.seconds(2))])
    leave(app, .memoryPressure, signal: 9)
  }

  mutating func suspend(_ app: Pen) {
    guard let daemon else { return }
    let main = daemon.on(Pen.main)
    story.note(.suspension)
    story.tell(app, ProcessStateChanged(launch: launch(app), state: .suspending))
    story.tell(main, ProcessStateChanged(launch: launch(app), state: .suspended), after: .milliseconds(100))
    if story.chance(3) {
      story.tell(main, ProcessStateChanged(launch: launch(app), state: .resumed), after: .seconds(1))
      story.tell(main, ProcessStateChanged(launch: launch(app), state: .suspended), after: .seconds(2))
    }
  }

  mutating func sleep() {
    guard let daemon else { return }
    story.note(.sleep)
    story.history.sleeps.append((story.now + 1, .seconds(story.number(60...600))))
    story.tell(daemon.on(Pen.main), sample(.resumed), after: .milliseconds(1))
  }

  /// Lets the daemon launch the app for its sessions and deliver a completion handler for each.
  ///
  /// - Returns: the app's new life.
  mutating func wake(_ identifiers: [String]) -> Pen {
    guard let daemon else { preconditionFailure("a wake needs a daemon") }
    story.note(.relaunch)
    want(identifiers)
    let app = Pen(writer: story.history.addWriter(.app, appName), lane: Pen.main)
    for (identifier, handler) in handlers {
      story.tell(
        daemon,
        WakeLaunched(
          session: identifier, handler: handler, launch: story.chance(3) ? launch(app) : nil, pid: pid(app), executable: appName,
          wakeCause: .completion))
    }
    open(app)
    started(app, .transfer, background: true)
    story.tell(app, ProcessStateChanged(launch: launch(app), state: .background))
    link(app)
    for (identifier, handler) in handlers {
      let session = makeSession(.background, identifier, in: app)
      connect(session, pending: 2)
      deliver(session, handler)
    }
    return app
  }

  private mutating func want(_ identifiers: [String]) {
    guard let daemon else { return }
    handlers = identifiers.map { ($0, HandlerID(story.identifier())) }
    for (identifier, handler) in handlers {
      story.tell(
        daemon, WakeWanted(session: identifier, handler: handler, wakeCause: .completion, pending: 2), after: .seconds(1))
      for _ in 0..<(story.chance(3) ? story.number(1...2) : 0) {
        story.note(.heldWake)
        story.tell(
          daemon,
          WakeHeld(session: identifier, handler: handler, holdWake: story.pick([.rateLimit, .policy]), delay: .seconds(2)))
        story.tell([.pause(.seconds(2))])
      }
    }
  }

  /// Resumes the app, which is suspended in memory, and delivers its completion handlers.
  mutating func wake(suspended app: Pen, _ identifiers: [String], _ sessions: [Session]) {
    guard let daemon else { return }
    story.note(.wakeWhileSuspended)
    want(identifiers)
    story.tell(daemon.on(Pen.main), ProcessStateChanged(launch: launch(app), state: .resumed))
    self.sessions += sessions.filter { kept in !self.sessions.contains { $0.instance == kept.instance } }
    for (name, handler) in handlers {
      if let session = sessions.first(where: { $0.identifier == name && $0.app == app }) { deliver(session, handler) }
    }
  }

  private mutating func deliver(_ session: Session, _ handler: HandlerID) {
    let name = session.identifier
    let set = WakeDeadlineSet(session: name, handler: handler, budget: .seconds(30))
    let when = story.number(0...3)
    if when == 0 { story.tell(daemon!, set) }
    story.tell(session.app, WakeDelivered(session: name, handler: handler))
    if when == 1 { story.tell(daemon!, set) }
    if !story.chance(4) {
      story.tell(session.app, WakeHandlerStored(session: name, handler: handler, slot: "handler of \(name)"))
    }
    if when == 2 { story.tell(daemon!, set) }
  }

  /// Finishes the delivery of events and calls the completion handlers.
  mutating func finishEvents(of app: Pen) {
    for (name, handler) in handlers {
      guard let session = sessions.last(where: { $0.identifier == name && $0.app == app }) else { continue }
      let (engine, delegate, delivery) = (app.on(Pen.engine), app.on(Pen.delegate), story.delivery())
      // With a lost or late handler, an invalidation would not be confirmed in time, which is a fault of its own.
      let isOver = story.chance(4) && flaw != .handlerLate && flaw != .handlerLost
      if isOver {
        story.tell(
          app,
          SessionInvalidationRequested(
            session: name, instance: session.instance, invalidation: .finishTasks, by: .app, liveTasks: 0))
      }
      story.tell(engine, SessionEventsFinished(session: name, instance: session.instance, handler: handler, liveTasks: 0))
      story.tell(engine, DeliverySent(session: name, delivery: delivery, callback: .didFinishEvents))
      story.tell(delegate, DeliveryReceived(session: name, delivery: delivery, callback: .didFinishEvents))
      story.tell(delegate, DeliveryEntered(session: name, delivery: delivery, callback: .didFinishEvents, queue: "delegate"))
      if flaw == .handlerLate {
        story.tell(daemon!, WakeDeadlinePassed(session: name, handler: handler, budget: .seconds(30)), after: .seconds(31))
        if story.chance(3) {
          story.tell(app, WakeHandlerReleased(session: name, handler: handler))
          continue
        }
      }
      if flaw == .handlerLost {
        story.tell(app, WakeHandlerReleased(session: name, handler: handler))
        continue
      }
      let called = WakeHandlerCalled(session: name, handler: handler, onMainThread: true, threadName: "main")
      story.together([
        [.tell(delegate, DeliveryLeft(session: name, delivery: delivery, callback: .didFinishEvents), after: story.briefly())],
        [.tell(app, called, after: story.briefly())],
      ])
      if isOver {
        story.tell(engine, SessionInvalidated(session: name, instance: session.instance))
        sessions.removeAll { $0.instance == session.instance }
      }
      if story.chance(3) { story.tell(app, WakeHandlerReleased(session: name, handler: handler)) }
    }
    handlers = []
  }

  mutating func come(toFront app: Pen) {
    story.tell(app, ProcessStateChanged(launch: launch(app), state: .foreground), after: .seconds(1))
    for session in sessions where session.app == app && story.chance(2) { invalidate(session) }
  }

  // MARK: Other processes

  /// Starts an unrelated app.
  mutating func startOther() -> Pen {
    story.note(.twoApps)
    let role: WriterRole = story.pick([.app, .engine, .recorder])
    let pen = Pen(writer: story.history.addWriter(role, "teapot"), lane: Pen.main)
    open(pen)
    started(pen, story.pick([.user, .command]))
    _ = makeSession(.default, "teapot-1", in: pen)
    return pen
  }

  mutating func end(_ other: Pen) {
    if story.chance(3), let daemon, story.history.writers[other.writer].context.role == .app {
      if story.chance(2) { story.tell(other, ProcessTerminationAnnounced(launch: launch(other), by: .policy)) }
      story.tell([.pause(.seconds(1))])
      leave(other, .memoryPressure, signal: 9, linked: false)
      if story.chance(2) {
        story.tell(
          daemon.on(Pen.main),
          ProcessExitObserved(launch: launch(other), pid: pid(other), exitReason: .missing, executable: "teapot"))
      }
      return
    }
    story.tell(other, ProcessExited(launch: launch(other), code: 0, exitReason: .returned))
    story.tell(other, LogClosed(dropped: 0))
  }

  /// Adds an app without a log, which links to the daemon and exits.
  mutating func stranger() {
    guard let daemon else { return }
    let launch = LaunchID(high: story.identifier(), low: 0xFF)
    story.tell(daemon, LinkConnected(peer: launch, generation: generation))
    story.tell(daemon, LinkDisconnected(peer: launch, generation: generation, reason: "closed"), after: .milliseconds(9))
    story.tell(
      daemon.on(Pen.main),
      ProcessExitObserved(launch: launch, pid: 77, code: 0, exitReason: .exitCall, by: .daemon, executable: "x"))
  }

  /// Adds a life of an app whose `URLSession` is recorded. Such a log contains nothing about the daemon.
  mutating func recorded() {
    let pen = Pen(writer: story.history.addWriter(.recorder, "foundation"), lane: Pen.main)
    let (name, handler) = ("com.example.foundation", HandlerID(story.identifier()))
    open(pen)
    started(pen, .transfer, background: true)
    story.tell(pen, WakeDelivered(session: name, handler: handler))
    story.tell(pen, WakeHandlerStored(session: name, handler: handler, slot: "handler"))
    let session = makeSession(.background, name, in: pen)
    let task = story.task(of: name)
    story.tell(pen, TaskAdopted(task: task, launch: launch(pen)))
    let (delegate, delivery) = (pen.on(Pen.delegate), story.delivery())
    story.tell(delegate, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete))
    story.tell(delegate, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete, queue: "delegate"))
    story.tell(delegate, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete))
    story.tell(delegate, TaskCompleted(task: task, delivery: delivery, received: 10, status: 200))
    story.tell(delegate, SessionEventsFinished(session: name, instance: session.instance, liveTasks: 0))
    story.tell(pen, WakeHandlerCalled(session: name, handler: handler, onMainThread: true, threadName: "main"))
    story.tell(pen, ProcessExited(launch: launch(pen), code: 0, exitReason: .returned))
    story.tell(pen, LogClosed(dropped: 0))
    sessions.removeAll { $0.app == pen }
  }

  /// Adds the `xferlog` tool, which opens and closes the log twice.
  mutating func tool() {
    let pen = Pen(writer: story.history.addWriter(.tool, "xferlog"), lane: Pen.main)
    for _ in 0..<2 {
      open(pen)
      story.tell(pen, LogClosed(dropped: 0))
    }
  }
}
