package import XferEvents

/// One wake of an app for the events of a session, and its completion handler.
package struct WakeLifecycle: Sendable {
  package let handler: HandlerID
  package var session: String?
  /// The index of the woken process life; `nil` until the wake was delivered.
  package var process: Int?
  /// The index of the process life that was launched for the wake, once it has written an event; set by the replay.
  package var launchedProcess: Int?
  /// The index of the process life that requested the wake.
  package var wantedBy: Int?
  package var cause: WakeCause?
  /// The number of pending callbacks when the wake was requested.
  package var pending: Int64?

  package var wanted: Fact?
  package var held: Fact?
  package var hold: HoldWakeReason?
  package var holdDelay: Duration?
  package var launched: Fact?
  /// The identifier of the launched process life, according to the launch event.
  package private(set) var launchedLaunch: LaunchID?
  /// The number of the launched process. `nil` if the launch failed or the event names no process.
  package private(set) var launchedPID: Int?
  /// The program of the launched process life, according to the launch event.
  package private(set) var launchedProgram: String?
  /// Whether the device was locked at the launch; set by the replay.
  package var protectionAtLaunch: Switch?
  /// The errno if the program could not be started.
  package var launchError: Int?
  package var delivered: Fact?
  package var stored: Fact?
  /// The app's name for the variable that stores the handler.
  package var slot: String?
  package var released: Fact?
  /// Whether the system reported with the release that the handler was never called.
  package private(set) var wasReportedUncalled = false
  /// The first call of the handler. `calls` also counts later ones.
  package var called: Fact?
  package var calls = 0
  package var calledAgain: Fact?
  package var calledOnMainThread: Bool?
  /// The index of the process life that made the first call.
  package var calledBy: Int?
  /// The session that the first call names.
  package var calledSession: String?
  package var deadlineSet: Fact?
  package var budget: Duration?
  package var deadlinePassed: Fact?
  /// Whether the app had more time than its wake when the deadline passed, because it was in the foreground or held a background
  /// assertion; set by the replay.
  package var hadMoreTime = false
  /// The event `session.eventsFinished` for the session of the wake. It may precede the delivery of the wake.
  package var eventsFinished: Fact?
  /// The state of the app at the first call of the handler. The replay sets this property and those below.
  package var atCall: Call?
  package var afterCall: Fact?
  package var otherFinished: OtherSession?
  package var next: Successor?
  package var storm: Storm?

  package init(handler: HandlerID) {
    self.handler = handler
  }

  /// The running time that is usually observed. URLSession's documentation gives no figure.
  package static let usualBudget: Duration = .seconds(30)

  package enum Result: String, Sendable, CaseIterable {
    case called, late, early, twice, never, open, unknown
  }

  package func result(processEnded: Bool) -> Result {
    if calls > 1 { return .twice }
    if let called {
      if let deadlinePassed, deadlinePassed.isBefore(called) ?? false { return .late }
      return eventsFinished == nil || atCall?.wasFinished == false ? .early : .called
    }
    guard delivered != nil else { return .unknown }
    return processEnded || released != nil || deadlinePassed != nil ? .never : .open
  }

  package mutating func apply(_ kind: EventModel.Wake, _ event: EventView, _ fact: Fact, process: Int) {
    session = session ?? event.session
    switch kind {
    case .wakeWanted:
      wanted = wanted ?? fact
      wantedBy = wantedBy ?? process
      cause = event.wakeCause
      pending = event.pending
    case .wakeHeld:
      held = fact
      hold = event.holdWake
      holdDelay = event.delay
    case .wakeLaunched:
      launched = fact
      launchError = event.osError
      launchedLaunch = event.launch
      launchedPID = event.pid
      launchedProgram = event.executable
    case .wakeDelivered:
      delivered = delivered ?? fact
      self.process = process
    case .wakeHandlerStored:
      stored = fact
      slot = event.slot
    case .wakeHandlerCalled:
      calls += 1
      if called == nil {
        called = fact
        calledOnMainThread = event.onMainThread
        calledBy = process
        calledSession = event.session
      } else {
        calledAgain = calledAgain ?? fact
      }
    case .wakeHandlerReleased:
      released = fact
      wasReportedUncalled = event.uncalled ?? false
    case .wakeDeadlineSet:
      deadlineSet = fact
      budget = event.budget
    case .wakeDeadlinePassed: deadlinePassed = fact
    }
  }
}
