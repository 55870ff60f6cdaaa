import XferScript

/// The app moves each file with `try!`, to where the last one of this name still lies.
enum MovedWithForce {
  static let sample = Sample(
    "moved-with-force", fault: "a file that is forced to where one lies already: the app dies in the callback",
    rule: "claim-failed-destination", .lives(routes, [.trapped { try fetchTwice($0, .moveByForce) }, nextLife]))

  static let nearMiss = Sample(
    "moved-over-the-old-one", fault: "the same file twice, the second in place of the first",
    .lives(routes, [.whole { try fetchTwice($0, .move) }, nextLife]))

  private static let routes = [ServerScript.Route("/reports/{day}", .body(24_000, type: "application/pdf"))]

  private static func fetchTwice(_ app: AppLife, _ handling: Wish.FileHandling) throws {
    try app.session("reports") { session in
      for _ in 1...2 { try session.fetch([Wish("monday", at: "/reports/monday").with { $0.file = handling }]) }
    }
  }

  /// The app knows nothing of what happened, and asks for another one.
  private static let nextLife = Sample.Life.whole { app in
    try app.session("reports") { session in try session.fetch([Wish("tuesday", at: "/reports/tuesday")]) }
  }
}
