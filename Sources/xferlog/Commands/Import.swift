import ArgumentParser
import XferEvents
import XferLogStore
import XferReading
import XferReport

struct Import: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert logs of other programs to an xferlog log, or list what is not recognised.",
    usage: "xferlog import <log> ... -o <directory>\nxferlog import <log> ... --unmatched [-o json]",
    discussion: """
      The new log has the events of all given logs, each with its file and line and with the line's text, so that it can be \
      kept and passed on in their place. Its replay gives the same verdict. What the logs do not tell, such as dates, process \
      ids and time zones, stays unknown. The log contains what the lines contain, so it is as private as they are.

      With --unmatched, lists the unrecognised messages of Apple's logs without what identifies people and servers, so that \
      a missing shape can be reported without the log.

      Examples:

        xferlog import app.log daemon.ndjson.gz -o incident.xlog
        pbpaste | xferlog import - -o paste.xlog --date 2026-11-20
      """)

  @Argument(
    help: "Logs of other programs: files, directories, globs, .gz or .zip files, or - for standard input.", completion: .file())
  var log: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The directory of the new log, which must not exist. With --unmatched: text or json.", valueName: "directory"),
    completion: .directory)
  var output: String?

  @Flag(help: "List the unrecognised messages instead of converting the logs.")
  var unmatched = false

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    if unmatched { return try list(surroundings) }
    guard let output, !output.isEmpty else {
      throw CommandExit(
        .wrongUsage, "there is no place for the converted log; name one, as in `xferlog import app.log -o incident.xlog`")
    }
    let inputs = try inputs(surroundings)
    let conversion = try LogConversion(inputs, to: output, wall: surroundings.now()).run(allowsEmpty: outcome.allowEmpty)
    let text = StandardOutput(descriptor: surroundings.output)
    text.buffer.append(TerminalText.escaped("\(output): \(conversion.summary)"))
    text.buffer.append(UInt8(ascii: "\n"))
    try text.flush()
    try DiagnosedLog.end(DiagnosedLog.completeness(conversion.incompleteness, outcome))
  }

  /// Returns the inputs, all of which must be logs of other programs.
  private func inputs(_ surroundings: Surroundings) throws -> LogInputs {
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    inputs.remarkRefusals()
    if let own = inputs.own.first {
      throw CommandExit(
        .wrongUsage,
        "\(own.path) is an xferlog log already; leave it out, and give it to other commands together with the converted log")
    }
    return inputs
  }

  private func list(_ surroundings: Surroundings) throws {
    guard ["text", "json", nil].contains(output) else {
      throw CommandExit(.wrongUsage, "--unmatched prints text or json; leave out --output \(output ?? "")")
    }
    let document = try inputs(surroundings).unmatched()
    let text = StandardOutput(descriptor: surroundings.output)
    if output == "json" {
      try text.appendLine { document.writeJSON(to: &$0) }
    } else {
      document.write(to: &text.buffer)
    }
    try text.flush()
    if document.isEmpty, !outcome.allowEmpty { throw CommandExit(.nothingAnalysed, "the logs have no records") }
  }
}
