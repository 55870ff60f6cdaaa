import ArgumentParser
import XferPredicate
import XferQuery
import XferReading
import XferReport

/// Options for the format in which events and the rows of queries are printed.
struct OutputOptions: ParsableArguments {
  enum Format: String, ArgumentChoice {
    case short, wide, verbose, cat, json, ndjson, logfmt, csv, template, log
    case logCompact = "log-compact"

    /// Reads a format. `text` is the name that `short` has in queries.
    init?(argument: String) { self.init(rawValue: argument == "text" ? "short" : argument) }

    static var allValueDescriptions: [String: String] {
      [
        "short": "One line per event.", "wide": "One line per event with all fields, whatever the width of the terminal.",
        "verbose": "All fields of each event, one per line.", "cat": "The messages alone.", "json": "One JSON document.",
        "ndjson": "One JSON object per line.", "logfmt": "One line of key=value pairs per event.", "csv": "One row per event.",
        "template": "The text of --template for each event.", "log": "The format of Apple's 'log show'.",
        "log-compact": "The format of Apple's 'log show --style compact'.",
      ]
    }
  }

  @Option(name: .shortAndLong, help: "Output format (default: short).")
  var output: Format?

  @Option(
    help: ArgumentHelp(
      "Print this text for each event, with fields in braces, such as '{time} {task.name} {message}' (see xferlog query --list-fields).",
      valueName: "text"))
  var template: String?

  @OptionGroup
  var zones: ZoneOptions

  @Option(help: "How to print times (relative: since the first event; delta: since the previous event; default: absolute).")
  var time: TimeStyle?

  @Option(
    help: ArgumentHelp(
      "Draw a line where there is no event for this time, with -o short and wide (never for none; default: 1s on a terminal).",
      valueName: "time"))
  var markSilence: SilenceLimit?

  @Flag(
    inversion: .prefixedNo,
    help: "Merge progress events that follow each other into one line, with -o short and wide (default on a terminal).")
  var mergeProgress: Bool?

  @OptionGroup
  var page: PageOptions

  var format: Format { output ?? (template == nil ? .short : .template) }

  // MARK: The template

  /// Returns the template; `nil` for other formats.
  ///
  /// - Parameter context: the fields that the template can name.
  func lineTemplate(_ context: QueryContext) throws -> LineTemplate? {
    if template != nil, let output, output != .template {
      throw CommandExit(.wrongUsage, "--template and -o \(output.rawValue) cannot be combined; leave out one of the two options")
    }
    guard format == .template else { return nil }
    guard let template else {
      throw CommandExit(
        .wrongUsage, "-o template needs a template.\nAdd one, for example --template '{time} {task.name} {message}'.")
    }
    do throws(QueryError) {
      return try LineTemplate(template, context)
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }

  // MARK: Documents

  /// Returns the document for events.
  ///
  /// - Parameters:
  ///   - template: the template, which `lineTemplate` returned.
  ///   - subjects: the values of subjects' fields that the template names.
  ///   - isFiltered: whether a filter leaves out events.
  func document(
    _ surroundings: Surroundings, output: StandardOutput, template: LineTemplate?, subjects: SubjectLedger? = nil,
    isFiltered: Bool = false
  ) -> any EventDocument {
    let style = style(surroundings, output, isFiltered: isFiltered)
    if let template { return TemplateLines(template, style, subjects) }
    switch format {
    case .short, .wide, .template: return EventLines(style)
    case .verbose: return EventDetails(style)
    case .cat: return EventMessages()
    case .json: return EventJSON(.document)
    case .ndjson: return EventJSON(.lines)
    case .logfmt: return EventLogfmt()
    case .csv: return EventCSV()
    case .log: return SystemLogLines(.full, zone: style.zone)
    case .logCompact: return SystemLogLines(.compact, zone: style.zone)
    }
  }

  /// Returns the document for the rows of a query's result.
  ///
  /// - Parameter query: the normalised query.
  func document(
    _ surroundings: Surroundings, output: StandardOutput, template: LineTemplate?, query: String, columns: [QueryField]
  ) throws -> any QueryDocument {
    if let template { return TemplateRows(template, style(surroundings, output)) }
    let zone = surroundings.showsUTC(zones) ? nil : surroundings.localZone
    switch format {
    case .json: return QueryJSON(.document, query: query, columns)
    case .ndjson: return QueryJSON(.lines, query: query, columns)
    case .logfmt: return QueryLogfmt(columns)
    case .csv: return QueryCSV(columns)
    case .wide, .verbose: return QueryTable(columns, zone: zone)
    case .short, .cat, .template:
      return QueryTable(
        columns,
        shown: columns == TaskColumns.all ? TaskColumns.shown : columns == FindingColumns.all ? FindingColumns.shown : nil,
        zone: zone)
    case .log, .logCompact:
      throw CommandExit(
        .wrongUsage, "-o \(format.rawValue) prints events, and the result of the query is a table; use -o short, csv or json")
    }
  }

  /// Returns the layout of text for the output.
  func style(_ surroundings: Surroundings, _ output: StandardOutput, isFiltered: Bool = false) -> EventTextStyle {
    let isUTC = surroundings.showsUTC(zones)
    let layout = page.layout(surroundings)
    var style = EventTextStyle(
      time: time ?? surroundings.settings.time, zone: isUTC ? .utc : surroundings.localZone, isUTC: isUTC,
      columns: layout.columns, hasColor: layout.hasColor)
    style.isWide = format == .wide
    style.silence = (markSilence ?? (surroundings.terminal == nil ? .never : .usual)).duration
    style.mergesProgress = mergeProgress ?? (surroundings.terminal?.understandsControls ?? false)
    style.redraws = output.terminal(surroundings.environment)?.understandsControls ?? false
    style.isFiltered = isFiltered
    return style
  }
}

extension TimeStyle: ArgumentChoice {}
