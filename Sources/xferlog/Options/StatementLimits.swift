import ArgumentParser
import XferEvents

/// The maximum run time of a statement, for example `30s`, or `none`.
struct StatementTime: ExpressibleByArgument {
  let text: String
  /// `nil` means unlimited.
  let nanoseconds: Int64?

  static let standard = StatementTime(text: "1m", nanoseconds: 60_000_000_000)

  private init(text: String, nanoseconds: Int64?) {
    self.text = text
    self.nanoseconds = nanoseconds
  }

  init?(argument: String) {
    if argument == "none" {
      self.init(text: argument, nanoseconds: nil)
    } else {
      guard let nanoseconds = DurationText.nanoseconds(argument) else { return nil }
      self.init(text: argument, nanoseconds: nanoseconds)
    }
  }

  var defaultValueDescription: String { text }
}

/// The maximum memory of a statement, for example `64MiB`, or `none`.
struct StatementMemory: ExpressibleByArgument {
  let text: String
  /// `nil` means unlimited.
  let bytes: Int64?

  static let standard = StatementMemory(text: "256MiB", bytes: 256 << 20)

  private init(text: String, bytes: Int64?) {
    self.text = text
    self.bytes = bytes
  }

  private static let units: [(name: String, scale: Int64)] = [
    ("KIB", 1 << 10), ("MIB", 1 << 20), ("GIB", 1 << 30), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("B", 1), ("", 1),
  ]

  init?(argument: String) {
    if argument == "none" {
      self.init(text: argument, bytes: nil)
      return
    }
    let (digits, unit) = (argument.prefix { $0.isASCII && $0.isNumber }, argument.drop { $0.isASCII && $0.isNumber })
    let scale = Self.units.first { $0.name == unit.uppercased() }?.scale
    guard let number = Int64(digits), let scale else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow, bytes > 0 else { return nil }
    self.init(text: argument, bytes: bytes)
  }

  var defaultValueDescription: String { text }
}
