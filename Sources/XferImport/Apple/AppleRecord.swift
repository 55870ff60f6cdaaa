/// One record of Apple's unified log, after its lines were joined. What the form of the log does not tell is `nil`.
///
/// The checks for overlapping access are off, because one function at a time uses a record.
package final class AppleRecord {
  @exclusivity(unchecked) package var form: AppleForm
  @exclusivity(unchecked) package var kind = Kind.log
  @exclusivity(unchecked) package var time = AppleTime()
  @exclusivity(unchecked) package var process: String?
  @exclusivity(unchecked) package var pid: Int?
  @exclusivity(unchecked) package var thread: UInt64?
  @exclusivity(unchecked) package var level: AppleLevel?
  /// The name of the library that wrote the record.
  @exclusivity(unchecked) package var library: String?
  @exclusivity(unchecked) package var subsystem: String?
  @exclusivity(unchecked) package var category: String?
  @exclusivity(unchecked) package var activity: UInt64?
  @exclusivity(unchecked) package var message: [UInt8] = []
  /// What the message means, if that was found when it was read; `nil` if it has to be found.
  @exclusivity(unchecked) package var recognised: RecognisedMessage?
  /// The first and the last line of the record, from 1.
  @exclusivity(unchecked) package var lines: ClosedRange<UInt64> = 0...0
  /// The bytes of the first line in the file.
  @exclusivity(unchecked) package var place = Place(offset: 0, count: 0)

  package struct Place: Hashable, Sendable {
    package var offset: UInt64
    package var count: Int
  }

  package enum Kind: Sendable {
    case log, activity, signpost, state
    /// The log lost records. The message says how many, or is empty.
    case loss
  }

  package init(form: AppleForm) { self.form = form }

  package var text: String { String(decoding: message, as: UTF8.self) }

  /// Finds out what the message means. A message that is only recognised without its line breaks loses them: a narrow window or a tool
  /// has broken it.
  ///
  /// - Returns: `nil` if the message is not recognised.
  package func recognise(by table: ShapeTable) -> RecognisedMessage? {
    if let known = recognised ?? message.withUnsafeBytes({ table.recognise($0, by: process) }) { return known }
    guard lines.count > 1, message.count <= Self.largestBroken else { return nil }
    let whole = Self.joined(message)
    guard let found = whole.withUnsafeBytes({ table.recognise($0, by: process) }) else { return nil }
    message = whole
    return found
  }

  /// The maximum number of bytes of a message whose lines are joined.
  private static let largestBroken = 1 << 14

  /// Returns a text as one line.
  private static func joined(_ text: [UInt8]) -> [UInt8] {
    var line: [UInt8] = []
    for part in text.split(separator: 0x0A) {
      // The name of a task, such as `Task <…>.<1>`, has no space.
      let isWithinName = line.suffix(2).elementsEqual(">.".utf8) && part.first == 0x3C
      if !line.isEmpty, line.last != 0x20, !isWithinName { line.append(0x20) }
      line += part
    }
    return line
  }
}

/// The forms in which records of Apple's unified log are found.
package enum AppleForm: String, Sendable, CaseIterable {
  /// `log show --style ndjson` or `--style json`.
  case json
  /// `log show --style default`.
  case standard = "default"
  /// `log show --style compact`.
  case compact
  /// `log show --style syslog`.
  case syslog
  /// Lines copied from Console.app.
  case console
  /// Xcode's console with a header in front of each message.
  case xcode
  /// Xcode's console with a line of metadata behind each message.
  case xcodeMetadata = "xcode-metadata"
  /// The syslog of a device, and of old systems.
  case device
  /// A message without a header.
  case bare
}

package enum AppleLevel: Sendable {
  case `default`, info, debug, error, fault
}

extension AppleLevel {
  /// The level with a name as any form of the log writes it; `nil` for other words.
  package init?(_ name: UnsafeRawBufferPointer) {
    guard let first = name.first else { return nil }
    // The first letter and the length tell the words of all forms apart.
    switch (first | 0x20, name.count) {
    case (UInt8(ascii: "n"), 6): self = .default
    case (UInt8(ascii: "d"), 7): self = .default
    case (UInt8(ascii: "d"), 2) where name.equals("Df"): self = .default
    case (UInt8(ascii: "d"), 5), (UInt8(ascii: "d"), 1), (UInt8(ascii: "d"), 2): self = .debug
    case (UInt8(ascii: "i"), 4), (UInt8(ascii: "i"), 1): self = .info
    case (UInt8(ascii: "e"), 5), (UInt8(ascii: "e"), 1), (UInt8(ascii: "w"), 7): self = .error
    case (UInt8(ascii: "f"), 5), (UInt8(ascii: "f"), 1), (UInt8(ascii: "c"), 8), (UInt8(ascii: "a"), 5), (UInt8(ascii: "e"), 9):
      self = .fault
    default: return nil
    }
  }
}

/// A time as a record states it. Missing parts are `nil`.
package struct AppleTime: Hashable, Sendable {
  package var year: Int?
  package var month: Int?
  package var day: Int?
  /// Nanoseconds since midnight.
  package var ofDay: Int64?
  /// Seconds east of UTC.
  package var offset: Int?
  /// Nanoseconds on a monotonic clock, if the form has them.
  package var ticks: Int64?

  package init() {}
}
