import XferEvents

/// A line of logcat in one of its forms.
struct LogcatLine {
  var time = AppleTime()
  var pid: Int?
  var thread: UInt32?
  var level = Level.default
  var tag = ""
  var application: String?
  var message = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether the line is a header of the form `long`, so that its message is in the next lines.
  var isHeader = false

  /// Whether a line such as `--------- beginning of main` separates two buffers.
  static func isDivider(_ text: UnsafeRawBufferPointer) -> Bool {
    text.hasPrefix("--------- beginning of ") || text.hasPrefix("--------- switch to ")
  }

  /// Whether a line belongs to the stack of an exception, which programs also print without a header.
  static func isStack(_ text: UnsafeRawBufferPointer) -> Bool {
    let text = text.trimmed
    return text.hasPrefix("at ") || text.hasPrefix("Caused by: ") || text.hasPrefix("... ")
  }

  /// Reads a line as people paste it, for example as an item of a list.
  static func pasted(_ text: UnsafeRawBufferPointer) -> LogcatLine? {
    if let line = LogcatLine(text) { return line }
    var shorter = PastePrefix.stripped(text)
    if shorter.hasPrefix("* ") || shorter.hasPrefix("- ") { shorter = shorter.slice(2, shorter.count) }
    return shorter.count < text.count ? LogcatLine(shorter) : nil
  }

  /// - Returns: `nil` if the line has none of the forms.
  init?(_ text: UnsafeRawBufferPointer) {
    var scanner = ByteScanner(text)
    if scanner.take("[ ") {
      guard takeTime(&scanner), takeIdentity(&scanner, separator: 0x3A), let level = Self.takeLevel(&scanner), scanner.take("/"),
        let end = text.first(" ]", from: scanner.place)
      else { return nil }
      self.level = level
      tag = text.slice(scanner.place, end).trimmed.text
      isHeader = true
      return
    }
    if takeTime(&scanner) {
      scanner.takeSpaces()
      // `time`: D/Tag( 1234): message
      if takeBrief(&scanner) { return }
      // `threadtime`: 1234 5678 D Tag: message
      let place = scanner.place
      if takeIdentity(&scanner, separator: 0x20), let level = Self.takeLevel(&scanner), scanner.take(" "), takeTag(&scanner) {
        self.level = level
        return
      }
      scanner.move(to: place)
      // Android Studio: 1234-5678 Tag  application  D  message, or 1234-5678/application D/Tag: message
      guard takeIdentity(&scanner, separator: 0x2D, isPadded: false) else { return nil }
      if scanner.take("/") {
        application = scanner.takeWord()?.text
        scanner.takeSpaces()
        guard let level = Self.takeLevel(&scanner), scanner.take("/"), takeTag(&scanner) else { return nil }
        self.level = level
        return
      }
      guard scanner.takeSpaces() > 0, let tag = scanner.takeWord(), scanner.takeSpaces() > 0 else { return nil }
      // The column of the application can be hidden.
      if !takeLevelColumn(&scanner) {
        application = scanner.takeWord()?.text
        guard scanner.takeSpaces() > 0, takeLevelColumn(&scanner) else { return nil }
      }
      (self.tag, message) = (tag.text, scanner.rest)
      return
    }
    // `brief` without a time
    if takeBrief(&scanner) { return }
    // People also cut the date off.
    if let ofDay = scanner.takeTimeOfDay(), scanner.takeSpaces() > 0, takeKnownTag(&scanner) {
      time.ofDay = ofDay
      return
    }
    scanner.move(to: 0)
    if takeKnownTag(&scanner) || takeUntagged(text.trimmed) || takeShort(&scanner) { return }
    return nil
  }

  /// Takes `11-24 10:00:00.123`, with a year or an offset if there is one.
  private mutating func takeTime(_ scanner: inout ByteScanner) -> Bool {
    let start = scanner.place
    var date = AppleTime()
    if let year = scanner.takeNumber(digits: 4...4), scanner.take("-") { date.year = year } else { scanner.move(to: start) }
    guard let month = scanner.takeNumber(digits: 2...2), scanner.take("-"), let day = scanner.takeNumber(digits: 2...2),
      (1...12).contains(month), (1...31).contains(day), scanner.take(" ") || scanner.take("T"),
      let ofDay = scanner.takeTimeOfDay()
    else {
      scanner.move(to: start)
      return false
    }
    (date.month, date.day, date.ofDay) = (month, day, ofDay)
    let place = scanner.place
    scanner.takeSpaces()
    if let offset = scanner.takeOffset() { date.offset = offset } else { scanner.move(to: place) }
    time = date
    return true
  }

  /// Takes the numbers of the process and the thread. A name of the user may stand before them.
  private mutating func takeIdentity(_ scanner: inout ByteScanner, separator: UInt8, isPadded: Bool = true) -> Bool {
    scanner.takeSpaces()
    let start = scanner.place
    var pid = scanner.takeNumber(digits: 1...7)
    if pid == nil, separator == 0x20, scanner.takeWord() != nil, scanner.takeSpaces() > 0 {
      pid = scanner.takeNumber(digits: 1...7)
    }
    guard let pid, scanner.take(separator) else {
      scanner.move(to: start)
      return false
    }
    if isPadded { scanner.takeSpaces() }
    guard let thread = scanner.takeNumber(digits: 1...7) else {
      scanner.move(to: start)
      return false
    }
    if isPadded { scanner.takeSpaces() }
    self.pid = pid
    self.thread = UInt32(clamping: thread)
    return true
  }

  private static func takeLevel(_ scanner: inout ByteScanner) -> Level? {
    let level: Level
    switch scanner.peek {
    case UInt8(ascii: "V"), UInt8(ascii: "D"): level = .debug
    case UInt8(ascii: "I"): level = .info
    case UInt8(ascii: "W"): level = .default
    case UInt8(ascii: "E"): level = .error
    case UInt8(ascii: "F"), UInt8(ascii: "A"): level = .fault
    default: return nil
    }
    scanner.move(to: scanner.place + 1)
    return level
  }

  /// Takes the letter of a level and the spaces behind it.
  private mutating func takeLevelColumn(_ scanner: inout ByteScanner) -> Bool {
    let start = scanner.place
    guard let level = Self.takeLevel(&scanner), scanner.isAtEnd || scanner.takeSpaces() > 0 else {
      scanner.move(to: start)
      return false
    }
    self.level = level
    return true
  }

  /// Takes `D/Tag( 1234): message`.
  private mutating func takeBrief(_ scanner: inout ByteScanner) -> Bool {
    let start = scanner.place
    guard let level = Self.takeLevel(&scanner), scanner.take("/"),
      let end = scanner.bytes.first("(", from: scanner.place), end - scanner.place <= 80
    else {
      scanner.move(to: start)
      return false
    }
    let name = scanner.bytes.slice(scanner.place, end).trimmed
    scanner.move(to: end)
    guard let pid = Self.takeProcess(&scanner), scanner.take(":") else {
      scanner.move(to: start)
      return false
    }
    _ = scanner.take(" ")
    (self.level, self.pid, tag, message) = (level, pid, name.text, scanner.rest)
    return true
  }

  /// Takes the number of a process in parentheses.
  private static func takeProcess(_ scanner: inout ByteScanner) -> Int? {
    guard scanner.take("(") else { return nil }
    scanner.takeSpaces()
    guard let process = scanner.takeNumber(digits: 1...7), scanner.take(")") else { return nil }
    return process
  }

  /// Takes `D/Tag: message`, as older versions of Android Studio copy a line.
  private mutating func takeShort(_ scanner: inout ByteScanner) -> Bool {
    scanner.move(to: 0)
    guard let level = Self.takeLevel(&scanner), scanner.take("/"), let name = scanner.take(until: 0x3A),
      (2...80).contains(name.count),
      !name.contains(where: { $0 == 0x20 || $0 == 0x2F }), scanner.take(" ") || scanner.isAtEnd
    else { return false }
    (self.level, tag, message) = (level, name.text, scanner.rest)
    return true
  }

  /// Takes `Tag( 1234): message`, `Tag: message` or `D Tag: message`, as people cut a line and as `logcat -v tag` prints it, if the tag is one
  /// of Android's own.
  private mutating func takeKnownTag(_ scanner: inout ByteScanner) -> Bool {
    let begin = scanner.place
    let text = scanner.bytes
    let level = Self.takeLevel(&scanner)
    if level == nil || !scanner.take(" ") { scanner.move(to: begin) }
    let name = scanner.rest
    guard name.hasPrefix("WM-") || name.hasPrefix("DownloadManager") || name.hasPrefix("DownloadThread"),
      let end = name.firstIndex(where: { $0 == 0x28 || $0 == 0x3A || $0 == 0x20 })
    else {
      scanner.move(to: begin)
      return false
    }
    let start = scanner.place
    scanner.move(to: start + end)
    let process = scanner.peek == 0x28 ? Self.takeProcess(&scanner) : nil
    guard scanner.take(": ") else {
      scanner.move(to: begin)
      return false
    }
    (self.level, pid, tag) = (start == begin ? .default : level ?? .default, process, text.slice(start, start + end).text)
    message = scanner.rest
    return true
  }

  /// Takes a message of WorkManager's about a piece of work that was copied without its tag.
  private mutating func takeUntagged(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.hasPrefix("Work [ id=") || text.hasPrefix("Worker result ") && text.first(" for Work [ id=") != nil else {
      return false
    }
    (tag, message) = ("WM-WorkerWrapper", text)
    return true
  }

  /// Takes `Tag  : message`.
  private mutating func takeTag(_ scanner: inout ByteScanner) -> Bool {
    let start = scanner.place
    // Old versions of Android Studio print a small colon (U+FE55).
    let (colon, small) = (scanner.bytes.first(": ", from: start), scanner.bytes.first("﹕ ", from: start))
    let isSmall = small.map { $0 < colon ?? .max } ?? false
    guard let end = isSmall ? small : colon ?? (scanner.bytes.last == 0x3A ? scanner.bytes.count - 1 : nil), end - start <= 120
    else { return false }
    tag = scanner.bytes.slice(start, end).trimmed.text
    message = scanner.bytes.slice(end + (isSmall ? 4 : 2), scanner.bytes.count)
    return true
  }
}
