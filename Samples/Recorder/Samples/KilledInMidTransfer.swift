import XferEvents
import XferScript

/// SIGKILL while one download has received some bytes and another has received none.
enum KilledInMidTransfer {
  static let sample = Sample(
    "killed-in-mid-transfer", fault: "SIGKILL during two downloads; the next launch downloads them again",
    rule: "crash-mid-transfer",
    .lives(
      [
        ServerScript.Route("/videos/intro", .body(24_000, type: "video/mp4")),
        // The first response hangs after half of its body, so that the kill occurs during the transfer.
        ServerScript.Route(
          "/videos/part-1", [.body(120_000, type: "video/mp4", cut: .init(.midBody, .hang)), .body(120_000, type: "video/mp4")]),
        ServerScript.Route("/videos/part-2", [.hang(.beforeStatus), .body(90_000, type: "video/mp4")]),
      ],
      [
        .killed { app in
          try app.session("videos") { session in
            try session.fetch([Wish("intro", at: "/videos/intro")])
            app.sink.die { $0 is AttemptBytesReceived }
            // The second download starts first, so that it is in flight when the first one receives bytes.
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
    "killed-when-idle", fault: "SIGKILL after the last download was acknowledged",
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
