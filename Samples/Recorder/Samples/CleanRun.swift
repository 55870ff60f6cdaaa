import XferScript

/// A run without faults.
enum CleanRun {
  static let sample = Sample(
    "clean-run", fault: "no fault: four transfers, one of them redirected, all of them kept",
    .lives(
      [
        ServerScript.Route("/feed", .body(6_000, type: "application/json")),
        ServerScript.Route("/photos/latest", .redirect(to: "/photos/3")),
        ServerScript.Route("/photos/{n}", .body(48_000, type: "image/jpeg")),
      ],
      [
        .whole { app in
          try app.session("photos") { session in
            try session.fetch([
              Wish("feed", at: "/feed").with { $0.type = .data },
              Wish("photo-1", at: "/photos/1"),
              Wish("photo-2", at: "/photos/2"),
              Wish("photo-latest", at: "/photos/latest"),
            ])
          }
        }
      ]))
}

extension ScriptedResponse {
  /// Returns a response with a body of the given size, whose contents depend on the path.
  static func body(_ size: Int, type: String = "application/octet-stream", cut: Cut? = nil) -> ScriptedResponse {
    ScriptedResponse(headers: ["Content-Type": type], body: .generated(size: size, seed: .path), cut: cut)
  }
}
