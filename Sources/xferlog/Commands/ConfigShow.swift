import ArgumentParser
import XferReading
import XferReport
import XferRules

struct ConfigShow: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the settings, and with --show-origin where each was given.",
    usage: "xferlog config [show] [<options>]",
    discussion: """
      Configuration files are YAML. Besides rules, limits and queries they may set:

        color    auto, always or never           $XFERLOG_COLOR, $NO_COLOR and others
        fail-on  severity for replay --fail-on   $XFERLOG_FAIL_ON
        pager    command (default: less)         $XFERLOG_PAGER, then $PAGER
        paging   auto, always or never           $XFERLOG_PAGING
        time     absolute, relative, delta, none $XFERLOG_TIME
        width    auto, none or columns           $XFERLOG_WIDTH
        zone     auto, utc, local or a name      $XFERLOG_ZONE

      $XFERLOG_CONFIG names another configuration file (- for none), and $XFERLOG_DIR the standard log. A pager is used only on a \
      terminal; if $LESS is not set, it is FRX.

      Example: xferlog config show --show-origin
      """)

  enum Form: String, ArgumentChoice { case text, json }

  @Flag(help: "Also print where each value was given: the option, environment variable, or file and line.")
  var showOrigin = false

  @Option(name: .shortAndLong, help: "Output format (json: one document, with the origins).")
  var output: Form = .text

  @Option(help: "The severity as for replay.")
  var failOn: ReplayCommand.Limit?

  @Option(help: "The style of times as for show.")
  var time: TimeStyle?

  @OptionGroup
  var zones: ZoneOptions

  @OptionGroup
  var page: PageOptions

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  var paging: PagingOptions { page.paging }

  func run(_ surroundings: Surroundings) throws {
    var settings = surroundings.settings
    set(&settings)
    let list = try SettingsList(settings, rules, surroundings.environment)
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: list.write(showsOrigins: showOrigin, to: &output.buffer)
    case .json: try output.appendLine { list.writeJSON(to: &$0) }
    }
    try output.flush()
  }

  /// Adds the options of this command to the settings.
  private func set(_ settings: inout Settings) {
    if let failOn { settings.set(.failOn, to: failOn.rawValue, by: "--fail-on") }
    if let time { settings.set(.time, to: time.rawValue, by: "--time") }
    if let color = page.choice { settings.set(.color, to: color.rawValue, by: page.hasNoColor ? "--no-color" : "--color") }
    if let width = page.width { settings.set(.width, to: width.text, by: "--width") }
    if let choice = paging.choice { settings.set(.paging, to: choice.rawValue, by: paging.noPager ? "--no-pager" : "--paging") }
  }
}
