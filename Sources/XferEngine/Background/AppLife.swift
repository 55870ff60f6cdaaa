internal import Dispatch
internal import Synchronization
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Passes the daemon's notices about the app's life cycle to the app's code, and logs them.
final class AppLife: AppReceiver {
  private let queue: DispatchQueue
  private let link: BackgroundLink
  private let sink: any EventSink
  private let handleEvents: BackgroundApp.EventHandler
  private let state: Mutex<State>

  private struct State {
    // Weak, because the app owns the delegate.
    weak var delegate: (any BackgroundAppDelegate)?
    var assertions: [UInt64: Assertion] = [:]
  }

  /// Background time that the app has requested and not ended.
  private struct Assertion {
    let name: String
    let expirationHandler: (@Sendable () -> Void)?
    var hasExpired = false
  }

  init(
    queue: DispatchQueue, link: BackgroundLink, sink: any EventSink, delegate: (any BackgroundAppDelegate)?,
    handleEvents: @escaping BackgroundApp.EventHandler
  ) {
    (self.queue, self.link, self.sink, self.handleEvents) = (queue, link, sink, handleEvents)
    state = Mutex(State(delegate: delegate))
  }

  private var delegate: (any BackgroundAppDelegate)? { state.withLock { $0.delegate } }

  func take(_ notice: AppNotice) { queue.async { self.handle(notice) } }

  private func handle(_ notice: AppNotice) {
    switch notice {
    case .wake(let session, let handler): wake(session, HandlerID(handler))
    case .entered(let standing): enter(standing)
    case .willTerminate:
      sink.emit(ProcessTerminationAnnounced(launch: sink.processLaunch, by: .user))
      delegate?.willTerminate()
      exit(0)
    case .assertionsExpired(let ids): for id in ids { expire(id) }
    case .triggerFired(_, let trigger): delegate?.triggerFired(trigger)
    case .deadManFired(let name, let count): delegate?.deadManFired(name, count: count)
    case .protectedData(let isAvailable): delegate?.protectedDataBecameAvailable(isAvailable)
    }
  }

  private func enter(_ standing: AppStanding) {
    sink.emit(ProcessStateChanged(launch: sink.processLaunch, state: standing.state))
    switch standing {
    case .foreground: delegate?.willEnterForeground()
    case .background: delegate?.didEnterBackground()
    }
    link.note(standing)
  }

  private func wake(_ session: String, _ handler: HandlerID) {
    sink.emit(WakeDelivered(session: session, handler: handler))
    var completion = WakeCompletion(session, handler, sink: sink, link: link)
    do {
      let completion = completion
      handleEvents(session) { completion.call() }
    }
    // A second reference means that the app stored the completion handler.
    let isKept = !isKnownUniquelyReferenced(&completion)
    if isKept, !completion.isCalled { sink.emit(WakeHandlerStored(session: session, handler: handler)) }
  }

  // MARK: Background time

  func begin(_ id: UInt64, _ name: String, slot: String?, _ expirationHandler: (@Sendable () -> Void)?) {
    state.withLock { $0.assertions[id] = Assertion(name: name, expirationHandler: expirationHandler) }
    sink.emit(AssertionBegun(assertion: CorrelationID(id), name: name, slot: slot))
    link.keep(.assertionBegun(id, name: name), as: .assertion(id))
  }

  func end(_ id: UInt64) {
    guard let ended = state.withLock({ $0.assertions.removeValue(forKey: id) }) else { return }
    sink.emit(AssertionEnded(assertion: CorrelationID(id), name: ended.name))
    link.keep(nil, as: .assertion(id))
    link.send(.report(.assertionEnded(id)))
  }

  private func expire(_ id: UInt64) {
    let expired = state.withLock { state -> Assertion? in
      guard let assertion = state.assertions[id], !assertion.hasExpired else { return nil }
      state.assertions[id]?.hasExpired = true
      return assertion
    }
    guard let expired else { return }
    sink.emit(AssertionExpired(assertion: CorrelationID(id), name: expired.name))
    expired.expirationHandler?()
  }
}
