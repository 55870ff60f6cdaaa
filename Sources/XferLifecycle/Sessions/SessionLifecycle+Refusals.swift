package import XferEvents

// What a session, or the daemon for it, would not do, and whose delegate it calls.
extension SessionLifecycle {
  package struct Refusals: StartingEmpty, Sendable {
    /// Another process has the session: who, where the daemon says so.
    package private(set) var inUse: Fact?
    package private(set) var holder: LaunchID?
    /// An extension's session without a container that it shares with its app.
    package private(set) var missingContainer: Fact?
    /// The first task refused for each reason.
    package private(set) var tasks: [RefusedTask] = []
    private var latest: RefusedTask?
    /// Neither a task nor a reason came back: the first time, and how often.
    package private(set) var nothing: Fact?
    package private(set) var nothingType: TaskType?
    package private(set) var nothingCount = 0

    package init() {}

    private static let (inUseNumber, containerNumber) = (-996, -995)

    mutating func note(_ event: EventView, _ fact: Fact) {
      switch fact.kind {
      case .sessionConnectFailed, .sessionInvalidated:
        guard event.domain == .url else { return }
        if event.error == Self.inUseNumber {
          inUse = inUse ?? fact
          holder = holder ?? event.holder
        } else if event.error == Self.containerNumber {
          missingContainer = missingContainer ?? fact
        }
      case .taskRejected:
        guard let reason = event.rejection else { return }
        if reason == .missingContainer { missingContainer = missingContainer ?? fact }
        let refused = RefusedTask(reason: reason, type: event.type, rejected: fact)
        latest = refused
        if !tasks.contains(where: { $0.reason == reason }) { tasks.append(refused) }
      case .taskCreationFailed:
        // A reason that was given a moment before is one.
        if let last = latest, last.type == event.type, let time = last.rejected.duration(to: fact), time < .seconds(1) {
          return
        }
        nothingCount += 1
        nothing = nothing ?? fact
        nothingType = nothingType ?? event.type
      default: break
      }
    }
  }

  package struct RefusedTask: Sendable {
    package let reason: RejectionReason
    package let type: TaskType?
    package let rejected: Fact
  }

  /// Whoever asked for the session had a delegate of its own, and the session has another.
  package struct StaleDelegate: Sendable {
    package let reused: Fact
    package let delegate: CorrelationID
    /// The first callback that reached the delegate which the session has.
    package private(set) var called: Fact?
    /// The first callback that does not say whom it reached.
    package private(set) var calledSomebody: Fact?

    mutating func call(_ delegate: CorrelationID?, _ fact: Fact) {
      guard let delegate else { return calledSomebody = calledSomebody ?? fact }
      if delegate == self.delegate { called = called ?? fact }
    }
  }
}
