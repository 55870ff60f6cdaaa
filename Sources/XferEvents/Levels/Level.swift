/// os_log's levels, in rising order.
public enum Level: UInt8, Sendable, CaseIterable, Comparable {
  case debug, info, `default`, error, fault

  public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

  /// The word os_log uses.
  public var name: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .default: "default"
    case .error: "error"
    case .fault: "fault"
    }
  }

  /// Reads a level as people write it: os_log's words, `notice` for default, `warning` for error, or a first letter.
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
