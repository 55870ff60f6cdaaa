import XferScript

/// An app that moves each file with `try!` to a path where an earlier file of the same name exists.
enum MovedWithForce {
  static let sample = Sample(
    "moved-with-force", fault: "a file moved with try! to an existing path, which crashes the app in the callback",
    rule: "claim-failed-destination", .lives(routes, [.trapped { try fetchTwice($0, .moveByForce) }, nextLife]))

  static let nearMiss = Sample(
    "moved-over-the-old-one", fault: "the same file twice, with the second replacing the first",
    .lives(routes, [.whole { try fetchTwice($0, .move) }, nextLife]))

  private static let routes = [ServerScript.Route("/reports/{day}", .body(24_000, type: "application/pdf"))]

  private static func fetchTwice(_ app: AppLife, _ handling: Wish.FileHandling) throws {
    try app.session("reports") { session in
      for _ in 1...2 { try session.fetch([Wish("monday", at: "/reports/monday").with { $0.file = handling }]) }
    }
  }

  /// The next process of the app does not know about the crash, and downloads another report.
  private static let nextLife = Sample.Life.whole { app in
    try app.session("reports") { session in try session.fetch([Wish("tuesday", at: "/reports/tuesday")]) }
  }
}
