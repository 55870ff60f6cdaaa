package import XferEvents

/// One wake of an app for the events of a session, and its completion handler.
package struct WakeLifecycle: Sendable {
  package let handler: HandlerID
  package var session: String?
  /// Place of the process life that was woken; `nil` until the wake reached it.
  package var process: Int?
  /// Place of the process life that was started for it, once that has written something; set by the replay.
  package var launchedProcess: Int?
  /// Place of the process life that wants the app.
  package var wantedBy: Int?
  package var cause: WakeCause?
  /// Callbacks that waited when the app was wanted.
  package var pending: Int64?

  package var wanted: Fact?
  package var held: Fact?
  package var hold: HoldWakeReason?
  package var holdDelay: Duration?
  package var launched: Fact?
  /// The life that it was launched as, and its program, as far as the launch says.
  package private(set) var launchedLaunch: LaunchID?
  package private(set) var launchedProgram: String?
  /// Whether the device was locked then; set by the replay.
  package var protectionAtLaunch: Switch?
  /// errno, where the program could not be started.
  package var launchError: Int?
  package var delivered: Fact?
  package var stored: Fact?
  /// The variable that keeps the handler, as the app names it.
  package var slot: String?
  package var released: Fact?
  /// The first call; later ones only count.
  package var called: Fact?
  package var calls = 0
  package var calledAgain: Fact?
  package var calledOnMainThread: Bool?
  /// Place of the process life that made the first call, and the session that the call names.
  package var calledBy: Int?
  package var calledSession: String?
  package var deadlineSet: Fact?
  package var budget: Duration?
  package var deadlinePassed: Fact?
  /// `session.eventsFinished` of what the app was woken for. It may come before the app is handed the wake.
  package var eventsFinished: Fact?
  /// What the replay sees around it, in the woken process.
  package var atCall: Call?
  package var afterCall: Fact?
  package var otherFinished: OtherSession?
  package var next: Successor?
  package var storm: Storm?
  private var order = OrderTracker()

  package init(handler: HandlerID) {
    self.handler = handler
  }

  /// URLSession's own documents give no figure; thirty seconds is what the field counts on.
  package static let usualBudget: Duration = .seconds(30)

  package enum Result: String, Sendable, CaseIterable {
    case called, late, early, twice, never, open, unknown
  }

  package func result(processEnded: Bool) -> Result {
    if calls > 1 { return .twice }
    if let called {
      if let deadlinePassed, deadlinePassed.moment.monotonic ?? 0 < called.moment.monotonic ?? 0 { return .late }
      return eventsFinished == nil || atCall?.wasFinished == false ? .early : .called
    }
    guard delivered != nil else { return .unknown }
    return processEnded || released != nil || deadlinePassed != nil ? .never : .open
  }

  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int) -> UnexpectedOrder? {
    session = session ?? event.session
    switch fact.kind {
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
    case .wakeHandlerReleased: released = fact
    case .wakeDeadlineSet:
      deadlineSet = fact
      budget = event.budget
    case .wakeDeadlinePassed: deadlinePassed = fact
    default: break
    }
    return order.note(fact)
  }
}
