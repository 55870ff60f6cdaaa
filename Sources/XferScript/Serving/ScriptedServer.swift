internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An HTTP/1.1 server that sends scripted responses and keeps its own record of every request.
///
/// Several servers can run in one process. Each has its own port and is therefore a separate origin.
package final class ScriptedServer: Sendable {
  /// The IP address that the server listens on.
  package let host: String
  package let port: Int
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

  /// Starts a server, which the caller must stop.
  ///
  /// - Parameters:
  ///   - port: The port to listen on. 0 selects a free port.
  ///   - allowsOtherHosts: Whether `host` may be a non-loopback address, which lets other machines connect.
  ///   - now: The clock used for the times in the records.
  ///   - oracle: A file that receives a line at the start and at the end of every request.
  package static func start(
    _ script: ServerScript, host: String = "127.0.0.1", port: Int = 0, allowsOtherHosts: Bool = false,
    now: @escaping @Sendable () -> Duration = ScriptedServer.monotonicTime, oracle: OracleFile? = nil
  ) async throws(ScriptError) -> ScriptedServer {
    try script.check()
    guard allowsOtherHosts || isLoopback(host) else {
      throw ScriptError(
        code: .notLoopback, place: host, problem: "other machines could reach a server on this address",
        advice: "Listen on 127.0.0.1, ::1 or localhost, or allow other hosts explicitly.")
    }
    guard UInt16(exactly: port) != nil else {
      throw ScriptError(
        code: .cannotListen, place: "\(host):\(port)", problem: "the port number is out of range",
        advice: "Choose a port from 1 to 65535, or 0 for a free one.")
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
        code: .cannotListen, place: "\(host):\(port)", problem: "the server cannot listen on this address",
        advice: "Choose another port, or 0 for a free one.",
        cause: (error as? IOError).map { "\(String(cString: strerror($0.errnoCode))), errno \($0.errnoCode)" } ?? "\(error)")
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

  /// Starts a server, calls `use` with it, and stops the server when `use` returns or throws.
  package static func serving<Result>(
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

  /// Closes the port and every connection. The records of open requests end as `serverStopped` or `hung`.
  package func stop() async {
    guard let channels = state.connections.startStopping() else { return }
    try? await listener.close()
    for channel in channels { try? await channel.close() }
    try? await group.shutdownGracefully()
    state.ledger.stop()
  }

  package func url(_ path: String) -> String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
  }
}

extension ScriptedServer {
  /// All requests so far, ordered by sequence number.
  package var requests: [ServedRequest] { state.ledger.requests }

  /// The number of connections accepted so far, including connections without a request.
  package var connections: Int { state.ledger.connections }

  /// Waits until the condition holds, and returns the requests at that moment.
  ///
  /// The condition is evaluated after every change, on the server's threads. It must be fast and depend only on its argument.
  /// Throws when the server stops or the waiting task is cancelled before the condition holds.
  @discardableResult
  package func waitUntil(
    _ holds: @escaping @Sendable ([ServedRequest]) -> Bool
  ) async throws(ScriptError) -> [ServedRequest] {
    try await state.ledger.wait(until: holds)
  }

  /// Returns the time of `CLOCK_MONOTONIC`, which all processes of a machine share.
  package static func monotonicTime() -> Duration {
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
