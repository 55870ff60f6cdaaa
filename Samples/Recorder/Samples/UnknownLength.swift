import XferScript

/// A body of which nobody says how long it is, and an app that shows how much of it there is.
enum UnknownLength {
  /// That number is the app's own arithmetic, which no log can judge: the engine said that it does not know.
  static let sample = Sample(
    "progress-of-unknown-length", fault: "no fault of the transfer: a ratio to a length that is not known",
    .lives(routes, [life(.ratio)]))

  static let nearMiss = Sample(
    "progress-of-the-task", fault: "the same, showing what the task's progress says", .lives(routes, [life(.ofTask)]))

  private static let routes = [
    ServerScript.Route(
      "/exports/{day}",
      ScriptedResponse(
        headers: ["Content-Type": "text/csv"], body: .generated(size: 40_000, seed: .path), chunked: .init(size: 8_000)))
  ]

  private static func life(_ progress: Wish.Progress) -> Sample.Life {
    .whole { app in
      try app.session("exports") { session in
        try session.fetch([Wish("export", at: "/exports/monday").with { $0.progress = progress }])
      }
    }
  }
}
