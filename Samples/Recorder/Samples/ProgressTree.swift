import XferEngine
import XferEvents
import XferScript

/// Five uploads with a common parent progress, which pauses, resumes and cancels them.
enum ProgressTree {
  static let sample = Sample(
    "progress-tree",
    fault: "no fault: five uploads with one parent progress, which is paused, resumed and cancelled after two are complete",
    .lives(
      [
        ServerScript.Route("/album/{n}", method: "POST", .status(201)),
        ServerScript.Route("/album/slow/{n}", method: "POST", .hang(.beforeStatus)),
      ],
      [
        .whole { app in
          try app.session("album") { session in
            let whole = TransferProgress(totalUnitCount: 5)
            let paths = ["/album/1", "/album/2", "/album/slow/3", "/album/slow/4", "/album/slow/5"]
            try session.begin(
              paths.enumerated().map { place, path in Wish("photo-\(place + 1)", at: path).with { $0.type = .upload(9_000) } },
              partOf: whole)
            try session.wait(for: .attemptRequestSent, 5)
            try session.wait(for: .taskAcknowledged, 2)
            whole.pause()
            try session.wait(for: .taskSuspended, 3)
            whole.resume()
            whole.cancel()
            try session.wait(for: .taskAcknowledged, 5)
          }
        }
      ]))
}
