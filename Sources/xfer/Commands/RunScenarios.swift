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

    @Option(
      help: "Keep the run's files and log in this new or empty directory (several scenarios: one subdirectory each).",
      completion: .directory)
    var keep: String?

    @Option(help: "Run only the scenarios of the files, or only their twins (scenario, twin).")
    var only: Part?

    @Option(help: "The number of scenarios to run at the same time.")
    var jobs = 1

    @Argument(help: "Scenario files in YAML.", completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    enum Part: String, ExpressibleByArgument, CaseIterable {
      case scenario, twin
    }

    func validate() throws {
      guard 1...64 ~= jobs else { throw ValidationError("--jobs \(jobs): write a number from 1 to 64") }
    }

    func run() async throws {
      let runs = try files.flatMap(runs(of:))
      let codes = await play(runs)
      let failed = codes.count { $0 != 0 }
      if let code = codes.max(), code != 0 {
        throw CommandExit(code, runs.count == 1 ? nil : "\(failed) of \(runs.count) scenarios did not meet their expectations")
      }
    }

    /// One scenario to run, and the folder to keep.
    private struct Planned: Sendable {
      let scenario: Scenario
      let folder: String?
    }

    private func runs(of file: String) throws -> [Planned] {
      let read: ScenarioFile
      do throws(ScriptError) { read = try ScenarioFile(contentsOf: file) } catch {
        throw CommandExit(Execution.wrongUsage, "\(error)")
      }
      let scenarios = (only == .twin ? [] : [read.scenario]) + (only == .scenario ? [] : read.twin.map { [$0] } ?? [])
      let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      return scenarios.enumerated().map { place, scenario in
        let isAlone = files.count == 1 && scenarios.count == 1
        let isTwin = place == 1 || only == .twin
        return Planned(scenario: scenario, folder: keep.map { isAlone ? $0 : "\($0)/\(name)\(isTwin ? "-twin" : "")" })
      }
    }

    /// Runs scenarios, and prints their results in order.
    ///
    /// - Returns: The code of each scenario.
    private func play(_ runs: [Planned]) async -> [Int32] {
      var results: [Int: ScenarioResult] = [:]
      var (begun, codes) = (0, [Int32]())
      await withTaskGroup(of: (Int, ScenarioResult).self) { group in
        func begin() {
          guard begun < runs.count else { return }
          let (place, run) = (begun, runs[begun])
          begun += 1
          group.addTask { (place, await ScenarioResult.of(run.scenario, in: run.folder)) }
        }
        for _ in 0..<jobs { begin() }
        while let (place, result) = await group.next() {
          results[place] = result
          while let result = results.removeValue(forKey: codes.count) {
            codes.append(result.code)
            if let problem = result.problem { Remarks.say(problem) }
            try? FileHandle.standardOutput.write(contentsOf: Data(result.text.utf8))
          }
          begin()
        }
      }
      return codes
    }
  }
}
