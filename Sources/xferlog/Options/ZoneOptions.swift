import ArgumentParser
import XferRules

/// The options for the time zone in which times are printed, and read if they name none.
struct ZoneOptions: ParsableArguments {
  // Two flags instead of one with two values, for whose names and list the parser searches the conformances of all types at every start.
  @Flag(help: "Print times in UTC (default, except on a terminal).")
  var utc = false

  @Flag(help: "Print times in local time (default on a terminal).")
  var local = false

  @Option(
    name: [.customShort("Z"), .customLong("zone")],
    help: ArgumentHelp("Print times in this zone (utc, local, +02:00 or a name such as Europe/Berlin).", valueName: "zone"))
  var name: String?

  func validate() throws {
    if utc, local { throw ValidationError("--utc cannot be combined with --local") }
    if utc || local, name != nil { throw ValidationError("--zone cannot be combined with --utc or --local") }
    if let name, let problem = SettingName.zone.problem(with: name) { throw ValidationError("--zone '\(name)': \(problem)") }
  }

  /// Adds the options to settings.
  func apply(to settings: inout Settings) {
    if utc { settings.set(.zone, to: "utc", by: "--utc") }
    if local { settings.set(.zone, to: "local", by: "--local") }
    if let name { settings.set(.zone, to: name, by: "--zone") }
  }
}
