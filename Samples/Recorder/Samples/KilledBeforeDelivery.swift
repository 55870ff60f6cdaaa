import XferEvents
import XferScript

/// SIGKILL after the last byte was received and before the app was notified.
enum KilledBeforeDelivery {
  static let sample = Sample(
    "killed-before-delivery", fault: "SIGKILL between the last byte of a download and its first callback",
    rule: "lost-completion", .lives(routes, [life { $0 is TaskTransferred }, nextLife]))

  static let nearMiss = Sample(
    "killed-after-delivery", fault: "SIGKILL right after the app has received the completion",
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

  /// The next process of the app does not know the second tile, and downloads another one.
  private static let nextLife = Sample.Life.whole { app in
    try app.session("maps") { session in try session.fetch([Wish("tile-3", at: "/maps/3")]) }
  }
}
