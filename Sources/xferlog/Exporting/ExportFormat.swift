import ArgumentParser
import XferEvents
import XferLogStore
import XferReading
import XferReport

/// The formats of `xferlog export`.
enum ExportFormat: String, ArgumentChoice {
  case ndjson
  case appleNDJSON = "apple-ndjson"
  case csv, sqlite
  case otlpLogs = "otlp-logs"
  case otlpSpans = "otlp-spans"
  case har, chrome, perfetto, qlog, xes, lnav
  case lnavFormat = "lnav-format"

  static var allValueDescriptions: [String: String] {
    [
      "ndjson": "Events as JSON lines, which `xferlog` reads again without loss.",
      "apple-ndjson": "Events with the keys of Apple's 'log show --style ndjson'.",
      "csv": "Events as rows, safe for spreadsheets.",
      "sqlite": "Events, tasks and findings as a database (see `xferlog index`).",
      "otlp-logs": "Events as OpenTelemetry log records (OTLP JSON lines).",
      "otlp-spans": "Attempts as OpenTelemetry client spans (OTLP JSON lines).",
      "har": "Requests as an HTTP Archive 1.2.",
      "chrome": "Tasks and attempts as a Chrome trace (JSON).",
      "perfetto": "Tasks and attempts as a Perfetto trace.",
      "qlog": "Requests as a qlog, with a trace for each connection.",
      "xes": "Tasks as traces of an XES event log, for process mining.",
      "lnav": "Events as JSON lines for lnav.",
      "lnav-format": "The definition with which lnav reads them.",
    ]
  }

  var isBinary: Bool { self == .perfetto }

  /// Whether the format joins events, so that it needs events that the filter does not select, in causal order.
  var joinsEvents: Bool {
    switch self {
    case .otlpLogs, .otlpSpans, .har, .chrome, .perfetto, .qlog: true
    case .ndjson, .appleNDJSON, .csv, .sqlite, .xes, .lnav, .lnavFormat: false
    }
  }

  /// Returns the writer of the format; `nil` for the formats that are not written from events one by one.
  func document(_ surroundings: Surroundings) throws -> (any ExportDocument)? {
    let version = LogConfiguration.libraryVersion
    switch self {
    case .ndjson: return EventExport(EventJSON(.lines))
    case .appleNDJSON: return EventExport(SystemLogJSON(zone: surroundings.localZone))
    case .csv: return EventExport(EventCSV())
    case .otlpLogs: return OTLPLogs(version: version)
    case .otlpSpans: return OTLPSpans(version: version, parent: Self.parent(surroundings))
    case .har: return HARDocument(version: version)
    case .chrome: return ChromeTrace(version: version)
    case .perfetto: return PerfettoTrace()
    case .qlog: return QLogDocument(version: version, store: try FragmentFile(surroundings.environment))
    case .xes: return XESDocument(version: version, store: try FragmentFile(surroundings.environment))
    case .lnav: return EventExport(LnavLines())
    case .sqlite, .lnavFormat: return nil
    }
  }

  /// Returns the span to which exported spans belong, from the environment.
  private static func parent(_ surroundings: Surroundings) -> TraceContext? {
    guard let text = surroundings.environment["TRACEPARENT"] else { return nil }
    if let context = TraceContext(text) { return context }
    StandardError.remark("TRACEPARENT is malformed and was ignored; it should look like 00-TRACE-SPAN-01")
    return nil
  }
}
