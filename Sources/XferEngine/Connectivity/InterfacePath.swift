internal import CXferPlatform
internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The network path as this machine's interfaces have it.
///
/// It is satisfied while an interface other than the loopback is up, runs and has an address, and always to this machine itself. That
/// is less than a way to a host: what the path promises and the network does not keep shows when a connection is made. A path counts
/// as cellular, and so as expensive, when every such interface is a modem that the kernel knows as one; Linux itself has no word for
/// saving data, so no path is constrained. Where the interfaces cannot be asked, the path is satisfied.
public final class InterfacePath: NetworkPathSource {
  /// That of the process: its sessions share one socket to the kernel, which tells of changes.
  public static let process = InterfacePath()

  private struct State {
    /// `nil` when it has to be looked up.
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
      // Nobody would say that it is no longer so.
      if state.watch != nil { state.path = path }
      return path
    }
  }

  public func path(to host: String) -> TransferSession.NetworkPath { Self.isLoopback(host) ? .satisfied : path }

  public func onChange(_ changed: @escaping @Sendable () -> Void) -> NetworkPathObservation {
    watch()
    return observers.add(changed)
  }

  /// Begins to listen to the kernel, once.
  private func watch() {
    state.withLock { state in
      guard !state.isWatched else { return }
      state.isWatched = true
      let descriptor = xp_watch_interfaces()
      guard descriptor >= 0 else { return }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "xferlog.network"))
      source.setEventHandler { [weak self] in
        xp_drain(descriptor)
        self?.lookAgain()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      state.watch = source
    }
  }

  private func lookAgain() {
    let path = Self.lookUp()
    let isNew = state.withLock { state in
      defer { state.path = path }
      return state.path != path
    }
    if isNew { observers.tell() }
  }

  private static func lookUp() -> TransferSession.NetworkPath {
    let bits = xp_network_state()
    let has = { (bit: Int) in bits & UInt32(bit) != 0 }
    guard has(Int(XP_NETWORK_KNOWN)) else { return .satisfied }
    guard has(Int(XP_NETWORK_UP)) else { return .unsatisfied }
    return has(Int(XP_NETWORK_CELLULAR)) ? .cellular : .satisfied
  }

  /// Whether a host is this machine by its name alone (RFC 6761 §6.3).
  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: ".") }
  }
}
