import ArgumentParser
import XferReport

/// Options for results that CI services read.
struct JobOptions: ParsableArguments {
  /// The annotations that a CI service understands.
  enum Annotations: String, ArgumentChoice {
    case github, gitlab, azure, none

    /// Returns the annotations of the CI service on which the command runs.
    init(detectedIn environment: [String: String]) {
      if JobOptions.isOn("GITHUB_ACTIONS", environment) {
        self = .github
      } else if JobOptions.isOn("GITLAB_CI", environment) {
        self = .gitlab
      } else if JobOptions.isOn("TF_BUILD", environment) {
        self = .azure
      } else {
        self = .none
      }
    }
  }

  @Flag(
    inversion: .prefixedNo,
    help: """
      Run as a step of a CI job: without a pager, with the annotations of the CI service, and with a job summary in \
      $GITHUB_STEP_SUMMARY (default: if $CI is true).
      """)
  var ci: Bool?

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

  /// Whether the user asks for results for a CI service.
  var isGiven: Bool {
    ci == true || [junit, sarif, markdown, json, codeQuality, anchor].contains { $0 != nil } || annotations != nil
  }

  /// Whether the command runs as a step of a CI job.
  func isStep(in environment: [String: String]) -> Bool { ci ?? Self.isOn("CI", environment) }

  /// Returns the annotations in force.
  func annotations(in environment: [String: String]) -> Annotations {
    if let annotations { return annotations }
    guard isStep(in: environment) else { return .none }
    let detected = Annotations(detectedIn: environment)
    // GitLab's annotations are a file, which is written only if the user asks for it.
    return detected == .gitlab && ci == nil ? .none : detected
  }

  private static func isOn(_ name: String, _ environment: [String: String]) -> Bool {
    environment[name].map { $0.lowercased() == "true" || $0 == "1" } ?? false
  }
}
