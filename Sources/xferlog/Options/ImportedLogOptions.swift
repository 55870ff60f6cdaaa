import ArgumentParser
import CXferPlatform
import XferImport
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
      "File that says which keys of JSON lines mean what (see the article Reading other logs).", valueName: "file"))
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
    if text == "local" { return Self.offset(of: surroundings.localZone) }
    if ["UTC", "utc", "Z", "GMT"].contains(text) { return { _ in 0 } }
    if let offset = Self.fixed(text) { return { _ in offset } }
    guard let rule = NamedZone(text) else {
      throw CommandExit(
        .wrongUsage, "--timezone \(text) is not a time zone; write an offset such as +02:00, or a name such as Europe/Berlin")
    }
    return Self.offset(of: ZoneRule { rule.offset(at: $0) })
  }

  private static func offset(of rule: ZoneRule) -> @Sendable (Int64) -> Int {
    { local in Int(local - rule.second(of: CivilTime(second: local))) }
  }

  /// Returns the seconds of an offset such as `+02:00`, `-0500` or `+2`; `nil` for other texts.
  private static func fixed(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isNumber), let number = Int(digits) else { return nil }
    let (hours, minutes) = digits.count <= 2 ? (number, 0) : (number / 100, number % 100)
    guard hours <= 14, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

/// A time zone of the system's database.
private struct NamedZone: Sendable {
  private let name: String

  /// - Returns: `nil` if the database has no zone with this name.
  init?(_ name: String) {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.contains(".."), !name.contains("\0") else { return nil }
    let directories = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/share/lib/zoneinfo"]
    guard directories.contains(where: { access("\($0)/\(name)", R_OK) == 0 }) else { return nil }
    self.name = name
  }

  /// Returns the seconds east of UTC at a time in seconds since 1970.
  ///
  /// The C library knows only the zone of the process, which is therefore changed for a moment. Foreign logs are read by one thread.
  func offset(at second: Int64) -> Int {
    let earlier = xp_variable("TZ").map { String(cString: $0) }
    setenv("TZ", name, 1)
    tzset()
    defer {
      if let earlier { setenv("TZ", earlier, 1) } else { unsetenv("TZ") }
      tzset()
    }
    var (time, parts) = (time_t(second), tm())
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}
