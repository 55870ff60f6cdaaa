import XferEngine
import XferEvents
import XferScript

/// The app requests resume data and reads its variable immediately, before the handler has run.
enum ResumeDataReadTooEarly {
  static let sample = Sample(
    "resume-data-read-too-early",
    fault: "resume data that is read before it arrives, so the download restarts from the beginning",
    rule: "resume-data-discarded", .lives(routes, [life(looking: .immediately)]))

  static let nearMiss = Sample(
    "resume-data-awaited", fault: "the same download, cancelled and resumed", .lives(routes, [life(looking: .afterHandler)])
  )

  private static let routes = [
    // The first response hangs after half of its body, so that the download is in flight when it is cancelled.
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
        guard let download = try session.begin([film])[0] as? DownloadTask else {
          preconditionFailure("the wish is not a download")
        }
        try session.wait(for: .attemptBytesReceived, 1)
        let resumeData = session.cancelForLater(download, looking: looking)
        try session.fetch([film.with { $0.resumeData = resumeData }])
      }
    }
  }
}
