import XferEngine
import XferEvents
import XferScript

/// The app asks for resume data and looks at once, before the handler that brings it has run.
enum ResumeDataReadTooEarly {
  static let sample = Sample(
    "resume-data-read-too-early", fault: "resume data that is looked for before it is there; the download begins anew",
    rule: "resume-data-discarded", .lives(routes, [life(looking: .rightAway)]))

  static let nearMiss = Sample(
    "resume-data-awaited", fault: "the same download, cancelled and gone on with", .lives(routes, [life(looking: .onceItIsThere)])
  )

  private static let routes = [
    // Half of it and then silence, so that the cancellation meets a download that is under way.
    ServerScript.Route("/films/{n}", [film(cut: .init(.midBody, .hang)), film()])
  ]

  private static func film(cut: ScriptedResponse.Cut? = nil) -> ScriptedResponse {
    ScriptedResponse(
      headers: ["Content-Type": "video/mp4", "ETag": "\"7\""], body: .generated(size: 96_000, seed: .path), cut: cut,
      ranges: .honour)
  }

  private static func life(looking: AppSession.Look) -> Sample.Life {
    .whole { app in
      try app.session("films") { session in
        let film = Wish("film-1", at: "/films/1")
        guard let download = try session.begin([film])[0] as? DownloadTask else { preconditionFailure("wishes are downloads") }
        try session.wait(for: .attemptBytesReceived, 1)
        let resumeData = session.cancelForLater(download, looking: looking)
        try session.fetch([film.with { $0.resumeData = resumeData }])
      }
    }
  }
}
