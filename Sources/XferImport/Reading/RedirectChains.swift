import XferEvents

/// Joins the records of a redirect and of the request that follows it, for formats that write each as a record of its own.
struct RedirectChains {
  /// Redirects that no request has followed yet, by the URL that they lead to.
  private var open: [URLParts: (exchange: ForeignExchange, position: UInt64)] = [:]
  private var order: [URLParts] = []

  private static let limit = 500

  /// Takes the next record.
  ///
  /// - Returns: the records that are complete now.
  mutating func take(_ exchange: ForeignExchange, position: UInt64) -> [(ForeignExchange, UInt64)] {
    var exchange = exchange
    var complete: [(ForeignExchange, UInt64)] = []
    if let url = exchange.url?.withoutDefaultPort, var earlier = open.removeValue(forKey: url) {
      order.removeAll { $0 == url }
      // Requests of other pages may have the same URL.
      if Self.follows(exchange, earlier.exchange) {
        earlier.exchange.isLast = false
        exchange.task = earlier.exchange.task
        exchange.isFirst = false
        exchange.transaction = earlier.exchange.transaction + 1
      }
      complete.append(earlier)
    }
    guard let location = exchange.location?.withoutDefaultPort, !exchange.isPending else {
      return complete + [(exchange, position)]
    }
    if let replaced = open.updateValue((exchange, position), forKey: location) {
      complete.append(replaced)
    } else {
      order.append(location)
    }
    if order.count > Self.limit, let oldest = open.removeValue(forKey: order.removeFirst()) { complete.append(oldest) }
    return complete
  }

  mutating func takeAll() -> [(ForeignExchange, UInt64)] {
    defer { (open, order) = ([:], []) }
    return order.compactMap { open[$0] }
  }

  private static func follows(_ exchange: ForeignExchange, _ earlier: ForeignExchange) -> Bool {
    guard let start = exchange.start.wall, let end = earlier.end.wall else { return true }
    // Recorders round their times.
    return abs(start.nanoseconds.subtractingClamped(end.nanoseconds)) < 2_000_000_000
  }
}
