package import XferEvents

// Read access to the facts.
extension SessionLifecycle {
  package var identifier: String { facts.identifier }
  package var instance: CorrelationID? { facts.instance }
  package var process: Int { facts.process }
  package var kind: SessionKind? { facts.kind }
  package var created: Fact? { facts.created }
  package var observed: Fact? { facts.observed }
  package var connected: Fact? { facts.connected }
  package var connectFailed: Fact? { facts.connectFailed }
  package var eventsFinished: Fact? { facts.eventsFinished }
  package var confirmationQueued: Fact? { facts.confirmationQueued }
  package var finishQueued: Fact? { facts.finishQueued }
  package var invalidationRequested: Fact? { facts.invalidationRequested }
  package var invalidated: Fact? { facts.invalidated }
  package var released: Fact? { facts.released }
  package var rejected: Fact? { facts.rejected }
  package var rejectedResumeData: Fact? { facts.rejectedResumeData }
  package var requestTimeout: Duration? { facts.requestTimeout }
  package var resourceTimeout: Duration? { facts.resourceTimeout }
  package var timeoutOrigin: TimeoutOrigin? { facts.timeoutOrigin }
  package var sendsLaunchEvents: Bool? { facts.sendsLaunchEvents }
  package var settings: SessionSettings? { facts.settings }
  package var reused: Fact? { facts.reused }
  package var openQuery: Fact? { facts.openQuery }
  package var surroundings: Surroundings { facts.surroundings }
  package var ending: Ending { facts.ending }
  package var refusals: Refusals { facts.refusals }
  package var invalidation: InvalidationMode? { facts.invalidation }
  package var invalidatedBy: Actor? { facts.invalidatedBy }
  package var hasDelegate: Bool? { facts.hasDelegate }
  package var emptyAnswer: EmptyAnswer? { facts.emptyAnswer }
  package var unfinished: Unfinished? { facts.unfinished }
  package var strained: Fact? { facts.strained }
  package var strains: Int { facts.strains }
  package var stale: StaleDelegate? { facts.stale }
  /// The first callback that another object than the session's delegate received, although no second caller had got the session.
  package var otherCalled: Fact? { facts.otherCalled }
  package var discretionary: Bool? { facts.discretionary }
  package var allowsCellular: Bool? { facts.allowsCellular }
  package var allowsExpensive: Bool? { facts.allowsExpensive }
  package var allowsConstrained: Bool? { facts.allowsConstrained }
  package var connectTries: Int { facts.connectTries }
  package var firstConnectTry: Fact? { facts.firstConnectTry }
  package var isLetGo: Bool { facts.isLetGo }
}
