import ArgumentParser
import XferReading
import XferReport

struct FleetReport: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Summarise the verdicts about many devices.",
    discussion: """
      Reads the rows of `xferlog replay --paths-from`, of `--stdin` or of `xferlog fleet replay`, and groups the findings by their \
      fingerprint, which is the same for the same problem on all devices. For each one: the share of the logs that have it, with its \
      confidence interval (Wilson, 95 %), by version of the app and of the system; when it was first seen; and an example. A problem that \
      is new in a release comes first: the release has it, and no earlier version has.

      Examples:

        xferlog fleet report verdicts.ndjson
        xferlog fleet report -o html verdicts/*.ndjson > fleet.html
        xferlog fleet report --release 4.2.1 --fail-on-new verdicts.ndjson
      """)

  enum Form: String, ArgumentChoice { case text, json, html, metrics }

  @Argument(help: "Files with rows of verdicts (- for standard input).", completion: .file())
  var verdicts: [String]

  @Option(name: .shortAndLong, help: "Output format (html: one page without scripts; metrics: for Prometheus).")
  var output: Form = .text

  @Option(help: ArgumentHelp("The release whose new problems come first (default: the newest version).", valueName: "version"))
  var release: String?

  @Flag(help: "Exit with 1 if the release has a new problem that counts.")
  var failOnNew = false

  @OptionGroup
  var form: PageOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  func run(_ surroundings: Surroundings) throws {
    let summary = try VerdictReader(surroundings).read(verdicts).summary(release: release)
    if let release, !summary.versions.contains(where: { $0.name == release }) {
      let known = summary.versions.compactMap(\.name).prefix(5).joined(separator: ", ")
      throw CommandExit(
        .wrongUsage,
        "no log is of the version \(release) (versions: \(known.isEmpty ? "none" : known)); name another one with --release")
    }
    if summary.logs == 0, !outcome.allowEmpty {
      throw CommandExit(.nothingAnalysed, "the rows have no verdict about a log; name files that xferlog replay --stdin printed")
    }
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: output.buffer.append(summary.text(on: form.page(surroundings, output)))
    case .json:
      output.buffer.appendJSON { summary.write(to: &$0) }
      output.buffer.append(UInt8(ascii: "\n"))
    case .html: output.buffer.append(summary.page)
    case .metrics:
      var metrics = MetricsText(labels: [])
      summary.write(to: &metrics)
      output.buffer.append(metrics.text)
    }
    try output.flush()
    let new = summary.problems.filter { $0.isNew && $0.isCounted }
    if failOnNew, !new.isEmpty {
      let rules = new.map(\.rule).joined(separator: ", ")
      throw CommandExit(
        .findings, "\(new.count) \(new.count == 1 ? "problem is" : "problems are") new in \(summary.release ?? ""): \(rules)")
    }
    guard let reason = summary.incompleteness.first else { return }
    if outcome.strict { throw CommandExit(.incomplete, "rows may be missing: \(reason)") }
    StandardError.remark("rows may be missing: \(reason)")
  }
}
