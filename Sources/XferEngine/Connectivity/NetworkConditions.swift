internal import Synchronization

/// A network path that is what somebody says: for tests, and for whoever knows it better than the engine.
///
/// It decides whether tasks may begin. What is under way is the kernel's business, and goes on.
public final class NetworkConditions: NetworkPathSource {
  private let state: Mutex<TransferSession.NetworkPath>
  private let observers = PathObservers()

  public init(_ path: TransferSession.NetworkPath = .satisfied) { state = Mutex(path) }

  /// Setting it starts tasks that wait for it.
  public var path: TransferSession.NetworkPath {
    get { state.withLock { $0 } }
    set {
      let isNew = state.withLock { path in
        defer { path = newValue }
        return path != newValue
      }
      if isNew { observers.tell() }
    }
  }

  public func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation { observers.add(changed) }
}
