import ArgumentParser
import XferReport

/// Options for results that CI services read.
struct JobOptions: ParsableArguments {
  /// The annotations that a CI service understands.
  enum Annotations: String, ExpressibleByArgument, CaseIterable {
    case github, gitlab, azure, none

    /// Returns the annotations of the CI service on which the command runs.
    init(detectedIn environment: [String: String]) {
      func isOn(_ name: String) -> Bool { environment[name].map { $0.lowercased() == "true" || $0 == "1" } ?? false }
      if isOn("GITHUB_ACTIONS") {
        self = .github
      } else if isOn("GITLAB_CI") {
        self = .gitlab
      } else if isOn("TF_BUILD") {
        self = .azure
      } else {
        self = .none
      }
    }
  }

  @Flag(
    help: """
      Run as a step of a CI job: without a pager, with the annotations of the CI service, and with a job summary in \
      $GITHUB_STEP_SUMMARY.
      """)
  var ci = false

  @Option(help: ArgumentHelp("Write a JUnit report to this file.", valueName: "file"), completion: .file())
  var junit: String?

  @Option(help: ArgumentHelp("Write a SARIF 2.1.0 file.", valueName: "file"), completion: .file())
  var sarif: String?

  @Option(help: ArgumentHelp("Write a summary in Markdown to this file.", valueName: "file"), completion: .file())
  var markdown: String?

  @Option(help: ArgumentHelp("Write the document of -o json to this file.", valueName: "file"), completion: .file())
  var json: String?

  @Option(help: ArgumentHelp("Write a GitLab Code Quality report to this file.", valueName: "file"), completion: .file())
  var codeQuality: String?

  @Option(
    help: """
      Annotate the job (github, azure: commands on standard output; gitlab: a Code Quality report in \
      \(CodeQualityDocument.usualName); default with --ci: as the CI service needs).
      """)
  var annotations: Annotations?

  @Option(
    help: ArgumentHelp(
      "File of the repository at which findings are shown, with a line (default: the log).", valueName: "file[:line]"),
    completion: .file())
  var anchor: String?

  @Option(help: ArgumentHelp("Name that distinguishes the results of several jobs or shards.", valueName: "name"))
  var category = "xferlog"

  var isGiven: Bool {
    ci || [junit, sarif, markdown, json, codeQuality, anchor].contains { $0 != nil } || annotations != nil
  }

  /// Returns the annotations in force.
  func annotations(in environment: [String: String]) -> Annotations {
    annotations ?? (ci ? Annotations(detectedIn: environment) : .none)
  }
}
