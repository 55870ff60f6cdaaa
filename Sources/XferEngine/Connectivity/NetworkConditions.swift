internal import Synchronization

/// A network path that is set by code, for tests and for apps that know the path better than the engine.
///
/// The path decides only whether tasks may start. Transfers in flight continue.
public final class NetworkConditions: NetworkPathSource {
  private let state: Mutex<TransferSession.NetworkPath>
  private let observers = PathObservers()

  public init(_ path: TransferSession.NetworkPath = .satisfied) { state = Mutex(path) }

  /// The current path. Setting a satisfied path starts tasks that wait for connectivity.
  public var path: TransferSession.NetworkPath {
    get { state.withLock { $0 } }
    set {
      let isNew = state.withLock { path in
        defer { path = newValue }
        return path != newValue
      }
      if isNew { observers.notify() }
    }
  }

  public func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation { observers.add(changed) }
}
