import ArgumentParser
import XferReport

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

  @OptionGroup
  var zones: ZoneOptions

  @Option(help: "How to print times (relative: since the first event; delta: since the previous event; default: absolute).")
  var time: TimeStyle?

  @OptionGroup
  var page: PageOptions

  /// The zone of `--utc` or `--local`.
  var zone: Zone? { zones.zone }

  func document(_ surroundings: Surroundings, output: StandardOutput) -> any EventDocument {
    switch self.output {
    case .json: EventJSON(.document)
    case .ndjson: EventJSON(.lines)
    case .csv: EventCSV()
    case .short: EventLines(style(surroundings))
    case .verbose: EventDetails(style(surroundings))
    case .log: SystemLogLines(.full, zone: style(surroundings).zone)
    case .logCompact: SystemLogLines(.compact, zone: style(surroundings).zone)
    }
  }

  private func style(_ surroundings: Surroundings) -> EventTextStyle {
    let isUTC = surroundings.showsUTC(zones)
    let layout = page.layout(surroundings)
    return EventTextStyle(
      time: time ?? surroundings.settings.time, zone: isUTC ? .utc : surroundings.localZone, isUTC: isUTC,
      columns: layout.columns, hasColor: layout.hasColor)
  }
}

extension TimeStyle: ExpressibleByArgument {}
