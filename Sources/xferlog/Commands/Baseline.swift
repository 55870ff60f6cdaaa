import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReport
import XferRules

struct Baseline: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Accept the known findings of a log, so that only new ones fail a job.",
    discussion: """
      A baseline lists findings by fingerprint, which does not depend on ids, paths and times. `xferlog replay --baseline FILE` accepts \
      the findings of the list. An entry may have a `reason`, an `owner` and a last day (`expires: 2027-01-31`).

      Example: xferlog baseline update run.xlog
      """,
    subcommands: [Update.self, Check.self, Explain.self])

  struct Update: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: "Add the findings of logs to the baseline.",
      usage: "xferlog baseline update [<options>] [<log> ...]",
      discussion: """
        Creates the baseline if it does not exist. Entries keep their reason, owner and date. An entry that has expired is not \
        renewed: change its date in the file.

        Example: xferlog baseline update --prune run.xlog
        """)

    @Argument(help: "Logs to replay (default: the standard log, see xferlog --help).", completion: .file())
    var log: [String] = []

    @Flag(help: "Remove the entries that match no finding.")
    var prune = false

    @OptionGroup
    var options: BaselineOptions

    func run(_ surroundings: Surroundings) throws {
      let surroundings = try options.imported.applied(to: surroundings)
      var acceptance = try options.acceptance(mayBeMissing: true, surroundings)
      let log = try options.diagnosed(log, &acceptance, surroundings)
      let findings = log.diagnosis.findings.filter { $0.counts(withPossible: options.failOnPossible) }
      let update = BaselineUpdate(acceptance, findings: findings, prunes: prune)
      let file = try ExportDestination(options.baseline, replaces: true, isBinary: false, option: "--baseline", surroundings)
      BaselineText.append(update.entries, version: AcceptanceFile.version, to: &file.output.buffer)
      try file.finish()
      for entry in update.returned {
        StandardError.remark(
          "\(entry.place): \(entry.label) is not in force (expires: \(entry.expires ?? "-")); change its date or remove it")
      }
      if options.baseline != "-" {
        let output = StandardOutput(descriptor: surroundings.output)
        let kept = update.entries.count - update.added
        output.buffer.append(
          TerminalText.escaped("\(options.baseline): \(update.added) added, \(kept) kept, \(update.removed) removed") + "\n")
        try output.flush()
      }
      try DiagnosedLog.end(log.completeness(options.outcome))
    }
  }

  struct Check: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Compare the findings of logs with the baseline.",
      usage: "xferlog baseline check [<options>] [<log> ...]",
      discussion: """
        Lists the findings that are new, known or suppressed, those that returned because their entry has expired, and the entries that \
        match no finding. The exit code is 1 if there are new or returned findings (see --fail-on) and, with --strict, unused entries.

        Example: xferlog baseline check --strict run.xlog
        """)

    @Argument(help: "Logs to replay (default: the standard log, see xferlog --help).", completion: .file())
    var log: [String] = []

    @Option(help: "Count new findings of at least this severity (default: warning).")
    var failOn: ReplayCommand.Limit?

    @OptionGroup
    var form: PageOptions

    @OptionGroup
    var options: BaselineOptions

    func run(_ surroundings: Surroundings) throws {
      let surroundings = try options.imported.applied(to: surroundings)
      var acceptance = try options.acceptance(mayBeMissing: false, surroundings)
      let log = try options.diagnosed(log, &acceptance, surroundings)
      let limit = Severity(rawValue: (failOn ?? surroundings.settings.failOn).rawValue)
      func counts(_ finding: Finding) -> Bool {
        finding.counts(withPossible: options.failOnPossible) && limit.map { finding.severity >= $0 } ?? false
      }
      let findings = log.diagnosis.findings.filter { $0.causedBy == nil }
      let output = StandardOutput(descriptor: surroundings.output)
      output.buffer.append(
        AcceptanceText.table(acceptance, findings, counts: counts, on: form.page(surroundings, output)))
      try output.flush()
      AcceptanceOptions.remark(acceptance, judgesUse: true)
      let new = findings.count(where: counts)
      if new > 0 {
        throw CommandExit(.findings, "\(new.counted("finding")) that the baseline does not accept")
      }
      let unused = acceptance.unused.count
      if options.outcome.strict, unused > 0 {
        throw CommandExit(.findings, "\(unused) unused \(unused == 1 ? "entry" : "entries") of accepted findings")
      }
      try DiagnosedLog.end(log.completeness(options.outcome))
    }
  }

  struct Explain: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Show what a fingerprint stands for, and which entry accepts it.",
      usage: "xferlog baseline explain [<options>] <fingerprint> [<log> ...]",
      discussion: "Example: xferlog baseline explain 1:0123456789abcdef run.xlog")

    @Argument(help: "A fingerprint or its beginning, as in the baseline or in xferlog replay -o json.")
    var fingerprint: String

    @Argument(help: "Logs to replay (default: the standard log, see xferlog --help).", completion: .file())
    var log: [String] = []

    @OptionGroup
    var form: PageOptions

    @OptionGroup
    var options: BaselineOptions

    func run(_ surroundings: Surroundings) throws {
      let surroundings = try options.imported.applied(to: surroundings)
      var acceptance = try options.acceptance(mayBeMissing: true, surroundings)
      let log = try options.diagnosed(log, &acceptance, surroundings)
      let findings = log.diagnosis.findings
      let all = Set(acceptance.entries.map(\.fingerprint) + findings.map(\.fingerprint))
      let matching = all.filter { $0.hasPrefix(fingerprint) }.sorted()
      guard let match = matching.first else {
        throw CommandExit(.nothingAnalysed, "no entry and no finding has the fingerprint \(fingerprint)")
      }
      guard matching.count == 1 || match == fingerprint else {
        throw CommandExit(
          .wrongUsage, "\(matching.count) fingerprints begin with \(fingerprint): \(matching.prefix(5).joined(separator: ", "))")
      }
      let those = findings.filter { finding in
        FingerprintVersion.all.contains { $0.fingerprint(of: finding.basis) == match }
      }
      let output = StandardOutput(descriptor: surroundings.output)
      output.buffer.append(AcceptanceText.explanation(of: match, acceptance, those, on: form.page(surroundings, output)))
      try output.flush()
    }
  }
}
