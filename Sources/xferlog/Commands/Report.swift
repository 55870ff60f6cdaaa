import ArgumentParser
import CXferPlatform
import XferDiagnosis
import XferEvents
import XferQuery
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Report: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a postmortem as one HTML file.",
    discussion: """
      The file needs no network and no other file. It has the verdict, what the log leaves unknown, the findings with their \
      evidence, a timeline, the tasks and the events. `xferlog replay FILE.html` reads the log in it again.

      Private values that the log contains in plain text are masked. The file has at most 8 MB: of a larger log, it contains the \
      tasks with findings and a sample of the others, and says so. Findings do not change the exit code.

      Examples:

        xferlog report run.xlog
        xferlog report -o postmortem.html app.xlog daemon.log
        xferlog report --against yesterday.xlog today.xlog
      """)

  @Argument(help: "Logs to report on together (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write (default: the log's name with .html in this directory; - for standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("Also show what differs from the transfers of this earlier run.", valueName: "log"), completion: .file())
  var against: String?

  @Flag(help: "Replace the file even if it is not a report.")
  var overwrite = false

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    let inputs = try LogInputs(log, surroundings)
    let path = output ?? Self.name(for: inputs)
    let destination = try ExportDestination(
      path, replaces: overwrite || Self.isReport(path), isBinary: false, surroundings)
    let rules = try rules.inForce()
    var run = ReportRun(
      inputs: inputs, rules: rules, recovery: damage.recovery, outcome: outcome, now: surroundings.now())
    run.other = try against.map {
      try ReportRun.Other(reading: $0, beside: log, rules: rules, recovery: damage.recovery, outcome: outcome, surroundings)
    }
    let result = try run.write(to: destination.output)
    if let emptiness = result.log.emptiness(outcome), emptiness.status != .analysed {
      return try DiagnosedLog.end(emptiness)
    }
    try destination.finish()
    if path != "-" {
      let text = StandardOutput(descriptor: surroundings.output)
      text.buffer.append(TerminalText.escaped("\(path): \(Self.summary(result))") + "\n")
      try text.flush()
    }
    try DiagnosedLog.end(result.log.completeness(outcome))
  }

  private static func summary(_ result: ReportRun.Result) -> String {
    let events =
      result.contained < result.events ? "\(result.contained) of \(result.events) events" : "\(result.events) events"
    return "\(events), \(result.findings) \(result.findings == 1 ? "finding" : "findings")"
  }

  /// Returns the name of the first log, with `.html` in the place of its extension.
  private static func name(for inputs: LogInputs) -> String {
    guard let path = inputs.inputs.first?.path, path != "-", let name = path.split(separator: "/").last else {
      return "xferlog-report.html"
    }
    let stem = name.drop { $0 == "." }.split(separator: ".").first ?? name
    return "\(stem).html"
  }

  /// Whether a file is an earlier report.
  private static func isReport(_ path: String) -> Bool {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let signature = Array(ReportPage.signature.utf8)
    var head = [UInt8](repeating: 0, count: signature.count)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == signature.count && head == signature
  }
}
