import Foundation
import XferScript

/// Makes one sample's log: serves what its app asks for, and starts the app's lives one after the other.
struct SampleRun {
  let sample: Sample
  /// The log directory that the app writes into; further lives are added to one that is there.
  let log: String
  let pace: Pace

  /// How fast the server answers.
  enum Pace {
    case full
    /// Slow enough to be read while it happens.
    case watchable
  }

  func record() async throws {
    switch sample.making {
    case .synthetic(let write): try write(log)
    case .lives(let routes, let lives):
      let work = FileManager.default.temporaryDirectory.appendingPathComponent("xferlog-sample-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: work) }
      try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
      try await ScriptedServer.serving(ServerScript(routes.map(paced))) { server in
        for index in lives.indices { try await live(index, expecting: lives[index].ending, server.url(""), work) }
      }
    }
  }

  /// Runs one life in a process of its own: a kill must not take this one along.
  private func live(_ index: Int, expecting ending: Sample.Ending, _ server: String, _ work: String) async throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [
      LifeCommand.name, sample.name, "\(index)", "--server", server, "--log", log, "--work", work,
    ]
    // A crash would otherwise start a helper that outlives it.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    let hasReturned = process.terminationReason == .exit && process.terminationStatus == 0
    guard ending == .killed ? isKilled : hasReturned else {
      let how = process.terminationReason == .exit ? "with status" : "by signal"
      throw RecordingError(
        "life \(index + 1) of \(sample.name) ended \(how) \(process.terminationStatus) and was to be \(ending)",
        advice: "What it said stands above; its log so far is in \(log).")
    }
  }

  private func paced(_ route: ServerScript.Route) -> ServerScript.Route {
    guard pace == .watchable else { return route }
    var route = route
    for index in route.responses.indices {
      route.responses[index].delay.beforeStatus = .milliseconds(250)
      route.responses[index].rate = 64 << 10
    }
    return route
  }
}
