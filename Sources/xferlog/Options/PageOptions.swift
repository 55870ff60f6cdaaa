import ArgumentParser
import XferReport

/// The option for the color of a report. Its width is that of the terminal.
struct PageOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("colour")], help: "Use color (auto respects NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM).")
  var color: ColorChoice = .auto

  func page(_ surroundings: Surroundings, _ output: StandardOutput) -> PageStyle {
    let isTerminal = output.isTerminal
    return PageStyle(
      columns: isTerminal ? output.columns(surroundings.environment) : nil,
      hasColor: color.isOn(environment: surroundings.environment, isTerminal: isTerminal))
  }
}
