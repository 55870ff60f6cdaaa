import ArgumentParser
import CXferPlatform
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Options for the form in which events are shown.
struct OutputOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case short, verbose, json, ndjson, log
    case logCompact = "log-compact"
  }

  enum Zone: String, EnumerableFlag {
    case utc, local
  }

  @Option(
    name: .shortAndLong,
    help: """
      short: a line for each event; verbose: every field; json: one document; ndjson: an object a line; log, log-compact: the \
      columns of Apple's log show.
      """)
  var output: Format = .short

  @Flag(help: "Times in UTC, or in the local zone, which is the default on a terminal.")
  var zone: Zone?

  @Option(help: "absolute; relative to the first event; delta to the one before; none.")
  var time: TimeStyle = .absolute

  @Option(
    name: [.long, .customLong("colour")], help: "auto, always, never; auto minds NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, TERM.")
  var color: ColorChoice = .auto

  func document(_ surroundings: Surroundings, output: StandardOutput) -> any EventDocument {
    switch self.output {
    case .json: EventJSON(.document)
    case .ndjson: EventJSON(.lines)
    case .short: EventLines(style(surroundings, output))
    case .verbose: EventDetails(style(surroundings, output))
    case .log: SystemLogLines(.full, zone: style(surroundings, output).zone)
    case .logCompact: SystemLogLines(.compact, zone: style(surroundings, output).zone)
    }
  }

  private func style(_ surroundings: Surroundings, _ output: StandardOutput) -> EventTextStyle {
    let isTerminal = output.isTerminal
    let isUTC = zone.map { $0 == .utc } ?? !isTerminal
    return EventTextStyle(
      time: time, zone: isUTC ? .utc : surroundings.localZone, isUTC: isUTC,
      columns: isTerminal ? output.columns(surroundings.environment) : nil,
      hasColor: color.isOn(environment: surroundings.environment, isTerminal: isTerminal))
  }
}

extension TimeStyle: ExpressibleByArgument {}

extension StandardOutput {
  /// Returns the width of the terminal in columns, or `$COLUMNS` when the terminal does not report one.
  fileprivate func columns(_ environment: [String: String]) -> Int {
    let asked = Int(xp_terminal_columns(STDOUT_FILENO))
    return asked > 0 ? asked : environment["COLUMNS"].flatMap { Int($0) } ?? 80
  }
}
