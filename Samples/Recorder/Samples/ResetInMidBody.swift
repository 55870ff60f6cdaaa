import XferScript

/// The connection is reset in the middle of the body, and the app accepts the partial data.
enum ResetInMidBody {
  static let sample = Sample(
    "reset-in-mid-body", fault: "a reset after 30000 of 80000 bytes, which the app treats as complete", rule: "truncated-body",
    .lives(routes, [life(.arrival)]))

  static let nearMiss = Sample(
    "reset-seen", fault: "a reset that the app detects and records as a failure", .lives(routes, [life(.errorAndStatus)]))

  private static let routes = [
    ServerScript.Route("/catalogue/part-1", .body(20_000, type: "application/json")),
    ServerScript.Route(
      "/catalogue/part-2",
      .body(80_000, type: "application/json", cut: .init(.afterBodyBytes(30_000), .reset))),
  ]

  private static func life(_ judgement: Wish.Judgement) -> Sample.Life {
    .whole { app in
      try app.session("catalogue") { session in
        for part in ["part-1", "part-2"] {
          let wish = Wish(part, at: "/catalogue/\(part)")
          try session.fetch([wish.with { ($0.type, $0.judgement) = (.data, judgement) }])
        }
      }
    }
  }
}
