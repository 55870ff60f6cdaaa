import XferEngine
import XferEvents
import XferScript

/// A hundred tasks share five connections. The server stops responding to five requests, which blocks all connections.
enum HundredTasks {
  static let sample = Sample(
    "hundred-tasks-five-at-a-time", fault: "five unanswered requests block all connections of a session without timeouts",
    rule: "connection-slot-starvation",
    .lives(
      routes,
      [
        .whole { app in
          try app.session("pictures", configure: { ($0.httpMaximumConnectionsPerHost, $0.timeoutIntervalForRequest) = (5, nil) })
          {
            try runUntilServerHangs($0)
            app.pass(.seconds(302))
            $0.cancelAll()
          }
        }
      ]))

  /// A near miss: the last task waits for longer than the request timeout but does not time out, because waiting does not
  /// count.
  static let nearMiss = Sample(
    "hundred-tasks-with-a-limit", fault: "the same with a timeout, after which the five fail and the last task runs",
    .lives(
      routes,
      [
        .whole { app in
          try app.session(
            "pictures", configure: { ($0.httpMaximumConnectionsPerHost, $0.timeoutIntervalForRequest) = (5, .seconds(60)) }
          ) {
            try runUntilServerHangs($0)
            app.pass(.seconds(61))
            try $0.wait(for: .taskAcknowledged, 100)
          }
        }
      ]))

  private static let routes = [
    ServerScript.Route("/pictures/{n}", .body(600, type: "image/png")),
    ServerScript.Route("/pictures/silent/{n}", .hang(.beforeStatus)),
  ]

  /// Runs 94 tasks that are answered, then five that are not, and one that waits behind them.
  private static func runUntilServerHangs(_ session: AppSession) throws {
    let wishes = (1...100).map { place in
      let path = (95...99).contains(place) ? "/pictures/silent/\(place)" : "/pictures/\(place)"
      return Wish("picture-\(place)", at: path).with { $0.type = .data }
    }
    try session.begin(wishes)
    try session.wait(for: .attemptRequestSent, 99)
    try session.wait(for: .taskAcknowledged, 94)
  }
}
