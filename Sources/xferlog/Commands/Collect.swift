import ArgumentParser
import CXferPlatform
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Collect: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Write a log as one file that can be attached to a bug report.",
    discussion: """
      The file is a ZIP archive with sealed copies of the logs, in which private values are replaced by keyed hashes, and with the \
      verdict. Every command that reads logs reads it. The rules, limits, baseline and suppressions in force are in the bundle, so \
      that `xferlog replay FILE.zip` gives the same verdict on any machine.

      Before the file appears, all of its bytes are searched for the masked values, in plain text and in common encodings, and for \
      texts that look like secrets. The result is printed. If anything is found, the places are named, nothing is written and the \
      exit code is 1, unless --allow names the kind. Values that the log itself treats as public, such as hosts and session names, \
      are kept. Findings do not change the exit code.

      Filters select events. The replay of a bundle with a part of the events says that it is incomplete.

      Examples:

        xferlog collect run.xlog
        xferlog collect -o incident.zip app.xlog daemon.log
        xferlog collect --check run.xlog
      """)

  @Argument(help: "Logs to collect together (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write (default: the log's name with .zip in this directory; - for standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace the file even if it is not a bundle.")
  var overwrite = false

  @Flag(help: "Search for private values without writing a file.")
  var check = false

  @Option(
    help: ArgumentHelp(
      "Write the file even with values of this kind (\(LeakKind.allCases.map(\.rawValue).joined(separator: ", ")); repeatable).",
      valueName: "kind"))
  var allow: [LeakKind] = []

  @OptionGroup(title: "Filters")
  var filter: FilterOptions

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Known problems")
  var accepting: AcceptanceOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ plain: Surroundings) throws {
    let surroundings = try imported.applied(to: plain)
    if check, output != nil { throw CommandExit(.wrongUsage, "--check writes no file; leave out --output") }
    var filter = try filter.filter(surroundings)
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    try self.filter.resolve(&filter, shown: [], in: inputs, surroundings, rules: rules, recovery: .tail)
    let path = output ?? Self.name(for: inputs)
    let destination =
      check
      ? nil : try ExportDestination(path, replaces: overwrite || Self.isBundle(path), isBinary: true, surroundings)
    guard let bundle = try make(inputs, filter, surroundings, readingAs: plain) else {
      return StandardError.remark("there are no events; nothing was collected")
    }
    let text = StandardOutput(descriptor: surroundings.output)
    func say(_ line: String) {
      if path == "-" { return StandardError.remark(UserMessage(line)) }
      text.buffer.append(TerminalText.escaped(line))
      text.buffer.append(UInt8(ascii: "\n"))
    }
    for line in Self.report(bundle, allowed: Set(allow)) { say(line) }
    if let refusal = LeakRefusal(bundle.scan, allowed: allow) {
      try text.flush()
      throw CommandExit(
        .findings, "\(refusal.kinds) found; nothing was written. If they may be passed on, add \(refusal.options)")
    }
    if let destination {
      try bundle.maker.write(to: destination.output)
      try destination.finish()
      say("\(path): \(bundle.summary)")
    } else {
      say("a bundle would have \(bundle.summary)")
    }
    try text.flush()
    try DiagnosedLog.end(bundle.log.completeness(outcome))
  }

  /// A bundle that is complete apart from its archive.
  private struct Made {
    let maker: BundleMaker
    let log: DiagnosedLog
    let verdict: BundleVerdict
    let scan: LeakScan
    let files: Int

    var summary: String {
      let of = maker.selected.map { " of \($0.all)" } ?? ""
      let events = "\(verdict.events)\(of) \(verdict.events == 1 && of.isEmpty ? "event" : "events")"
      return "\(events), \(verdict.count.counted("finding"))"
    }
  }

  /// - Parameter plain: the environment without the options for logs of other programs, which a bundle does not need.
  /// - Returns: `nil` if there are no events and that is allowed.
  private func make(
    _ inputs: LogInputs, _ filter: EventFilter, _ surroundings: Surroundings, readingAs plain: Surroundings
  ) throws -> Made? {
    let rules = try rules.sources(for: inputs)
    for sentence in rules.missingExamples { StandardError.remark(UserMessage(sentence)) }
    let accepted = try accepting.sources(accepting.named(), for: inputs)
    func diagnose(
      _ inputs: LogInputs, _ rules: RuleSet, _ accepted: [AcceptanceSource]
    ) throws -> (log: DiagnosedLog, verdict: BundleVerdict) {
      var log = try DiagnosedLog(inputs, rules: rules)
      if var acceptance = try AcceptanceOptions.acceptance(accepted, surroundings) { log.accept(with: &acceptance) }
      return (log, BundleVerdict(log, rules: rules))
    }
    let original = try diagnose(inputs, rules.rules, accepted)
    if let emptiness = original.log.emptiness(outcome) {
      if emptiness.status == .analysed { return nil }
      throw CommandExit(emptiness.status, emptiness.reason)
    }
    let options = self.filter.givenOptions
    var maker = try BundleMaker(inputs, filter, selectedBy: options, surroundings)
    try maker.copyLogs()
    if let selected = maker.selected, selected.events == 0 {
      if outcome.allowEmpty { return nil }
      throw CommandExit(.nothingAnalysed, "no event matched \(self.filter.summary); nothing was collected")
    }
    try maker.copy(rules: rules.copies, accepted: accepted)
    try maker.writeManifest(nil, limits: rules.limitTexts)
    // The verdict is that of the bundle itself, read as another machine will read it.
    let bundle = try LogInputs([maker.scratch.path], plain)
    let decisions = try bundle.decisions()
    let copy = try diagnose(
      bundle, RuleSources([], limits: [], optionsText: [], bundles: decisions).rules, decisions.flatMap(\.accepted))
    try maker.writeManifest(copy.verdict, limits: rules.limitTexts)
    if options.isEmpty, copy.verdict != original.verdict {
      StandardError.remark(
        "the verdict of the bundle differs from that of the log: \(copy.verdict.word) with \(copy.verdict.count) instead of "
          + "\(original.verdict.word) with \(original.verdict.count.counted("finding"))")
    }
    var scan = BundleScan(maker.masked)
    for file in maker.files { try scan.search("\(maker.scratch.path)/\(file)", named: file) }
    scan.search(names: maker.files)
    return Made(maker: maker, log: copy.log, verdict: copy.verdict, scan: scan.scan, files: scan.files)
  }

  /// Returns the lines about the search for private values.
  private static func report(_ bundle: Made, allowed: Set<LeakKind>) -> [String] {
    let count = bundle.maker.masked.count
    var lines = [
      "searched: \(bundle.files.counted("file")) with \(bundle.scan.bytes) bytes, for \(count) masked "
        + "\(count == 1 ? "value" : "values") of at least \(MaskedValues.shortest) bytes, in plain text, percent-encoded, escaped "
        + "and in base64, and for \(LeakKind.allCases.dropFirst().map(\.rawValue).joined(separator: ", "))"
    ]
    let leaks = bundle.scan.leaks.sorted()
    lines += leaks.map { leak in
      "found: \(leak.kind.rawValue) in \(leak.place) at byte \(leak.offset)\(allowed.contains(leak.kind) ? " (allowed)" : "")"
    }
    if leaks.isEmpty { lines.append("found: nothing") }
    return lines
  }

  /// Returns the name of the first log, with `.zip` in the place of its extension.
  private static func name(for inputs: LogInputs) -> String {
    guard let path = inputs.inputs.first?.path, path != "-", let name = path.fileName else {
      return "xferlog-bundle.zip"
    }
    let stem = name.drop { $0 == "." }.split(separator: ".").first ?? name[...]
    return "\(stem).zip"
  }

  /// Whether a file is an earlier bundle: a ZIP archive that begins with a manifest.
  private static func isBundle(_ path: String) -> Bool {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let name = Array(BundleManifest.name.utf8)
    var head = [UInt8](repeating: 0, count: 30 + name.count)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == head.count && head.starts(with: [0x50, 0x4B, 3, 4]) && head[30...].elementsEqual(name)
  }
}

extension LeakKind: ExpressibleByArgument {}
