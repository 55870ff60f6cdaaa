/// The levels of os_log, in ascending order.
public enum Level: UInt8, Sendable, CaseIterable, Comparable {
  case debug, info, `default`, error, fault

  public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

  /// The name that os_log uses.
  public var name: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .default: "default"
    case .error: "error"
    case .fault: "fault"
    }
  }

  /// Parses a level: an os_log name, `notice` for default, `warning` for error, or a first letter. Returns `nil` for any other
  /// text.
  public init?(name: String) {
    switch name.lowercased() {
    case "debug", "d": self = .debug
    case "info", "i": self = .info
    case "default", "notice", "n": self = .default
    case "error", "warning", "e", "w": self = .error
    case "fault", "f": self = .fault
    default: return nil
    }
  }
}
