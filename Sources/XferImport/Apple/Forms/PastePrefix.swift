/// What people and web pages put in front of the lines of a log.
enum PastePrefix {
  /// Returns a line without quotation marks, indentation, line numbers and comment marks; the same line if it has none.
  static func stripped(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var text = line
    // Each pass removes one prefix. More than a few do not occur.
    for _ in 0..<6 {
      guard let shorter = withoutOne(text) else { return text }
      text = shorter
    }
    return text
  }

  /// Returns a line without quotation marks.
  static func unquoted(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var scanner = ByteScanner(line)
    while scanner.take(0x3E) { _ = scanner.take(0x20) }
    return scanner.rest
  }

  /// Whether a line begins or ends a block of code in Markdown.
  static func isFence(_ line: UnsafeRawBufferPointer) -> Bool {
    let text = unquoted(line).trimmed
    return text.hasPrefix("```") || text.hasPrefix("~~~")
  }

  private static func withoutOne(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var scanner = ByteScanner(text)
    switch scanner.peek {
    case 0x3E:
      _ = scanner.take(0x3E)
      _ = scanner.take(0x20)
      return scanner.rest
    case 0x20, 0x09:
      scanner.takeSpaces()
      return scanner.rest
    case 0x2F:
      guard scanner.take("//") else { return nil }
      scanner.takeSpaces()
      return scanner.rest
    case let byte? where byte.isDigit:
      // A line number, with a colon, a bar or a tab behind it, or with spaces before the beginning of a record.
      guard scanner.takeNumber(digits: 1...7) != nil else { return nil }
      let hasTab = scanner.peek == 0x09
      let hasSpace = scanner.takeSpaces() > 0
      let hasMark = scanner.take(0x3A) || scanner.take(0x7C)
      guard hasMark || hasTab || hasSpace && (beginsWithDate(scanner.rest) || MessageStart.isKnown(scanner.rest)) else {
        return nil
      }
      if hasMark, !scanner.isAtEnd, scanner.takeSpaces() == 0 { return nil }
      return scanner.rest
    case 0x5B: return withoutToolPrefix(text)
    case UInt8(ascii: "t"):
      // The time in a test: t =    12.34s
      guard scanner.take("t = ") else { return nil }
      scanner.takeSpaces()
      guard scanner.takeNumber(digits: 1...6) != nil, scanner.take("."), scanner.takeNumber(digits: 1...3) != nil,
        scanner.take("s ")
      else { return nil }
      return scanner.rest
    default: return nil
    }
  }

  /// Whether a text begins like `2026-11-20 `.
  private static func beginsWithDate(_ text: UnsafeRawBufferPointer) -> Bool {
    var (scanner, date) = (ByteScanner(text), AppleTime())
    return scanner.takeDate(&date) && scanner.take(0x20)
  }

  /// Returns a line without the time that the runners of GitHub and Azure put in front, such as `2026-11-20T10:00:00.1234567Z `; `nil` if
  /// it has none.
  @inline(__always)
  static func withoutRunnerTime(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard line.count > 29, line[27] == 0x5A, line[28] == 0x20, line[19] == 0x2E, line[10] == 0x54,
      (20..<27).allSatisfy({ line[$0].isDigit })
    else { return nil }
    return line.slice(29, line.count)
  }

  /// Returns a line without `[   +1 ms] ` and `[DEVICE LOG] ` of `flutter run --verbose`, `[10:00:00]: ▸ ` of fastlane, or
  /// `[debug] [XCUITestDriver@2f5a] [SimulatorLog] ` of Appium.
  private static func withoutToolPrefix(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var scanner = ByteScanner(text)
    if scanner.take("[DEVICE LOG] ") { return scanner.rest }
    guard scanner.take(0x5B), let inside = scanner.take(until: 0x5D) else { return nil }
    if scanner.take(": ") {
      var clock = ByteScanner(inside)
      guard clock.takeTimeOfDay() != nil, clock.isAtEnd else { return nil }
      _ = scanner.take("▸ ")
      return scanner.rest
    }
    guard scanner.take(0x20) else { return nil }
    if isOfAppium(inside) { return scanner.rest }
    guard inside.count >= 8 else { return nil }
    let time = inside.trimmed
    return time.isEmpty || time.first == 0x2B && time.first(" ms") == time.count - 3 ? scanner.rest : nil
  }

  /// Whether a word in brackets is a level or a logger of Appium's.
  private static func isOfAppium(_ word: UnsafeRawBufferPointer) -> Bool {
    if word.equals("debug") || word.equals("info") || word.equals("warn") || word.equals("error") { return true }
    if word.hasPrefix("XCUITest") || word.trimmed.equals("IOS_SYSLOG_ROW") { return true }
    return word.count > 3 && word.slice(word.count - 3, word.count).equals("Log") && !word.contains(0x20)
  }
}
