/// Lines that tools write around the records of a log.
enum LogBanner {
  enum Line {
    /// A banner of `log`, or the names of its columns.
    case banner
    /// A remark of a tool, which other programs may print, too.
    case remark
    /// The end of `log show`, with the number of records of its first kinds.
    case trailer
  }

  static func line(_ text: UnsafeRawBufferPointer) -> Line? {
    switch text.first {
    case UInt8(ascii: "F") where text.hasPrefix("Filtering the log data using "): return .banner
    case UInt8(ascii: "S") where text.hasPrefix("Skipping ") && text.first("messages, pass --") != nil: return .banner
    case UInt8(ascii: "T") where text.hasPrefix("Timestamp ") && isColumns(text): return .banner
    case UInt8(ascii: "-") where text.count >= 60 && text.allSatisfy { $0 == 0x2D }: return .remark
    case UInt8(ascii: "L") where text.hasPrefix("Log      - ") && text.first("Default:") != nil: return .trailer
    case UInt8(ascii: "A") where text.hasPrefix("Activity - ") && text.first("Create:") != nil: return .trailer
    case UInt8(ascii: "[") where text.hasPrefix("[connected") || text.hasPrefix("[disconnected"): return .remark
    case UInt8(ascii: "=") where text.hasPrefix("=== ") && text.trimmed.last == 0x3D: return .remark
    case UInt8(ascii: "W") where text.hasPrefix("Waiting for device"): return .remark
    case UInt8(ascii: "l") where text.hasPrefix("log: warning:") || text.hasPrefix("log: Could not"): return .remark
    default: return nil
    }
  }

  private static func isColumns(_ text: UnsafeRawBufferPointer) -> Bool {
    text.first(" Thread ") != nil || text.first(" Ty Process") != nil || text.first("(process)[PID]") != nil
  }
}
