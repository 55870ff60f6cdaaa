import Foundation
import LogTestSupport
import XferScript

/// Records one sample: serves the app's requests, and starts the app's processes one after another.
struct SampleRun {
  let sample: Sample
  /// The log directory. The processes are appended to an existing log.
  let log: String
  let pace: Pace

  /// The speed of the server's responses.
  enum Pace {
    case full
    /// Slow enough to follow while the log is written.
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

  /// Runs one app process as a child process, so that killing it does not affect the recorder.
  private func live(_ index: Int, expecting ending: Sample.Ending, _ server: String, _ work: String) throws {
    let life = ChildProcess(
      SampleRecorder.name, [LifeCommand.name, sample.name, "\(index)", "--server", server, "--log", log, "--work", work])
    let ended = life.wait()
    guard ending.matches(ended) else {
      throw RecordingError(
        "process \(index + 1) of \(sample.name) ended by \(ended), expected \(ending)",
        advice: "See its output above and its log in \(log).")
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
  fileprivate func matches(_ process: ChildProcess.Ending) -> Bool {
    switch self {
    case .returned: process == .exit(0)
    case .killed: process == .signal(SIGKILL)
    // The signal of a trap depends on the processor.
    case .trapped: process == .signal(SIGTRAP) || process == .signal(SIGILL)
    }
  }
}
