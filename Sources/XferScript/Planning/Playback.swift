internal import Synchronization

/// The running state of a script, which selects the next response of each route.
final class Playback: Sendable {
  struct Turn: Sendable {
    var route: String
    /// The index of the response in the route's list, from 0.
    var index: Int
    /// The response to send. `nil` means all responses have been used, and the connection is closed.
    var response: ScriptedResponse?
    var captures: [String: String]
  }

  let script: ServerScript
  private let patterns: [PathPattern?]
  /// The number of requests so far, keyed by route, or by route and path for a route that counts by path.
  private let counts = Mutex<[String: Int]>([:])

  init(_ script: ServerScript) {
    self.script = script
    patterns = script.routes.map { PathPattern($0.path) }
  }

  /// Counts a request and returns its response, or `nil` when no route matches the request.
  func turn(for head: RequestHead) -> Turn? {
    for (number, route) in script.routes.enumerated() where route.method == nil || route.method == head.method {
      guard let captures = patterns[number]?.captures(in: head.path) else { continue }
      let key = route.counts == .path ? "\(number) \(head.path)" : "\(number)"
      let count = counts.withLock { counts in
        counts[key, default: 0] += 1
        return counts[key]! - 1
      }
      let index = route.index(of: count)
      return Turn(
        route: route.path, index: index ?? count, response: index.map { route.responses[$0] }, captures: captures)
    }
    return nil
  }
}

extension ServerScript.Route {
  /// Returns the index of the response for a request number, counted from 0, or `nil` when all responses have been used.
  fileprivate func index(of request: Int) -> Int? {
    if request < responses.count { return request }
    return switch repeats {
    case .last: responses.count - 1
    case .cycle: request % responses.count
    case .hangUp: nil
    }
  }
}
