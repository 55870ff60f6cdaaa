import ArgumentParser
import XferReading
import XferReport

/// The options for the layout of text: color, width and pager.
struct PageOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("colour")],
    help: "Use color (auto respects NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM; default: auto).")
  var color: ColorChoice?

  @Flag(name: .customLong("no-color"), help: ArgumentHelp("The same as --color never.", visibility: .hidden))
  var hasNoColor = false

  @Option(
    help: ArgumentHelp(
      "Width of lines (auto: that of the terminal, none: unlimited, or a number; default: auto).", valueName: "columns"))
  var width: LineWidth?

  @OptionGroup
  var paging: PagingOptions

  /// The choice of color that the options make; `nil` without such an option.
  var choice: ColorChoice? { hasNoColor ? .never : color }

  func layout(_ surroundings: Surroundings) -> (columns: Int?, hasColor: Bool) {
    let isTerminal = surroundings.terminal != nil
    return (
      columns: surroundings.columns(width),
      hasColor: (choice ?? surroundings.settings.color).isOn(environment: surroundings.environment, isTerminal: isTerminal)
    )
  }

  func page(_ surroundings: Surroundings, _ output: StandardOutput) -> PageStyle {
    let layout = layout(surroundings)
    return PageStyle(columns: layout.columns, hasColor: layout.hasColor)
  }
}
