package import XferEvents

/// One wake of an app for the events of a session, and its completion handler.
package struct WakeLifecycle: Sendable {
  package let handler: HandlerID
  package var session: String?
  /// Place of the process life that was woken; `nil` until the wake reached it.
  package var process: Int?
  package var cause: WakeCause?

  package var wanted: Fact?
  package var held: Fact?
  package var launched: Fact?
  package var delivered: Fact?
  package var stored: Fact?
  package var released: Fact?
  /// The first call; later ones only count.
  package var called: Fact?
  package var calls = 0
  package var calledOnMainThread: Bool?
  package var deadlineSet: Fact?
  package var budget: Duration?
  package var deadlinePassed: Fact?
  /// `session.eventsFinished` of this session after the wake was delivered.
  package var eventsFinished: Fact?
  /// The session was made in the woken process, before or after the delivery.
  package var sessionCreated: Fact?
  private var order = OrderTracker()

  package init(handler: HandlerID) {
    self.handler = handler
  }

  /// URLSession's own documents give no figure; thirty seconds is what the field counts on.
  package static let usualBudget: Duration = .seconds(30)

  package enum Result: String, Sendable {
    case called, late, early, twice, never, open, unknown
  }

  package func result(processEnded: Bool) -> Result {
    if calls > 1 { return .twice }
    if let called {
      if let deadlinePassed, deadlinePassed.moment.monotonic ?? 0 < called.moment.monotonic ?? 0 { return .late }
      return eventsFinished == nil ? .early : .called
    }
    guard delivered != nil else { return .unknown }
    return processEnded || released != nil || deadlinePassed != nil ? .never : .open
  }

  package mutating func apply(_ event: RecordedEvent, _ fact: Fact, process: Int) -> UnexpectedOrder? {
    session = event.session ?? session
    switch fact.kind {
    case .wakeWanted:
      wanted = wanted ?? fact
      cause = event.wakeCause
    case .wakeHeld: held = fact
    case .wakeLaunched: launched = fact
    case .wakeDelivered:
      delivered = delivered ?? fact
      self.process = process
    case .wakeHandlerStored: stored = fact
    case .wakeHandlerCalled:
      calls += 1
      if called == nil {
        called = fact
        calledOnMainThread = event.onMainThread
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
