import ArgumentParser
import XferEvents
import XferLogStore
import XferReport

struct ConfigLevel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "level",
    abstract: "Show or change from which level up programs write to a log, while they write.",
    usage: "xferlog config level [<rule> ...] [--unset <pattern> ...] [--reset] [--log <dir>]",
    discussion: """
      A RULE is SUBSYSTEM[:CATEGORY]=LEVEL, as com.example:transfer=debug; * stands for any, and of several rules that \
      match, the one that says most counts. Levels are debug, info and default: what is at default or above is always \
      written. Where no rule says otherwise, each program's own setting counts. Events of the vocabulary belong to the \
      subsystem xferlog, with their family as the category: xferlog:attempt=debug. Programs follow with their next \
      message; the rules stay until they are unset.
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: ArgumentHelp("Levels to set, as com.example:transfer=debug.", valueName: "rule"))
  var rules: [String] = []

  @Option(help: ArgumentHelp("Remove the rule with this pattern, as com.example:transfer. Repeatable.", valueName: "pattern"))
  var unset: [String] = []

  @Flag(help: "Remove all rules, also from a file that cannot be read.")
  var reset = false

  @OptionGroup
  var place: LogPlace

  @Option(name: .shortAndLong, help: "text or json.")
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
      throw CommandExit(.nothingAnalysed, "there is no log at \(control.directory)")
    }
    return try control.current()
  }
}
