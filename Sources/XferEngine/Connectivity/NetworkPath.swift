internal import Synchronization

extension TransferSession {
  /// The properties of the network path that decide whether a task may start. Corresponds to `NWPath`.
  public struct NetworkPath: Sendable, Hashable, Codable {
    public var isSatisfied: Bool
    /// Whether the path uses a cellular modem.
    public var isCellular: Bool
    /// Whether traffic is metered, as with a modem or a hotspot.
    public var isExpensive: Bool
    /// Whether the user has asked to save data.
    public var isConstrained: Bool

    public init(isSatisfied: Bool = true, isCellular: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false) {
      self.isSatisfied = isSatisfied
      self.isCellular = isCellular
      self.isExpensive = isExpensive
      self.isConstrained = isConstrained
    }

    public static let satisfied = NetworkPath()
    public static let unsatisfied = NetworkPath(isSatisfied: false)
    /// A cellular path, which is also expensive, as in URLSession.
    public static let cellular = NetworkPath(isCellular: true, isExpensive: true)
  }
}

/// A source of the current network path.
public protocol NetworkPathSource: Sendable {
  /// The path of the machine as a whole.
  var path: TransferSession.NetworkPath { get }

  /// Returns the path to one host. Called before each attempt, so it must be fast.
  ///
  /// - Parameter host: the host in lower case; an IPv6 address is in brackets.
  func path(to host: String) -> TransferSession.NetworkPath

  /// Whether the engine ends transfers in flight when the path becomes unsatisfied. `false` if the kernel does so itself.
  var endsConnections: Bool { get }

  /// Registers a closure that is called after each path change until the returned observation is released.
  func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation
}

extension NetworkPathSource {
  public func path(to host: String) -> TransferSession.NetworkPath { path }
  public var endsConnections: Bool { false }
}

/// A registration for path changes, which ends when it is deallocated.
public final class NetworkPathObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: the closure that removes the registration; called once.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

/// The registered closures of a path source.
final class PathObservers: Sendable {
  private struct State {
    var last: UInt64 = 0
    var observers: [(number: UInt64, changed: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  func add(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation {
    let number = state.withLock { state in
      state.last += 1
      state.observers.append((state.last, changed))
      return state.last
    }
    return NetworkPathObservation { [weak self] in self?.state.withLock { $0.observers.removeAll { $0.number == number } } }
  }

  /// Calls the closures in the order of their registration.
  func notify() { for observer in state.withLock({ $0.observers }) { observer.changed() } }
}
