import ArgumentParser
import XferImport
import XferReading
import XferReport

/// Options for logs of other programs that do not tell the date or the time zone of their records.
struct ImportedLogOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time zone of records without an offset (+02:00, UTC, local or a name such as Europe/Berlin).", valueName: "zone"))
  var timezone: String?

  @Option(help: ArgumentHelp("Date of the first record, for logs without dates (2026-11-20).", valueName: "date"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "File that says which keys of JSON lines mean what (see the article Reading other logs).", valueName: "file"),
    completion: .yaml)
  var mapping: String?

  /// Returns the surroundings with these options.
  func applied(to surroundings: Surroundings) throws -> Surroundings {
    var result = surroundings
    if let timezone { result.importOptions.zone = try zone(timezone, surroundings) }
    if let mapping { result.importers.append(NDJSONImporter(try MappingFile(mapping).mapping)) }
    if let date { result.importOptions.date = try day(date) }
    return result
  }

  /// A text that differs for options that read other events from the same files.
  var identity: String {
    let given = [timezone.map { "timezone \($0)" }, date.map { "date \($0)" }, mapping.map { "mapping \($0)" }]
    return given.compactMap(\.self).joined(separator: " ")
  }

  private func day(_ text: String) throws -> ImportOptions.Date {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard text.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { throw CommandExit(.wrongUsage, "--date \(text) is not a date; write it as 2026-11-20") }
    return ImportOptions.Date(year: year, month: month, day: day)
  }

  private func zone(_ text: String, _ surroundings: Surroundings) throws -> @Sendable (Int64) -> Int {
    switch ZoneChoice(text) {
    case .local?: return Self.offset(of: surroundings.localZone)
    case .utc?: return { _ in 0 }
    case .fixed(let offset)?: return { _ in offset }
    case .named(let zone)?: return Self.offset(of: ZoneRule { zone.offset(at: $0) })
    case .auto?, nil:
      throw CommandExit(
        .wrongUsage, "--timezone \(text) is not a time zone; write an offset such as +02:00, or a name such as Europe/Berlin")
    }
  }

  private static func offset(of rule: ZoneRule) -> @Sendable (Int64) -> Int {
    { local in Int(local - rule.second(of: CivilTime(second: local))) }
  }
}
