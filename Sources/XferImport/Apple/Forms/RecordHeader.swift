/// The part of a line that precedes a record's message, with the message. The texts point into the line.
package struct RecordHeader {
  package let form: AppleForm
  package var kind = AppleRecord.Kind.log
  package var time = AppleTime()
  package var process: UnsafeRawBufferPointer?
  package var pid: Int?
  package var thread: UInt64?
  package var level: AppleLevel?
  package var library: UnsafeRawBufferPointer?
  package var subsystem: UnsafeRawBufferPointer?
  package var category: UnsafeRawBufferPointer?
  package var activity: UInt64?
  package var message = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ form: AppleForm) { self.form = form }

  /// Returns the header of a line in one of the forms with a header on each line; `nil` if the line has none.
  package static func of(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    guard let first = line.first else { return nil }
    if first.isDigit { return dated(line) }
    if let header = deviceSyslog(line) { return header }
    return console(line)
  }

  /// Returns the header of a line that begins with a date.
  private static func dated(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    var scanner = ByteScanner(line)
    var time = AppleTime()
    var hasOffset = true
    if let usual = AppleTime(usual: line) {
      time = usual
      scanner.move(to: AppleTime.usualCount)
    } else {
      guard scanner.takeDate(&time), scanner.take(0x20) || scanner.take("T"), scanner.takeClock(&time) else { return nil }
      hasOffset = scanner.takeOffset(&time)
    }
    // A copy may have lost the space behind the offset.
    let isJoined = hasOffset && scanner.peek.map { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } ?? false
    guard scanner.takeSpaces() > 0 || scanner.isAtEnd || isJoined else { return nil }
    let start = scanner.place
    if hasOffset, let header = standard(scanner, time) { return header }
    scanner.move(to: start)
    if !hasOffset, let header = compact(scanner, time) { return header }
    if let header = mobileDevice(scanner, time) { return header }
    if let header = xcode(scanner, time) { return header }
    return hasOffset ? syslog(scanner, time) : nil
  }

  /// Takes the library in parentheses and the subsystem with its category in brackets, both optional, and the message.
  mutating func takeOrigin(_ scanner: inout ByteScanner) {
    if scanner.peek == 0x28 {
      let start = scanner.place
      _ = scanner.take(0x28)
      // A library's name has neither spaces nor parentheses, unlike a message that begins with a parenthesis.
      if let name = scanner.take(until: 0x29), !name.isEmpty, name.count <= 128, name.first(0x28, from: 0) == nil,
        scanner.take(0x20)
      {
        library = name
      } else {
        scanner.move(to: start)
      }
    }
    takeCategory(&scanner)
    message = scanner.rest
  }

  /// Takes `[subsystem:category] `.
  mutating func takeCategory(_ scanner: inout ByteScanner) {
    let start = scanner.place
    guard scanner.take(0x5B), let inside = scanner.take(until: 0x5D), let colon = inside.first(0x3A, from: 0),
      inside.first(0x20, from: 0) == nil, scanner.take(0x20) || scanner.isAtEnd
    else { return scanner.move(to: start) }
    let name = inside.slice(0, colon)
    // A message may begin with a process in brackets, such as `[app<com.example.app>:55]`.
    guard !name.contains(0x3C), !name.contains(0x28) else { return scanner.move(to: start) }
    subsystem = name
    category = inside.slice(colon + 1, inside.count)
  }
}

// MARK: Times

extension ByteScanner {
  /// Takes `yyyy-MM-dd`.
  mutating func takeDate(_ time: inout AppleTime) -> Bool {
    let start = place
    guard let year = takeNumber(digits: 4...4), take(0x2D), let month = takeNumber(digits: 2...2), take(0x2D),
      let day = takeNumber(digits: 2...2), (1...12).contains(month), (1...31).contains(day), year >= 1970
    else {
      move(to: start)
      return false
    }
    (time.year, time.month, time.day) = (year, month, day)
    return true
  }

  /// Takes `HH:mm:ss`, with a fraction if there is one.
  mutating func takeClock(_ time: inout AppleTime) -> Bool {
    let start = place
    guard let hour = takeNumber(digits: 2...2), take(0x3A), let minute = takeNumber(digits: 2...2), take(0x3A),
      let second = takeNumber(digits: 2...2), hour < 24, minute < 60, second < 61
    else {
      move(to: start)
      return false
    }
    var nanoseconds: Int64 = 0
    if peek == 0x2E {
      let point = place
      _ = take(0x2E)
      var (scale, digits): (Int64, Int) = (100_000_000, 0)
      while let byte = peek, byte.isDigit {
        nanoseconds += Int64(byte - 0x30) * scale
        (scale, digits) = (scale / 10, digits + 1)
        move(to: place + 1)
      }
      if digits == 0 { move(to: point) }
    }
    time.ofDay = Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000 + nanoseconds
    return true
  }

  /// Takes `±HHmm`, `±HH:mm` or `Z`.
  mutating func takeOffset(_ time: inout AppleTime) -> Bool {
    let start = place
    if take(0x5A) {
      time.offset = 0
      return true
    }
    let sign: Int
    if take(0x2B) { sign = 1 } else if take(0x2D) { sign = -1 } else { return false }
    guard let hours = takeNumber(digits: 2...2) else {
      move(to: start)
      return false
    }
    _ = take(0x3A)
    guard let minutes = takeNumber(digits: 2...2), hours <= 14, minutes < 60 else {
      move(to: start)
      return false
    }
    time.offset = sign * (hours * 3600 + minutes * 60)
    return true
  }
}
