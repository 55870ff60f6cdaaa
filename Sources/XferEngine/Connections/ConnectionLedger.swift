internal import XferEvents

/// Names connections: libcurl 7 does not number them, but while one is open nobody else has its local end.
struct ConnectionLedger {
  struct Key: Hashable {
    let local: String
    let localPort: Int
  }

  private var known: [Key: (id: CorrelationID, lastUsed: Int64)] = [:]

  /// - Returns: the connection's name, and how long it had been idle; `nil` for a new one.
  mutating func acquire(_ key: Key, isNew: Bool, now: Int64, make: () -> CorrelationID) -> (CorrelationID, idle: Duration?) {
    if !isNew, let connection = known[key] { return (connection.id, .nanoseconds(max(0, now - connection.lastUsed))) }
    let id = make()
    known[key] = (id, now)
    return (id, nil)
  }

  mutating func released(_ key: Key, at now: Int64) { known[key]?.lastUsed = now }
}
