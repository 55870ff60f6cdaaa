package import XferEvents
package import XferReading
package import XferReport

/// A parser for times as people write them, relative to a given time and time zone.
package struct TimeExpression: Sendable {
  package let now: WallTime
  package let zone: ZoneRule
  /// The times that a log covers. A time of day without a date means the last day on which the log covers it. If `nil`, it means
  /// today.
  package var covered: ClosedRange<WallTime>?

  package init(now: WallTime, zone: ZoneRule, covered: ClosedRange<WallTime>? = nil) {
    self.now = now
    self.zone = zone
    self.covered = covered
  }

  /// A text that cannot be read as a time.
  package struct Problem: DescribedError, Equatable, CustomStringConvertible {
    package let text: String
    package let problem: String

    package var description: String { message.description }

    package var message: UserMessage {
      """
      '\(text)' is not a time: \(problem).
      Accepted: 5m, -5m, '5m ago', 1h30m (ms s m h d w); now, today, yesterday, tomorrow, friday; 14:00; 2026-11-20; \
      '2026-11-20 14:00'; 2026-11-20T14:02:07.118Z or +01:00; @1780000000.
      """
    }
  }

  package func time(_ text: String) throws(Problem) -> WallTime {
    let trimmed = text.trimmed
    let word = trimmed.lowercased()
    if word.isEmpty { throw Problem(text: text, problem: "it is empty") }
    if let time = named(word) { return time }
    if word.hasPrefix("@") {
      guard let nanoseconds = DurationText.decimalSeconds(word.dropFirst()) else {
        throw Problem(text: text, problem: "seconds since 1970 are expected after @")
      }
      return WallTime(nanoseconds: nanoseconds)
    }
    if let span = Self.span(word) {
      guard let time = span.subtracted(from: now) else { throw Problem(text: text, problem: "it is out of range") }
      return time
    }
    return try date(trimmed, of: text)
  }

  // MARK: Words

  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

  private func named(_ word: String) -> WallTime? {
    switch word {
    case "now": return now
    case "today": return midnight(daysAgo: 0)
    case "yesterday": return midnight(daysAgo: 1)
    case "tomorrow": return midnight(daysAgo: -1)
    default: break
    }
    guard word.count >= 3, let weekday = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) else {
      return nil
    }
    let today = zone.civil(at: now.second)
    return midnight(daysAgo: (today.weekday - weekday + 7) % 7)
  }

  private func midnight(daysAgo: Int) -> WallTime? {
    let today = zone.civil(at: now.second)
    let day = CivilTime(second: (today.days - Int64(daysAgo)) * 86_400)
    return WallTime(second: zone.second(of: day))
  }

  // MARK: Spans

  /// A duration before now; negative after now.
  private struct Span {
    var nanoseconds: Int64 = 0

    func subtracted(from time: WallTime) -> WallTime? {
      let (result, overflow) = time.nanoseconds.subtractingReportingOverflow(nanoseconds)
      return overflow ? nil : WallTime(nanoseconds: result)
    }
  }

  /// Reads a span such as `5m`, `-5m`, `5m ago`, `1h30m` or `2 hours ago`.
  private static func span(_ word: String) -> Span? {
    var rest = word[...]
    if rest.hasSuffix("ago") { rest = rest.dropLast(3) }
    if rest.hasPrefix("-") { rest = rest.dropFirst() }
    return DurationText.nanoseconds(String(rest)).map { Span(nanoseconds: $0) }
  }

  // MARK: Dates

  private func date(_ text: String, of original: String) throws(Problem) -> WallTime {
    let parts = text.split(maxSplits: 1, whereSeparator: { $0 == "T" || $0 == "t" || $0 == " " })
    guard let first = parts.first else { throw Problem(text: original, problem: "it is empty") }
    let day = Self.day(first)
    if day == nil, parts.count != 1 || !first.contains(":") {
      throw Problem(text: original, problem: "it is neither a duration nor a date")
    }
    var civil = day ?? CivilTime(second: 0)
    let clock = day == nil ? first : parts.count == 2 ? parts[1] : nil
    var fraction: Int64 = 0
    var offset: Int64?
    if let clock {
      guard let read = Self.clock(String(clock).trimmed, into: &civil) else {
        throw Problem(text: original, problem: "the time of day cannot be read")
      }
      (fraction, offset) = read
    }
    guard civil.exists else { throw Problem(text: original, problem: "there is no such day or time of day") }
    if day == nil { return time(ofDay: civil, fraction, offset) }
    let second = offset.map { civil.seconds - $0 } ?? zone.second(of: civil)
    guard abs(second) < Int64.max / 1_000_000_000 - 1 else { throw Problem(text: original, problem: "it is out of range") }
    return WallTime(nanoseconds: second * 1_000_000_000 + fraction)
  }

  // MARK: Times of day

  /// Whether a text is a time of day without a date, such as `14:02:07.118`.
  package func isTimeOfDay(_ text: String) -> Bool {
    let trimmed = text.trimmed
    guard trimmed.first?.isNumber ?? false, trimmed.contains(":"), Self.span(trimmed.lowercased()) == nil else { return false }
    let first = trimmed.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    return first.contains(":") && Self.day(first) == nil
  }

  /// Returns a time of day on the last day on which the log covers it, or else on the day on which the log ends. Without a log,
  /// the day is today.
  private func time(ofDay clock: CivilTime, _ fraction: Int64, _ offset: Int64?) -> WallTime {
    let end = (covered?.upperBound ?? now).second
    let last = offset.map { CivilTime(second: end + $0) } ?? zone.civil(at: end)
    func time(daysBefore days: Int64) -> WallTime {
      let civil = CivilTime(second: (last.days - days) * 86_400 + clock.seconds)
      let second = offset.map { civil.seconds - $0 } ?? zone.second(of: civil)
      // The last time in a damaged log may be any number, so limit the result to avoid overflow.
      let limit = Int64.max / 1_000_000_000 - 1
      return WallTime(nanoseconds: min(max(second, -limit), limit) * 1_000_000_000 + fraction)
    }
    let latest = time(daysBefore: 0)
    guard let covered, latest > covered.upperBound else { return latest }
    let earlier = time(daysBefore: 1)
    // A time copied from output may lack decimals and thus lie just before the log's first event, so compare whole seconds.
    return earlier.second >= covered.lowerBound.second ? earlier : latest
  }

  private static func day(_ text: Substring) -> CivilTime? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, let year = DurationText.number(parts[0]),
      let month = DurationText.number(parts[1]),
      let day = DurationText.number(parts[2]), parts[1].count <= 2, parts[2].count <= 2
    else { return nil }
    return CivilTime(year: Int(year), month: Int(month), day: Int(day))
  }

  /// Reads a time of day such as `14:00` or `14:00:07.118`, with or without `Z` or an offset such as `+01:00`.
  private static func clock(_ text: String, into civil: inout CivilTime) -> (fraction: Int64, offset: Int64?)? {
    var rest = text[...]
    var offset: Int64?
    if rest.last == "Z" || rest.last == "z" {
      offset = 0
      rest = rest.dropLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let digits = rest[rest.index(after: sign)...].filter { $0 != ":" }
      guard digits.count == 4, let value = DurationText.number(digits[...]), value / 100 < 24, value % 100 < 60 else {
        return nil
      }
      offset = (rest[sign] == "-" ? -1 : 1) * (value / 100 * 3600 + value % 100 * 60)
      rest = rest[..<sign]
    }
    let parts = String(rest).trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let hour = DurationText.number(parts[0]),
      let minute = DurationText.number(parts[1]),
      parts[0].count <= 2, parts[1].count == 2
    else { return nil }
    civil.hour = Int(hour)
    civil.minute = Int(minute)
    guard parts.count == 3 else { return (0, offset) }
    let seconds = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard seconds[0].count == 2, let second = DurationText.number(seconds[0]) else { return nil }
    civil.second = Int(second)
    guard seconds.count == 2 else { return (0, offset) }
    return DurationText.fraction(seconds[1]).map { ($0, offset) }
  }
}

extension WallTime {
  fileprivate var second: Int64 { nanoseconds.dividedDown(by: 1_000_000_000).quotient }
  fileprivate init(second: Int64) { self.init(nanoseconds: second * 1_000_000_000) }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
