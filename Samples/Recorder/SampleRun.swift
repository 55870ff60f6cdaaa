import Foundation
import LogTestSupport
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
        for index in lives.indices { try live(index, expecting: lives[index].ending, server.url(""), work) }
      }
    }
  }

  /// Runs one life in a process of its own: a kill must not take this one along.
  private func live(_ index: Int, expecting ending: Sample.Ending, _ server: String, _ work: String) throws {
    let life = ChildProcess(
      SampleRecorder.name, [LifeCommand.name, sample.name, "\(index)", "--server", server, "--log", log, "--work", work])
    let ended = life.wait()
    guard ending.isThat(of: ended) else {
      throw RecordingError(
        "life \(index + 1) of \(sample.name) was to be \(ending) and ended by \(ended)",
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

extension Sample.Ending {
  fileprivate func isThat(of process: ChildProcess.Ending) -> Bool {
    switch self {
    case .returned: process == .exit(0)
    case .killed: process == .signal(SIGKILL)
    // It depends on the processor.
    case .trapped: process == .signal(SIGTRAP) || process == .signal(SIGILL)
    }
  }
}
