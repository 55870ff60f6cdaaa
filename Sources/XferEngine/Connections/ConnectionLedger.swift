internal import XferEvents

/// The identifiers of open connections. libcurl 7 does not number connections, but the local address of an open one is unique.
struct ConnectionLedger {
  struct Key: Hashable {
    let local: String
    let localPort: Int
  }

  private var known: [Key: (id: CorrelationID, lastUsed: Int64)] = [:]

  /// Returns the connection's identifier and its idle time before this use. The idle time is `nil` for a new connection.
  mutating func acquire(_ key: Key, isNew: Bool, now: Int64, make: () -> CorrelationID) -> (CorrelationID, idle: Duration?) {
    if !isNew, let connection = known[key] { return (connection.id, .nanoseconds(max(0, now - connection.lastUsed))) }
    let id = make()
    known[key] = (id, now)
    return (id, nil)
  }

  mutating func released(_ key: Key, at now: Int64) { known[key]?.lastUsed = now }
}
