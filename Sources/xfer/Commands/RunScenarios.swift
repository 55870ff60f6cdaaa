import ArgumentParser
import Foundation
import XferScript

/// `xfer scenario run`.
struct RunScenarios: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Play background apps, a device and a server, and compare what is found with what is expected.",
    subcommands: [Run.self])

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Play scenarios, each with a daemon, a log and a folder of its own.",
      discussion: """
        A scenario is a YAML file: the server's answers, programs to launch, what happens to them and to the device, and what \
        `xferlog replay` has to find in the log. Programs are looked for beside xfer and in $PATH. Exit code 0 when all is as expected, \
        1 when it is not, 2 when a file cannot be understood.
        """)

    @Option(help: "Keep the run's folder here, with its log; of several, one folder each below it.")
    var keep: String?

    @Argument(help: "Scenarios, in YAML.")
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
        throw CommandExit(1, scenarios.count == 1 ? nil : "\(failed) of \(scenarios.count) scenarios are not as expected")
      }
    }

    private static func read(_ file: String) throws -> Scenario {
      do throws(ScriptError) { return try Scenario(contentsOf: file) } catch {
        throw CommandExit(Execution.wrongUsage, "\(error)")
      }
    }

    /// - Returns: whether all was as expected.
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
