internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An HTTP/1.1 server that answers as its script says, and keeps its own record of what it did.
///
/// Several can run in one process; each has its own port, so each is an origin of its own.
public final class ScriptedServer: Sendable {
  /// The address that it listens at, as a number.
  public let host: String
  public let port: Int
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let state: ServerState

  private init(host: String, port: Int, group: MultiThreadedEventLoopGroup, listener: any Channel, state: ServerState) {
    self.host = host
    self.port = port
    self.group = group
    self.listener = listener
    self.state = state
  }

  /// Starts to listen; it has to be stopped.
  ///
  /// - Parameters:
  ///   - port: 0 takes a free one.
  ///   - allowsOtherHosts: Lets machines other than this one connect, by a `host` that is not a loopback address.
  ///   - now: The clock whose times the records bear.
  ///   - oracle: Gets a line at the start and end of every request.
  public static func start(
    _ script: ServerScript, host: String = "127.0.0.1", port: Int = 0, allowsOtherHosts: Bool = false,
    now: @escaping @Sendable () -> Duration = ScriptedServer.monotonicTime, oracle: OracleFile? = nil
  ) async throws(ScriptError) -> ScriptedServer {
    try script.check()
    guard allowsOtherHosts || isLoopback(host) else {
      throw ScriptError(
        code: .notLoopback, place: host, problem: "other machines could reach a scripted server here",
        advice: "Listen at 127.0.0.1, ::1 or localhost, or allow other hosts explicitly.")
    }
    guard UInt16(exactly: port) != nil else {
      throw ScriptError(
        code: .cannotListen, place: "\(host):\(port)", problem: "there is no such port",
        advice: "Choose one from 1 to 65535, or 0 for a free one.")
    }
    let state = ServerState(playback: Playback(script), ledger: RequestLedger(now: now, file: oracle))
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let listener = try await bootstrap(group, state).bind(host: host, port: port).get()
      return ScriptedServer(
        host: listener.localAddress?.ipAddress ?? host, port: listener.localAddress?.port ?? port, group: group,
        listener: listener, state: state)
    } catch {
      try? await group.shutdownGracefully()
      throw ScriptError(
        code: .cannotListen, place: "\(host):\(port)", problem: "the server cannot listen here",
        advice: "Choose another port, or 0 for a free one.", cause: "\(error)")
    }
  }

  private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ state: ServerState) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 128 << 10, high: 512 << 10))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(state))
        }
      }
  }

  /// Runs a server for as long as `use` runs.
  public static func serving<Result>(
    _ script: ServerScript, _ use: (ScriptedServer) async throws -> Result
  ) async throws -> Result {
    let server = try await start(script)
    do {
      let result = try await use(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Closes the port and every connection. Records of open requests end as `serverStopped`, or as `hung`.
  public func stop() async {
    guard let channels = state.connections.startStopping() else { return }
    try? await listener.close()
    for channel in channels { try? await channel.close() }
    try? await group.shutdownGracefully()
    state.ledger.stop()
  }

  public func url(_ path: String) -> String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
  }
}

extension ScriptedServer {
  /// Every request so far, by sequence number.
  public var requests: [ServedRequest] { state.ledger.requests }

  /// Connections accepted so far, with and without requests.
  public var connections: Int { state.ledger.connections }

  /// Returns the requests as soon as the condition holds for them, now or later.
  ///
  /// The condition is asked at every change, on the server's threads: it must be quick, and use its argument only.
  /// Throws when the server stops or the waiting task is cancelled first.
  @discardableResult
  public func waitUntil(
    _ holds: @escaping @Sendable ([ServedRequest]) -> Bool
  ) async throws(ScriptError) -> [ServedRequest] {
    try await state.ledger.wait(until: holds)
  }

  /// `CLOCK_MONOTONIC`, which all processes of a machine share.
  public static func monotonicTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    guard let address = try? SocketAddress(ipAddress: host, port: 0), case .v4 = address else { return false }
    return address.ipAddress?.hasPrefix("127.") == true
  }
}
