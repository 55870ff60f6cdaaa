import ArgumentParser
import XferRules

/// The options for the time zone in which times are printed, and read if they name none.
struct ZoneOptions: ParsableArguments {
  @Flag(help: "Print times in UTC or local time (default: local on a terminal, otherwise UTC).")
  var zone: OutputOptions.Zone?

  @Option(
    name: [.customShort("Z"), .customLong("zone")],
    help: ArgumentHelp("Print times in this zone (utc, local, +02:00 or a name such as Europe/Berlin).", valueName: "zone"))
  var name: String?

  func validate() throws {
    if zone != nil, name != nil { throw ValidationError("--zone cannot be combined with --utc or --local") }
    if let name, let problem = SettingName.zone.problem(with: name) { throw ValidationError("--zone '\(name)': \(problem)") }
  }

  /// Adds the options to settings.
  func apply(to settings: inout Settings) {
    if let zone { settings.set(.zone, to: zone.rawValue, by: "--\(zone.rawValue)") }
    if let name { settings.set(.zone, to: name, by: "--zone") }
  }
}
