public import Foundation
public import XferEvents

extension Postmortem {
  /// A wall-clock time, in RFC 3339 with nine digits of the second when it is encoded.
  public struct Time: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    public let wall: WallTime

    public init(_ wall: WallTime) { self.wall = wall }

    /// The time as a date, which rounds nanoseconds.
    public var date: Date { Date(timeIntervalSince1970: Double(wall.nanoseconds) / 1_000_000_000) }
    public var description: String { "\(wall)" }

    public static func < (left: Time, right: Time) -> Bool { left.wall < right.wall }

    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let wall = WallTime(rfc3339: text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a time in UTC with nine digits of the second")
        )
      }
      self.init(wall)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }
}

extension WallTime {
  /// Reads a time in the form that `description` has, such as `2026-11-20T14:02:07.118000000Z`.
  fileprivate init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 30, bytes[10] == UInt8(ascii: "T"), bytes[29] == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        ? bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } : nil
    }
    let parts = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19, 20..<29].compactMap(number)
    guard parts.count == 7, (1...12).contains(parts[1]) else { return nil }
    // The number of days since 1970-01-01. Years are counted from March, so that a leap day is the last day of a year.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (parts[1] + (parts[1] > 2 ? -3 : 9)) + 2) / 5 + parts[2] - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let (nanoseconds, isTooLarge) = (days * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5])
      .multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = nanoseconds.addingReportingOverflow(parts[6])
    if isTooLarge || overflows { return nil }
    self.init(nanoseconds: sum)
  }
}
