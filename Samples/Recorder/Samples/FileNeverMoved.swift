import XferScript

/// An app that stores the path of a downloaded file and returns from the callback without moving the file.
enum FileNeverMoved {
  static let sample = Sample(
    "file-never-moved", fault: "a downloaded file that the app never moves, although it keeps its path",
    rule: "temp-file-not-moved",
    .lives(routes, [life(.rememberAddress)]))

  static let nearMiss = Sample(
    "file-moved", fault: "two downloaded files, both moved during the callback", .lives(routes, [life(.move)]))

  static let tooLate = Sample(
    "file-moved-too-late", fault: "a downloaded file that the app moves after the callback has returned",
    rule: "temp-file-not-moved", .lives(routes, [life(.moveLater)]))

  private static let routes = [ServerScript.Route("/episodes/{n}", .body(64_000, type: "audio/mpeg"))]

  private static func life(_ handling: Wish.FileHandling) -> Sample.Life {
    .whole { app in
      try app.session("podcasts") { session in
        try session.fetch([Wish("episode-1", at: "/episodes/1")])
        try session.fetch([Wish("episode-2", at: "/episodes/2").with { $0.file = handling }])
      }
    }
  }
}
