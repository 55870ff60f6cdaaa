import ArgumentParser
import Foundation
import XferScript

/// The `xfer scenario` command and its subcommand `run`.
struct RunScenarios: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: """
      Run scripted scenarios with apps that use background sessions, and check that xferlog replay reports the expected findings.
      """,
    discussion: "Example: xfer scenario run killed-app.yaml",
    subcommands: [Run.self])

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run scenario files, each with its own daemon, log and folder.",
      discussion: """
        A scenario is a YAML file that lists the server's responses, the programs to launch, the events that affect the \
        programs and the device, and the findings that `xferlog replay` must report. Programs are searched for next to xfer and \
        in $PATH. The exit code is 0 when every expectation is met, 1 when one is not, and 2 when a file is invalid.

        Example: xfer scenario run killed-app.yaml
        """)

    @Option(help: "Keep the run's files and log in this new or empty directory (several scenarios: one subdirectory each).")
    var keep: String?

    @Argument(help: "Scenario files in YAML.")
    var files: [String]

    func run() async throws {
      var failed = 0
      let scenarios = try files.map { file in (file, try Self.read(file)) }
      for (file, scenario) in scenarios {
        let folder = keep.map {
          scenarios.count == 1 ? $0 : "\($0)/\(URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent)"
        }
        if try await !play(scenario, in: folder) { failed += 1 }
      }
      if failed > 0 {
        throw CommandExit(
          1, scenarios.count == 1 ? nil : "\(failed) of \(scenarios.count) scenarios did not meet their expectations")
      }
    }

    private static func read(_ file: String) throws -> Scenario {
      do throws(ScriptError) { return try Scenario(contentsOf: file) } catch {
        throw CommandExit(Execution.wrongUsage, "\(error)")
      }
    }

    /// - Returns: Whether every expectation was met.
    private func play(_ scenario: Scenario, in folder: String?) async throws -> Bool {
      let sandbox = try Sandbox(folder)
      let server: ScriptedServer
      do { server = try await ScriptedServer.start(scenario.server) } catch {
        throw CommandExit(Execution.wrongUsage, "\(error)")
      }
      var run = try ScenarioRun(scenario, sandbox, server)
      let problems = try run.play()
      await server.stop()
      if problems.isEmpty {
        print("ok    \(scenario.title)")
        if folder == nil { sandbox.remove() }
        return true
      }
      print("FAIL  \(scenario.title)")
      for problem in problems { print("      \(problem)") }
      print("      The log is in \(sandbox.log).")
      return false
    }
  }
}
