internal import NIOCore
internal import Synchronization

/// The open connections of a server.
final class OpenConnections: Sendable {
  private let state: Mutex<State>

  private struct State {
    var table: ConnectionTable<ObjectIdentifier>
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isStopping = false
  }

  init(limit: Int) { state = Mutex(State(table: ConnectionTable(limit: limit))) }

  /// Adds a connection, and closes another one, or this one, if there are too many.
  func add(_ channel: any Channel) {
    let excess = state.withLock { state -> (any Channel)? in
      if state.isStopping { return channel }
      state.channels[ObjectIdentifier(channel)] = channel
      return state.table.add(ObjectIdentifier(channel)).flatMap { state.channels.removeValue(forKey: $0) }
    }
    excess?.close(promise: nil)
  }

  /// Notes that a connection has presented the token.
  func trust(_ channel: any Channel) { state.withLock { $0.table.trust(ObjectIdentifier(channel)) } }

  func remove(_ channel: any Channel) {
    state.withLock { state in
      state.table.remove(ObjectIdentifier(channel))
      state.channels[ObjectIdentifier(channel)] = nil
    }
  }

  /// Closes all connections, and those that are opened later.
  func stop() {
    let all = state.withLock { state in
      state.isStopping = true
      return Array(state.channels.values)
    }
    for channel in all { channel.close(promise: nil) }
  }
}
