import XferEngine
import XferScript

/// Three parts of the app request the same URL at the same time.
enum OneFetch {
  static let sample = Sample(
    "one-fetch-several-completions", fault: "no fault: three tasks for one URL, one request, and a completion for each",
    .lives(
      [
        // The response is delayed until all three tasks have started.
        ServerScript.Route(
          "/weather",
          ScriptedResponse(
            headers: ["Content-Type": "application/json"], body: .generated(size: 3_000, seed: .path),
            delay: .init(beforeStatus: .milliseconds(200))))
      ],
      [
        .whole { app in
          try app.session("weather", configure: { $0.coalescesIdenticalRequests = true }) { session in
            try session.fetchWithHandlers(
              ["list", "badge", "widget"].map { key in Wish("weather-for-\(key)", at: "/weather").with { $0.type = .data } })
          }
        }
      ]))
}
