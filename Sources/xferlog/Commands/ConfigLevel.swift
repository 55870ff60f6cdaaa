import ArgumentParser
import XferEvents
import XferLogStore
import XferReading
import XferReport

struct ConfigLevel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "level",
    abstract: "Show or change the log levels of programs while they run.",
    usage: "xferlog config level [<options>] [<rule> ...]",
    discussion: """
      A RULE is SUBSYSTEM[:CATEGORY]=LEVEL and sets the lowest level that programs write; * matches any name. If several rules \
      match, the most specific one applies; if none matches, the program's own setting applies. LEVEL is debug, info or \
      default: levels from default up are always written. Transfer events belong to the subsystem xferlog. Their category is \
      the first part of the event's name: xferlog:attempt=debug applies to attempt.started.

      Prints the rules after the change or, if no change is given, the current ones. Programs apply a change when they write \
      their next message. Rules remain in force until they are removed.

      Example: xferlog config level com.example:transfer=debug
      """)

  enum Form: String, ArgumentChoice { case text, json }

  @Argument(help: ArgumentHelp("Rules to set, for example com.example:transfer=debug.", valueName: "rule"))
  var rules: [String] = []

  @Option(
    help: ArgumentHelp("Remove the rule with this pattern, for example com.example:transfer (repeatable).", valueName: "pattern"))
  var unset: [String] = []

  @Flag(help: "Remove all rules, even if the log's rules cannot be read.")
  var reset = false

  @OptionGroup
  var place: LogPlace

  @Option(name: .shortAndLong, help: "Output format.")
  var output: Form = .text

  func run() throws {
    let change = try LevelChange(set: rules, unset: unset, reset: reset)
    let control = LevelControl(directory: place.directory(Surroundings.current().environment))
    let state = try change.isEmpty ? Self.current(control) : change.make(control)
    let output = StandardOutput()
    switch self.output {
    case .text: LevelsText.write(state.rules, to: &output.buffer)
    case .json: try output.appendLine { LevelsJSON.write(state, log: control.directory, to: &$0) }
    }
    try output.flush()
  }

  private static func current(_ control: LevelControl) throws -> LevelControl.State {
    guard LogDirectory.exists(control.directory) else {
      throw CommandExit(.nothingAnalysed, "there is no log at \(control.directory); choose one with --log")
    }
    return try control.current()
  }
}
