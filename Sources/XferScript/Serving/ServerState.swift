internal import NIOCore
internal import Synchronization

/// The state shared by all connections of one server.
struct ServerState: Sendable {
  let playback: Playback
  let ledger: RequestLedger
  let connections = OpenConnections()
}

/// The open connections, which are closed when the server stops.
final class OpenConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isStopping = false
  }

  private let state = Mutex(State())

  var isStopping: Bool { state.withLock { $0.isStopping } }

  func add(_ channel: any Channel) {
    let isStopping = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return state.isStopping
    }
    if isStopping { channel.close(promise: nil) }
  }

  func remove(_ channel: any Channel) {
    _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Marks the server as stopping and returns the connections to close, or `nil` when it was already stopping.
  func startStopping() -> [any Channel]? {
    state.withLock { state in
      guard !state.isStopping else { return nil }
      state.isStopping = true
      return Array(state.channels.values)
    }
  }
}
