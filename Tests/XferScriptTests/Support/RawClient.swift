import NIOCore
import NIOPosix
import Synchronization
import XferScript

/// A TCP client that sends given bytes and keeps all received bytes.
final class RawClient: Sendable {
  enum End: Equatable {
    case closed
    case reset
  }

  private let channel: any Channel
  private let inbox: Inbox

  private init(_ channel: any Channel, _ inbox: Inbox) {
    self.channel = channel
    self.inbox = inbox
  }

  /// Connects to a server. If `reads` is false, the client does not read, so its receive buffer fills up.
  static func connect(to server: ScriptedServer, reads: Bool = true) async throws -> RawClient {
    let inbox = Inbox()
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: reads)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(inbox)) }
      }
      .connect(host: server.host, port: server.port).get()
    return RawClient(channel, inbox)
  }

  /// Connects, sends a text, and returns everything received until the server ends the connection.
  static func exchange(_ text: String, with server: ScriptedServer) async throws -> (heard: String, end: End) {
    let client = try await connect(to: server)
    try await client.send(text)
    let (bytes, end) = await client.all()
    return (String(decoding: bytes, as: UTF8.self), end)
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

  /// Sends the given number of mebibytes of the letter x, without holding them in memory.
  func sendFiller(mebibytes: Int) async throws {
    let buffer = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 1..<mebibytes { channel.write(buffer, promise: nil) }
    try await channel.writeAndFlush(buffer)
  }

  /// Waits until the received bytes meet a condition or the connection ends, and returns the bytes.
  func heard(until holds: @escaping @Sendable ([UInt8]) -> Bool) async -> [UInt8] {
    await wait { holds($0.bytes) || $0.end != nil }.bytes
  }

  func heard(untilSuffix suffix: String) async -> String {
    let suffix = Array(suffix.utf8)
    return String(decoding: await heard { $0.reversed().starts(with: suffix.reversed()) }, as: UTF8.self)
  }

  func all() async -> (bytes: [UInt8], end: End) {
    let state = await wait { $0.end != nil }
    return (state.bytes, state.end!)
  }

  /// Waits until the state meets a condition. A cancelled test, for example at its time limit, stops waiting.
  private func wait(until holds: @escaping @Sendable (Inbox.State) -> Bool) async -> Inbox.State {
    await withTaskCancellationHandler {
      await inbox.wait(until: holds)
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  func close() async throws { try await channel.close() }
}

private final class Inbox: Sendable {
  struct State {
    var bytes: [UInt8] = []
    var end: RawClient.End?
    var waiters: [(holds: @Sendable (State) -> Bool, continuation: CheckedContinuation<State, Never>)] = []
  }

  private let state = Mutex(State())

  func update(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      let now = state
      state.waiters.removeAll { waiter in
        guard waiter.holds(now) else { return false }
        waiter.continuation.resume(returning: now)
        return true
      }
    }
  }

  func wait(until holds: @escaping @Sendable (State) -> Bool) async -> State {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if holds(state) { continuation.resume(returning: state) } else { state.waiters.append((holds, continuation)) }
      }
    }
  }
}

private final class Reader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let inbox: Inbox

  init(_ inbox: Inbox) { self.inbox = inbox }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    inbox.update { $0.bytes.append(contentsOf: bytes.readableBytesView) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if (error as? IOError)?.errnoCode == ECONNRESET { inbox.update { $0.end = .reset } }
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The sending half stays open, so that pending writes continue.
    if event as? ChannelEvent == .inputClosed { inbox.update { $0.end = .closed } }
  }

  func channelInactive(context: ChannelHandlerContext) { inbox.update { $0.end = $0.end ?? .closed } }
}
