import XferEvents
import XferScript

/// SIGKILL while one download has some of its bytes and another has none.
enum KilledInMidTransfer {
  static let sample = Sample(
    "killed-in-mid-transfer", fault: "SIGKILL with two downloads under way; the next launch fetches them again",
    rule: "crash-mid-transfer",
    .lives(
      [
        ServerScript.Route("/videos/intro", .body(24_000, type: "video/mp4")),
        // Half of it and then silence, so that the kill meets a transfer that is under way.
        ServerScript.Route(
          "/videos/part-1", [.body(120_000, type: "video/mp4", cut: .init(.midBody, .hang)), .body(120_000, type: "video/mp4")]),
        ServerScript.Route("/videos/part-2", [.hang(.beforeStatus), .body(90_000, type: "video/mp4")]),
      ],
      [
        .killed { app in
          try app.session("videos") { session in
            try session.fetch([Wish("intro", at: "/videos/intro")])
            app.sink.die { $0 is AttemptBytesReceived }
            // The second begins first: it is under way when the first has its bytes.
            try session.fetch([Wish("part-1", at: "/videos/part-1"), Wish("part-2", at: "/videos/part-2")], lastFirst: true)
          }
        },
        .whole { app in
          try app.session("videos") { session in
            try session.fetch([Wish("part-1", at: "/videos/part-1"), Wish("part-2", at: "/videos/part-2")])
          }
        },
      ]))

  static let nearMiss = Sample(
    "killed-when-idle", fault: "SIGKILL when the last download has been acknowledged",
    .lives(
      [ServerScript.Route("/videos/{n}", .body(24_000, type: "video/mp4"))],
      [
        .killed { app in
          try app.session("videos") { session in
            try session.fetch([Wish("intro", at: "/videos/intro")])
            app.sink.die { $0 is TaskAcknowledged }
            try session.fetch([Wish("part-1", at: "/videos/part-1")])
          }
        },
        .whole { app in
          try app.session("videos") { session in try session.fetch([Wish("part-2", at: "/videos/part-2")]) }
        },
      ]))
}
