import XferEvents
import XferScript

/// SIGKILL when the last byte is there and the app has not been told.
enum KilledBeforeDelivery {
  static let sample = Sample(
    "killed-before-delivery", fault: "SIGKILL between the last byte of a download and its first callback",
    rule: "lost-completion", .lives(routes, [life { $0 is TaskTransferred }, nextLife]))

  static let nearMiss = Sample(
    "killed-after-delivery", fault: "SIGKILL right after the app had got the completion",
    .lives(routes, [life { $0 is TaskCompleted }, nextLife]))

  private static let routes = [ServerScript.Route("/maps/{tile}", .body(40_000, type: "image/png"))]

  private static func life(_ isFatal: @escaping @Sendable (any TransferEvent) -> Bool) -> Sample.Life {
    .killed { app in
      try app.session("maps") { session in
        try session.fetch([Wish("tile-1", at: "/maps/1")])
        app.sink.die(after: isFatal)
        try session.fetch([Wish("tile-2", at: "/maps/2")])
      }
    }
  }

  /// The app does not know of the second tile any more, and asks for another one.
  private static let nextLife = Sample.Life.whole { app in
    try app.session("maps") { session in try session.fetch([Wish("tile-3", at: "/maps/3")]) }
  }
}
