internal import CXferPlatform
internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The network path as derived from this machine's network interfaces.
///
/// The path is satisfied while an interface other than the loopback is up, running and has an address. A path to this machine
/// itself is always satisfied. A satisfied path does not guarantee that a host is reachable; connecting shows that. A path is
/// cellular, and therefore expensive, when every usable interface is a modem known to the kernel. Linux has no data-saving
/// setting, so no path is constrained. If the interfaces cannot be queried, the path counts as satisfied.
public final class InterfacePath: NetworkPathSource {
  /// The shared instance of the process. All sessions learn of interface changes through its one kernel socket.
  public static let process = InterfacePath()

  private struct State {
    /// The cached path. `nil` when it has to be looked up.
    var path: TransferSession.NetworkPath?
    var watch: (any DispatchSourceRead)?
    var isWatched = false
  }

  private let state = Mutex(State())
  private let observers = PathObservers()

  init() {}

  deinit { state.withLock { $0.watch?.cancel() } }

  public var path: TransferSession.NetworkPath {
    state.withLock { state in
      if let path = state.path { return path }
      let path = Self.lookUp()
      // Without a watch, a cached path would become stale unnoticed.
      if state.watch != nil { state.path = path }
      return path
    }
  }

  public func path(to host: String) -> TransferSession.NetworkPath { Self.isLoopback(host) ? .satisfied : path }

  public func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation {
    watch()
    return observers.add(changed)
  }

  /// Starts to watch the kernel for interface changes, on first use.
  private func watch() {
    state.withLock { state in
      guard !state.isWatched else { return }
      state.isWatched = true
      let descriptor = xp_watch_interfaces()
      guard descriptor >= 0 else { return }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "xferlog.network"))
      source.setEventHandler { [weak self] in
        xp_drain(descriptor)
        self?.refresh()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      state.watch = source
    }
  }

  private func refresh() {
    let path = Self.lookUp()
    let isNew = state.withLock { state in
      defer { state.path = path }
      return state.path != path
    }
    if isNew { observers.notify() }
  }

  private static func lookUp() -> TransferSession.NetworkPath {
    let bits = xp_network_state()
    let has = { (bit: Int) in bits & UInt32(bit) != 0 }
    guard has(Int(XP_NETWORK_KNOWN)) else { return .satisfied }
    guard has(Int(XP_NETWORK_UP)) else { return .unsatisfied }
    return has(Int(XP_NETWORK_CELLULAR)) ? .cellular : .satisfied
  }

  /// Whether a host name or address denotes this machine (RFC 6761 §6.3).
  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: ".") }
  }
}
