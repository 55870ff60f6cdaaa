internal import Synchronization

/// A script in use: which response each route gives next.
final class Playback: Sendable {
  struct Turn: Sendable {
    var route: String
    /// Of the route's responses, from 0.
    var index: Int
    /// `nil` closes the connection: the responses are used up.
    var response: ScriptedResponse?
    var captures: [String: String]
  }

  let script: ServerScript
  private let patterns: [PathPattern?]
  /// Requests so far, by route and, where the route counts by path, by path.
  private let counts = Mutex<[String: Int]>([:])

  init(_ script: ServerScript) {
    self.script = script
    patterns = script.routes.map { PathPattern($0.path) }
  }

  /// `nil` when no route matches.
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
  /// `nil` when the responses are used up.
  fileprivate func index(of request: Int) -> Int? {
    if request < responses.count { return request }
    return switch repeats {
    case .last: responses.count - 1
    case .cycle: request % responses.count
    case .hangUp: nil
    }
  }
}
