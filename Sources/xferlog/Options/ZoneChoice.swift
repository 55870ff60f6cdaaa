import CXferPlatform
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A time zone as the user names it.
enum ZoneChoice: Sendable {
  /// Local on a terminal, otherwise UTC.
  case auto
  case utc
  /// The zone of this machine.
  case local
  /// A fixed offset in seconds east of UTC.
  case fixed(Int)
  case named(NamedZone)

  /// Returns `nil` for a text that is not a time zone.
  init?(_ text: String) {
    switch text.lowercased() {
    case "auto": self = .auto
    case "local": self = .local
    case "utc", "z", "gmt": self = .utc
    default:
      if let offset = Self.offset(text) {
        self = .fixed(offset)
      } else if let zone = NamedZone(text) {
        self = .named(zone)
      } else {
        return nil
      }
    }
  }

  /// Returns the seconds of an offset such as `+02:00`, `-0500` or `+2`; `nil` for other texts.
  private static func offset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isNumber), let number = Int(digits) else { return nil }
    let (hours, minutes) = digits.count <= 2 ? (number, 0) : (number / 100, number % 100)
    guard hours <= 14, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

/// A time zone of the system's database.
struct NamedZone: Sendable {
  private let name: String

  /// - Returns: `nil` if the database has no zone with this name.
  init?(_ name: String) {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.contains(".."), !name.contains("\0") else { return nil }
    let directories = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/share/lib/zoneinfo"]
    guard directories.contains(where: { Self.isFile("\($0)/\(name)") }) else { return nil }
    self.name = name
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
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

  /// Makes this the zone of the process, which the C library looks up without further delay. Called before other threads start.
  func adopt() {
    setenv("TZ", name, 1)
    tzset()
  }
}
