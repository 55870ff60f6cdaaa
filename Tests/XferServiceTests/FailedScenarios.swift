import Foundation
import LogTestSupport

/// The logs of scenarios that did not meet their expectations, explained and kept, so that a failed CI job says why.
enum FailedScenarios {
  /// The folder in which the tests keep logs. `.ci/run` empties it first and names it last.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent(".build/postmortem").path

  /// The variables by which `xferlog replay --ci` recognises a CI service and its job summary.
  private static let variables = ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "GITLAB_CI", "TF_BUILD"]

  /// Prints the replay of each failed scenario of a run of `xfer scenario run`, and keeps its log with the replay in all forms.
  static func explain(_ run: ToolRun, in folder: String = folder) throws {
    for log in run.text.matches(of: /The log is in (.+\.xlog)\./).map({ String($0.1) }) {
      let name = URL(fileURLWithPath: log).deletingLastPathComponent().lastPathComponent
      let place = "\(folder)/\(name)"
      try? FileManager.default.removeItem(atPath: place)
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: log, toPath: "\(place)/log.xlog")
      let environment = Dictionary(uniqueKeysWithValues: variables.compactMap { name in testVariable(name).map { (name, $0) } })
      let replay = try ToolRun(
        "xferlog",
        [
          "replay", "--ci", "--category", "scenario-\(name)", "--junit", "\(place)/junit.xml", "--sarif",
          "\(place)/xferlog.sarif",
          "--json", "\(place)/replay.json", "--markdown", "\(place)/summary.md", "--code-quality",
          "\(place)/gl-code-quality-report.json", "\(place)/log.xlog",
        ], environment: environment)
      try Data((replay.text + replay.standardError).utf8).write(to: URL(fileURLWithPath: "\(place)/replay.txt"))
      print("== postmortem of \(name), kept in \(place)\n\(replay.text)\(replay.standardError)")
    }
  }
}
