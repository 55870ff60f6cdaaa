import Foundation
import XferScript

/// The exit code and the printed text of a scenario's run.
struct ScenarioResult: Sendable {
  /// 0 if every expectation was met, 1 if one was not, and 2 if the scenario could not be run.
  let code: Int32
  let text: String
  /// The reason why the scenario could not be run.
  var problem: String?

  /// Runs a scenario.
  ///
  /// - Parameter folder: The folder of the run, which is kept. `nil` means a temporary one, which is kept only if an expectation
  ///   is not met.
  static func of(_ scenario: Scenario, in folder: String?) async -> ScenarioResult {
    do {
      let sandbox = try Sandbox(folder)
      let server = try await ScriptedServer.start(scenario.server)
      let problems = try await problems(of: scenario, sandbox, server)
      await server.stop()
      if problems.isEmpty, folder == nil { sandbox.remove() }
      return ScenarioResult(scenario, problems, sandbox)
    } catch {
      let reason = (error as? CommandExit)?.reason ?? "\(error)"
      return ScenarioResult(code: (error as? CommandExit)?.code ?? Execution.wrongUsage, text: "", problem: reason)
    }
  }

  /// Plays the scenario on a thread of its own, because its steps wait.
  private static func problems(of scenario: Scenario, _ sandbox: Sandbox, _ server: ScriptedServer) async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            var run = try ScenarioRun(scenario, sandbox, server)
            return try run.play()
          })
      }
    }
  }
}

extension ScenarioResult {
  fileprivate init(_ scenario: Scenario, _ problems: [String], _ sandbox: Sandbox) {
    if problems.isEmpty {
      self.init(code: 0, text: "ok    \(scenario.title)\n")
    } else {
      let lines = problems + sandbox.problems + ["The log is in \(sandbox.log)."]
      self.init(code: 1, text: "FAIL  \(scenario.title)\n" + lines.map { "      \($0)\n" }.joined())
    }
  }
}
