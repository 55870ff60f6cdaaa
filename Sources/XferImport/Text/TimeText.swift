package import XferEvents

/// Times as foreign logs write them.
package enum TimeText {
  /// Returns the time of RFC 3339 text such as `2026-11-24T15:04:05.678+01:00`; `nil` for other text.
  ///
  /// A text without an offset has an unknown zone, so `zone` must tell it.
  package static func wall(_ text: String, _ options: ImportOptions = ImportOptions()) -> WallTime? {
    var text = text
    return text.withUTF8 { wall(UnsafeRawBufferPointer($0), options) }
  }

  package static func wall(_ bytes: UnsafeRawBufferPointer, _ options: ImportOptions = ImportOptions()) -> WallTime? {
    var scanner = ByteScanner(bytes)
    guard let year = scanner.takeNumber(digits: 4...4), scanner.take("-") || scanner.take("/"),
      let month = scanner.takeNumber(digits: 1...2), scanner.take("-") || scanner.take("/"),
      let day = scanner.takeNumber(digits: 1...2), scanner.take("T") || scanner.take(" ") || scanner.take("t"),
      let ofDay = scanner.takeTimeOfDay(), (1970...2199).contains(year), (1...12).contains(month), day >= 1
    else { return nil }
    let days = AppleClock.days((year, month, day))
    let next = AppleClock.days(month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1))
    guard days < next else { return nil }
    let local = days * 86_400_000_000_000 + ofDay
    scanner.takeSpaces()
    guard let offset = scanner.takeOffset() ?? options.zone?(local / 1_000_000_000) else { return nil }
    return WallTime(nanoseconds: local - Int64(offset) * 1_000_000_000)
  }

  /// Returns the nanoseconds of a decimal number of units, such as `1764000000.123456`. Digits behind the ninth place are dropped.
  package static func nanoseconds(_ text: String, unit: Int64) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = Int64(first) else { return Double(text).flatMap { nanoseconds($0, unit: unit) } }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: unit)
    if isTooLarge { return nil }
    var rest: Int64 = 0
    if parts.count > 1 {
      var scale = unit / 10
      for digit in parts[1].utf8 {
        guard digit.isDigit else { return Double(text).flatMap { nanoseconds($0, unit: unit) } }
        rest += Int64(digit - 0x30) * scale
        scale /= 10
      }
    }
    let (sum, overflows) = product.addingReportingOverflow(text.hasPrefix("-") ? -rest : rest)
    return overflows ? nil : sum
  }

  package static func nanoseconds(_ number: Double, unit: Int64) -> Int64? {
    let value = (number * Double(unit)).rounded()
    return Int64(exactly: value)
  }

  /// Returns the wall time of a number of seconds, milliseconds, microseconds or nanoseconds since 1970. The unit follows from the
  /// magnitude; a number that is no time between 2000 and 2100 in any unit gives `nil`.
  package static func epoch(_ text: String) -> WallTime? {
    for unit: Int64 in [1_000_000_000, 1_000_000, 1000, 1] {
      if let time = nanoseconds(text, unit: unit), time >= 946_684_800_000_000_000, time < 4_102_444_800_000_000_000 {
        return WallTime(nanoseconds: time)
      }
    }
    return nil
  }
}

extension ByteScanner {
  /// Takes a time of day such as `15:04:05` or `15:04:05.123456`.
  ///
  /// - Returns: the nanoseconds since midnight.
  package mutating func takeTimeOfDay() -> Int64? {
    let start = place
    guard let hour = takeNumber(digits: 1...2), take(":"), let minute = takeNumber(digits: 2...2), hour < 24, minute < 60 else {
      move(to: start)
      return nil
    }
    var time = Int64(hour * 60 + minute) * 60
    if take(":") {
      guard let second = takeNumber(digits: 2...2), second < 61 else {
        move(to: start)
        return nil
      }
      time += Int64(second)
    }
    time *= 1_000_000_000
    let mark = place
    if take(".") || take(",") {
      var (scale, count): (Int64, Int) = (100_000_000, 0)
      while let byte = peek, byte.isDigit {
        time += Int64(byte - 0x30) * scale
        scale /= 10
        count += 1
        move(to: place + 1)
      }
      if count == 0 { move(to: mark) }
    }
    return time
  }

  /// Takes an offset such as `Z`, `+01:00`, `-0500` or `+02`.
  ///
  /// - Returns: the seconds east of UTC.
  package mutating func takeOffset() -> Int? {
    if take("Z") || take("z") || take("UTC") || take("GMT") { return 0 }
    let start = place
    let isWest = take("-")
    guard isWest || take("+"), let hours = takeNumber(digits: 2...2), hours <= 15 else {
      move(to: start)
      return nil
    }
    _ = take(":")
    let minutes = takeNumber(digits: 2...2) ?? 0
    guard minutes < 60 else {
      move(to: start)
      return nil
    }
    let seconds = (hours * 60 + minutes) * 60
    return isWest ? -seconds : seconds
  }
}
