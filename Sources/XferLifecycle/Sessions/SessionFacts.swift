package import XferEvents

/// The facts about one session object, and their changes by events. `SessionLifecycle` derives further properties.
package struct SessionFacts: Sendable {
  package typealias Surroundings = SessionLifecycle.Surroundings
  package typealias Ending = SessionLifecycle.Ending
  package typealias Refusals = SessionLifecycle.Refusals
  package typealias EmptyAnswer = SessionLifecycle.EmptyAnswer
  package typealias Unfinished = SessionLifecycle.Unfinished
  package typealias StaleDelegate = SessionLifecycle.StaleDelegate

  package let identifier: String
  package let instance: CorrelationID?
  package let process: Int
  package var kind: SessionKind?
  package var created: Fact?
  /// The first event in which another program's log names the session.
  package private(set) var observed: Fact?
  package var connected: Fact?
  package var connectFailed: Fact?
  package var eventsFinished: Fact?
  /// The event in which `urlSessionDidFinishEvents` was queued for the app; `nil` if the callback is not in the queue.
  package private(set) var finishQueued: Fact?
  package var invalidationRequested: Fact?
  package var invalidated: Fact?
  /// The event in which `didBecomeInvalidWithError` was queued for the app; `nil` if the callback is not in the queue.
  package private(set) var confirmationQueued: Fact?
  package var released: Fact?
  /// The first task that was rejected because the session was invalid.
  package var rejected: Fact?
  /// The first task that was rejected because its resume data was invalid.
  package private(set) var rejectedResumeData: Fact?
  package var requestTimeout: Duration?
  package var resourceTimeout: Duration?
  package var timeoutOrigin: TimeoutOrigin?
  package var sendsLaunchEvents: Bool?
  package var settings: SessionSettings?
  /// The first event in which the app requested a session with the same identifier again: `session.reused`, or a second
  /// `session.created` if the log does not distinguish session objects.
  package var reused: Fact?
  /// The first query for the session's tasks that has no answer yet.
  package var openQuery: Fact?
  private var openQueryID: CorrelationID?
  /// Facts about other sessions and tasks that concern a background session; set by the replay.
  @OutOfLine package var surroundings: Surroundings
  /// Facts about the session's tasks after it was invalidated or released; set by the replay.
  @OutOfLine package var ending: Ending
  @OutOfLine package private(set) var refusals: Refusals
  package private(set) var invalidation: InvalidationMode?
  package private(set) var invalidatedBy: Actor?
  /// Whether the session has a delegate; `nil` if unknown.
  package private(set) var hasDelegate: Bool?
  /// A query's answer that the session has no tasks, and the tasks that contradict the answer; `nil` without this answer.
  @OutOfLine package var emptyAnswer: EmptyAnswer?
  /// The event `session.eventsFinished`, if tasks were still running.
  @OutOfLine package var unfinished: Unfinished?
  /// The last event that indicates that the session or the daemon is overloaded.
  package private(set) var strained: Fact?
  /// The number of events that indicate that the session or the daemon is overloaded.
  package private(set) var strains = 0
  /// The event that returned the existing session to a caller with another delegate, and the first callbacks since.
  @OutOfLine package private(set) var stale: StaleDelegate?
  /// The delegate that the session was created with; `nil` if unknown.
  package private(set) var delegate: CorrelationID?
  /// The first callback that another object than the session's delegate received, although no second caller had got the session.
  package private(set) var otherCalled: Fact?
  /// The requested value of `isDiscretionary`; `nil` if unknown.
  package private(set) var discretionary: Bool?
  package private(set) var allowsCellular: Bool?
  package private(set) var allowsExpensive: Bool?
  package private(set) var allowsConstrained: Bool?
  /// The number of connection attempts since the session last connected.
  package private(set) var connectTries = 0
  /// The first connection attempt since the session last connected.
  package private(set) var firstConnectTry: Fact?

  package init(identifier: String, instance: CorrelationID?, process: Int) {
    self.identifier = identifier
    self.instance = instance
    self.process = process
  }

  package mutating func apply(_ step: EventModel.Session, _ event: EventView, _ fact: Fact) {
    switch step {
    case .sessionCreated:
      created = created ?? fact
      kind = event.sessionKind
      requestTimeout = event.requestTimeout
      resourceTimeout = event.resourceTimeout
      timeoutOrigin = event.timeoutOrigin
      sendsLaunchEvents = event.sendsLaunchEvents
      if kind == .background { settings = SessionSettings(event) }
      discretionary = event.discretionary
      allowsCellular = event.allowsCellular
      allowsExpensive = event.allowsExpensive
      allowsConstrained = event.allowsConstrained
      hasDelegate = event.hasDelegate ?? (event.delegate == nil ? nil : true)
      delegate = delegate ?? event.delegate
    case .sessionObserved:
      kind = kind ?? event.sessionKind
      observed = observed ?? fact
    case .sessionConnectStarted:
      connectTries += 1
      firstConnectTry = firstConnectTry ?? fact
    case .sessionConnected:
      connected = fact
      (connectTries, firstConnectTry) = (0, nil)
    case .sessionConnectFailed:
      connectFailed = fact
      refusals.note(event, fact)
      strain(fact)
    case .sessionEventsFinished: eventsFinished = fact
    case .sessionInvalidationRequested:
      invalidationRequested = invalidationRequested ?? fact
      invalidation = event.invalidation ?? invalidation
      invalidatedBy = event.by ?? invalidatedBy
    case .sessionInvalidated:
      invalidated = fact
      if event.error != nil { refusals.note(event, fact) }
    case .sessionReleased: released = fact
    case .sessionReused:
      reused = reused ?? fact
      if let old = event.delegate, let caller = event.callerDelegate, old != caller {
        stale = stale ?? StaleDelegate(reused: fact, delegate: old)
      }
    case .sessionTasksQueried:
      if openQuery == nil { (openQuery, openQueryID) = (fact, event.query) }
    case .sessionTasksAnswered:
      if event.query == openQueryID { openQuery = nil }
      if event.count ?? event.tasks.map({ Int64($0.count) }) == 0 {
        emptyAnswer = EmptyAnswer(answered: fact, isConnected: event.connected ?? (connected != nil))
      }
    case .taskRejected:
      switch event.rejection {
      case .invalidSession: rejected = rejected ?? fact
      case .resumeDataInvalid: rejectedResumeData = rejectedResumeData ?? fact
      case .tooManyTasks: strain(fact)
      default: break
      }
      refusals.note(event, fact)
    case .taskCreationFailed:
      refusals.note(event, fact)
      strain(fact)
    // No rule needs these settings, because `session.created` contains the relevant ones.
    case .sessionConfigured, .sessionSettingAdjusted: break
    }
  }

  /// Applies an event of the callback `urlSessionDidFinishEvents`.
  package mutating func apply(endCallback step: EventModel.Delivery, _ fact: Fact) {
    switch step {
    case .deliverySent: finishQueued = fact
    case .deliveryEntered, .deliveryDropped: finishQueued = nil
    case .deliveryReceived, .deliveryLeft: break
    }
  }

  /// Applies an event of the callback `didBecomeInvalidWithError`.
  package mutating func apply(confirmation step: EventModel.Delivery, _ fact: Fact) {
    switch step {
    case .deliverySent: confirmationQueued = fact
    case .deliveryEntered, .deliveryDropped: confirmationQueued = nil
    case .deliveryReceived, .deliveryLeft: break
    }
  }

  package mutating func strain(_ fact: Fact) {
    strained = fact
    strains += 1
  }

  /// Notes a callback that was delivered to the session's delegate.
  package mutating func call(_ delegate: CorrelationID?, _ fact: Fact) {
    stale?.call(delegate, fact)
    if let delegate, let own = self.delegate, delegate != own, reused == nil { otherCalled = otherCalled ?? fact }
  }

  /// Whether the session was invalidated or released, or its invalidation was requested.
  package var isLetGo: Bool { invalidationRequested != nil || invalidated != nil || released != nil }
}
