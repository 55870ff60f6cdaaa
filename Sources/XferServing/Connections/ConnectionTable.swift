/// The open connections, and which of them is closed when there are too many.
///
/// A connection is a stranger until it presents the token. If there are too many connections, the oldest stranger is closed. Clients
/// without the token can therefore neither use up the memory nor keep others out.
package struct ConnectionTable<ID: Hashable> {
  private let limit: Int
  /// The connections without the token so far, in the order in which they were opened.
  private var strangers: [ID] = []
  private var trusted: Set<ID> = []

  package init(limit: Int) { self.limit = limit }

  package var count: Int { strangers.count + trusted.count }

  /// Adds a connection.
  ///
  /// - Returns: the connection to close, which may be the added one; `nil` if there is room. The table does not contain it any more.
  package mutating func add(_ id: ID) -> ID? {
    strangers.append(id)
    return count > limit ? strangers.removeFirst() : nil
  }

  /// Notes that a connection has presented the token.
  package mutating func trust(_ id: ID) {
    guard let place = strangers.firstIndex(of: id) else { return }
    strangers.remove(at: place)
    trusted.insert(id)
  }

  package mutating func remove(_ id: ID) {
    if trusted.remove(id) == nil { strangers.removeAll { $0 == id } }
  }
}
