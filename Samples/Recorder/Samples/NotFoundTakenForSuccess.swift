import XferScript

/// The server has no such file, and the app checks only the error and not the status.
enum NotFoundTakenForSuccess {
  static let sample = Sample(
    "not-found-taken-for-success", fault: "a 404 whose error page the app keeps as the file", rule: "http-error-as-success",
    .lives(routes, [life(.errorAlone)]))

  static let nearMiss = Sample(
    "not-found-seen", fault: "a 404 that the app detects and records as a failure", .lives(routes, [life(.errorAndStatus)]))

  private static let routes = [
    ServerScript.Route("/avatars/ada", .body(12_000, type: "image/png")),
    ServerScript.Route(
      "/avatars/gone",
      ScriptedResponse(status: 404, headers: ["Content-Type": "text/html"], body: "<html><h1>Not Found</h1></html>\n")),
  ]

  private static func life(_ judgement: Wish.Judgement) -> Sample.Life {
    .whole { app in
      try app.session("avatars") { session in
        for key in ["ada", "gone"] {
          try session.fetch([Wish("avatar-\(key)", at: "/avatars/\(key)").with { $0.judgement = judgement }])
        }
      }
    }
  }
}
