import XferScript

/// A body without a declared length, and an app that displays its progress.
enum UnknownLength {
  /// The displayed ratio is the app's own arithmetic, which no rule checks. The engine reported that the length is unknown.
  static let sample = Sample(
    "progress-of-unknown-length", fault: "no fault of the transfer: the app divides by an unknown length",
    .lives(routes, [life(.ratio)]))

  static let nearMiss = Sample(
    "progress-of-the-task", fault: "the same, with the app showing the task's progress", .lives(routes, [life(.ofTask)]))

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
