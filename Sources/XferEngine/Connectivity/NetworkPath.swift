internal import Synchronization

extension TransferSession {
  /// The way into the network, as far as it decides whether a task may begin: what Network's `NWPath` says.
  public struct NetworkPath: Sendable, Hashable, Codable {
    public var isSatisfied: Bool
    /// Whether it goes over a cellular modem.
    public var isCellular: Bool
    /// Whether its bytes cost money, as a modem's or a hotspot's do.
    public var isExpensive: Bool
    /// Whether data is to be saved.
    public var isConstrained: Bool

    public init(isSatisfied: Bool = true, isCellular: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false) {
      self.isSatisfied = isSatisfied
      self.isCellular = isCellular
      self.isExpensive = isExpensive
      self.isConstrained = isConstrained
    }

    public static let satisfied = NetworkPath()
    public static let unsatisfied = NetworkPath(isSatisfied: false)
    /// Expensive, as URLSession has it of all cellular paths.
    public static let cellular = NetworkPath(isCellular: true, isExpensive: true)
  }
}

/// Says which way there is into the network.
public protocol NetworkPathSource: Sendable {
  /// Of the machine as a whole.
  var path: TransferSession.NetworkPath { get }

  /// To one host. Called before each attempt, so it has to be quick.
  ///
  /// - Parameter host: lower case, an IPv6 address in brackets.
  func path(to host: String) -> TransferSession.NetworkPath

  /// Whether what is under way ends when there is no path any more. Where the kernel knows the path, it sees to that itself.
  var endsConnections: Bool { get }

  /// Registers what is to be called after the path has changed, as long as the observation lives.
  func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation
}

extension NetworkPathSource {
  public func path(to host: String) -> TransferSession.NetworkPath { path }
  public var endsConnections: Bool { false }
}

/// Somebody wants to hear of changes, until this is gone.
public final class NetworkPathObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: called once.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

/// Those who want to hear of changes.
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

  /// In the order in which they came.
  func tell() { for observer in state.withLock({ $0.observers }) { observer.changed() } }
}
