import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReport
import XferRules
import XferYAML

/// All settings with their origins, for display.
struct SettingsList {
  private struct Entry {
    let name: String
    let value: String
    let origin: SettingOrigin
  }

  private var entries: [Entry] = []

  init(_ settings: Settings, _ options: RuleOptions, _ environment: [String: String]) throws {
    for name in SettingName.allCases {
      entries.append(Entry(name: name.rawValue, value: settings[name].text, origin: settings[name].origin))
    }
    entries.append(
      Entry(
        name: "log", value: LogDirectory.standard(environment: environment),
        origin: environment["XFERLOG_DIR"] == nil ? .standard : .variable("XFERLOG_DIR")))
    entries += try Self.written(options, environment)
  }

  /// Returns the limits, rule files and queries that files and options set. The last value of a limit or query is in force.
  private static func written(_ options: RuleOptions, _ environment: [String: String]) throws -> [Entry] {
    // Reports limits of unknown rules and other faults.
    _ = try options.sources()
    var entries: [Entry] = []
    func set(_ entry: Entry) {
      entries.removeAll { $0.name == entry.name }
      entries.append(entry)
    }
    for file in try RuleSources.files(rules: options.rules, config: options.config, environment: environment) {
      let contents = try RuleFile(name: file.name, bytes: file.bytes, namesFiles: file.isConfiguration)
      if !file.isConfiguration { entries.append(Entry(name: "rules", value: file.name, origin: .flag("--rules"))) }
      for rules in contents.files { entries.append(Entry(name: "rules", value: rules.name, origin: .file(rules.place))) }
      for limit in contents.limits {
        set(
          Entry(
            name: "limits.\(limit.rule).\(limit.limit)", value: limit.value,
            origin: limit.place.map(SettingOrigin.file) ?? .standard))
      }
      for query in contents.queries { set(Entry(name: "queries.\(query.name)", value: query.text, origin: .file(query.place))) }
    }
    for text in options.limit {
      guard let sign = text.firstIndex(of: "=") else { continue }
      set(Entry(name: "limits.\(text[..<sign])", value: String(text[text.index(after: sign)...]), origin: .flag("--limit")))
    }
    return entries
  }

  func write(showsOrigins: Bool, to text: inout TextBuffer) {
    var table = TextTable([("setting", .left), ("value", .left)] + (showsOrigins ? [("origin", .left)] : []))
    for entry in entries {
      table.append([entry.name, entry.value] + (showsOrigins ? [entry.origin.text] : []))
    }
    table.flush(to: &text)
  }

  /// Writes the document `xferlog.config/1`.
  func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.member("schema", "xferlog.config/1")
    json.array("settings", entries) { entry, json in
      json.beginObject()
      json.member("name", entry.name)
      json.member("value", entry.value)
      json.member("origin", entry.origin.kind)
      switch entry.origin {
      case .flag(let option): json.member("option", option)
      case .variable(let variable): json.member("variable", variable)
      case .file(let place):
        json.member("file", place.file)
        json.member("line", Int64(place.line))
      case .standard: break
      }
      json.endObject()
    }
    json.endObject()
  }
}
