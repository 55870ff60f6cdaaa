package import XferEvents

/// What is known of one session object, and how an event changes it. What follows from it is asked of `SessionLifecycle`.
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
  package var connected: Fact?
  package var connectFailed: Fact?
  package var eventsFinished: Fact?
  /// Since when `urlSessionDidFinishEvents` waits for its turn in the app.
  package private(set) var finishQueued: Fact?
  package var invalidationRequested: Fact?
  package var invalidated: Fact?
  package var released: Fact?
  /// The first task that it refused because it was invalid.
  package var rejected: Fact?
  /// The first task that it refused because its resume data could not be used.
  package private(set) var rejectedResumeData: Fact?
  package var requestTimeout: Duration?
  package var resourceTimeout: Duration?
  package var timeoutOrigin: TimeoutOrigin?
  package var sendsLaunchEvents: Bool?
  package var settings: SessionSettings?
  /// Somebody asked for a session of this identifier, and was given this one or another beside it.
  package var reused: Fact?
  /// The first question for its tasks that has not been answered.
  package var openQuery: Fact?
  private var openQueryID: CorrelationID?
  /// What the replay sees around a background session.
  @Seldom package var surroundings: Surroundings
  /// What became of its tasks when it was let go, and of those that it did not make.
  @Seldom package var ending: Ending
  @Seldom package private(set) var refusals: Refusals
  package private(set) var invalidation: InvalidationMode?
  package private(set) var invalidatedBy: Actor?
  /// Whether it was given a delegate; `nil` when the log does not say.
  package private(set) var hasDelegate: Bool?
  /// It said that it has no tasks.
  @Seldom package var emptyAnswer: EmptyAnswer?
  /// All its events were delivered and tasks of it ran on.
  @Seldom package var unfinished: Unfinished?
  /// It, or the daemon for it, shows that too much is asked of it: the last time, and how often.
  package private(set) var strained: Fact?
  package private(set) var strains = 0
  /// It was given to somebody who had another delegate in mind.
  @Seldom package private(set) var stale: StaleDelegate?
  /// As asked for; `nil` when the log does not say.
  package private(set) var discretionary: Bool?
  package private(set) var allowsCellular: Bool?
  package private(set) var allowsExpensive: Bool?
  package private(set) var allowsConstrained: Bool?
  /// How often it was to be connected since it was, and since when.
  package private(set) var connectTries = 0
  package private(set) var firstConnectTry: Fact?
  private var order = OrderTracker()

  package init(identifier: String, instance: CorrelationID?, process: Int) {
    self.identifier = identifier
    self.instance = instance
    self.process = process
  }

  package mutating func apply(_ event: EventView, _ fact: Fact) -> UnexpectedOrder? {
    switch fact.kind {
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
    case .deliverySent:
      finishQueued = fact
      return nil
    case .deliveryEntered, .deliveryDropped:
      finishQueued = nil
      return nil
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
      // Of another family: the session's own events stand as they would without it.
      return nil
    case .taskCreationFailed:
      refusals.note(event, fact)
      strain(fact)
      return nil
    default: break
    }
    return order.note(fact)
  }

  package mutating func strain(_ fact: Fact) {
    strained = fact
    strains += 1
  }

  /// A callback of its went to the delegate that it has.
  package mutating func call(_ delegate: CorrelationID?, _ fact: Fact) { stale?.call(delegate, fact) }

  /// Whether nobody holds it any more, or nobody wants to.
  package var isLetGo: Bool { invalidationRequested != nil || invalidated != nil || released != nil }
}
