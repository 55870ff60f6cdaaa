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

/// Options for the format in which events are printed.
struct OutputOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case short, verbose, json, ndjson, csv, log
    case logCompact = "log-compact"

    static var allValueDescriptions: [String: String] {
      [
        "short": "One line per event.", "verbose": "All fields of each event.", "json": "One JSON document.",
        "ndjson": "One JSON object per line.", "csv": "One row per event.",
        "log": "The format of Apple's 'log show'.", "log-compact": "The format of Apple's 'log show --style compact'.",
      ]
    }
  }

  enum Zone: String, EnumerableFlag {
    case utc, local
  }

  @Option(name: .shortAndLong, help: "Output format.")
  var output: Format = .short

  @Flag(help: "Print times in UTC or local time (default: local on a terminal, otherwise UTC).")
  var zone: Zone?

  @Option(help: "How to print times (relative: since the first event; delta: since the previous event).")
  var time: TimeStyle = .absolute

  @Option(
    name: [.long, .customLong("colour")], help: "Use color (auto respects NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM).")
  var color: ColorChoice = .auto

  func document(_ surroundings: Surroundings, output: StandardOutput) -> any EventDocument {
    switch self.output {
    case .json: EventJSON(.document)
    case .ndjson: EventJSON(.lines)
    case .csv: EventCSV()
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
  func columns(_ environment: [String: String]) -> Int {
    let asked = Int(xp_terminal_columns(STDOUT_FILENO))
    return asked > 0 ? asked : environment["COLUMNS"].flatMap { Int($0) } ?? 80
  }
}
