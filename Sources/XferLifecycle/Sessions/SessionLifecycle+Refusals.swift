package import XferEvents

// Requests that a session or its daemon refused, and sessions whose delegate is not the one that the caller passed.
extension SessionLifecycle {
  package struct Refusals: EmptyInitializable, Sendable {
    /// The first refusal because another process uses the session.
    package private(set) var inUse: Fact?
    /// The process that uses the session, according to the refusals; `nil` if unknown.
    package private(set) var holder: LaunchID?
    /// The first refusal because an extension's session has no shared container.
    package private(set) var missingContainer: Fact?
    /// The first rejected task for each reason.
    package private(set) var tasks: [RefusedTask] = []
    private var latest: RefusedTask?
    /// The first task creation that returned neither a task nor a reason.
    package private(set) var nothing: Fact?
    package private(set) var nothingType: TaskType?
    /// The number of task creations that returned neither a task nor a reason.
    package private(set) var nothingCount = 0

    package init() {}

    private static let (inUseNumber, containerNumber) = (-996, -995)
    /// The engine's number for a session that another process has open.
    private static let ownInUseNumber = 18

    mutating func note(_ event: EventView, _ fact: Fact) {
      switch fact.kind {
      case .sessionConnectFailed, .sessionInvalidated:
        let isOwn = event.domain == .xfer && event.error == Self.ownInUseNumber
        guard event.domain == .url || isOwn else { return }
        if isOwn || event.error == Self.inUseNumber {
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
        // If a task of the same type was rejected within the last second, the rejection gives the reason, so the creation is not
        // counted.
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

  /// A session that was returned to a caller whose delegate is not the session's.
  package struct StaleDelegate: Sendable {
    package let reused: Fact
    package let delegate: CorrelationID
    /// The first callback that was delivered to the session's delegate.
    package private(set) var called: Fact?
    /// The first callback whose event does not name a delegate, so that its receiver is unknown.
    package private(set) var calledSomebody: Fact?

    mutating func call(_ delegate: CorrelationID?, _ fact: Fact) {
      guard let delegate else { return calledSomebody = calledSomebody ?? fact }
      if delegate == self.delegate { called = called ?? fact }
    }
  }
}
