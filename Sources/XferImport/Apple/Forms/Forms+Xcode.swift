/// Xcode's console and copies from Console.app.
extension RecordHeader {
  /// `2020-06-01 17:40:43.086201+0200 Process[pid:thread] message`. Old systems have three digits and no offset.
  static func xcode(_ scanner: ByteScanner, _ time: AppleTime) -> RecordHeader? {
    var (scanner, header) = (scanner, RecordHeader(.xcode))
    header.time = time
    guard header.takeProcess(&scanner, threadIsHexadecimal: false) else { return nil }
    _ = scanner.take(0x20)
    header.takeCategory(&scanner)
    header.message = scanner.rest
    return header
  }

  /// `default TAB HH:mm:ss.ffffff±HHmm TAB process TAB [library TAB] message`. A paste may have spaces in place of the tabs.
  static func console(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    var (scanner, header) = (ByteScanner(line), RecordHeader(.console))
    guard let type = scanner.takeWord(), type.count <= 12, scanner.takeSpaces() > 0 else { return nil }
    let clock = scanner.place
    guard scanner.takeClock(&header.time), line.slice(clock, scanner.place).first(0x2E, from: 0) != nil else { return nil }
    let end = scanner.place
    _ = scanner.take(0x20)
    if !scanner.takeOffset(&header.time) { scanner.move(to: end) }
    let hasTab = scanner.peek == 0x09
    guard scanner.takeSpaces() > 0 else { return nil }
    header.level = AppleLevel(type)
    // Other text may contain a word and a time, so the level must be one of Console's words unless the columns are separated by tabs.
    guard hasTab || header.level != nil else { return nil }
    let isTabbed = hasTab && scanner.rest.first(0x09, from: 0) != nil
    guard let process = isTabbed ? scanner.take(until: 0x09) : scanner.takeWord() else { return nil }
    header.process = process
    if !isTabbed { scanner.takeSpaces() }
    let start = scanner.place
    if isTabbed, let library = scanner.take(until: 0x09), library.isName {
      header.library = library
    } else {
      scanner.move(to: start)
    }
    header.message = scanner.rest
    return header
  }

  /// A line such as `Timestamp: 2025-02-21 16:09:35.782578+01:00 | Subsystem: X | Category: Y | TID: 0x1`, which closes the record
  /// above it.
  static func metadata(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    var (scanner, header) = (ByteScanner(line), RecordHeader(.xcodeMetadata))
    guard scanner.take("Timestamp: "), scanner.takeDate(&header.time), scanner.take(0x20), scanner.takeClock(&header.time) else {
      return nil
    }
    _ = scanner.takeOffset(&header.time)
    while !scanner.isAtEnd {
      scanner.takeSpaces()
      guard scanner.take(0x7C) else { break }
      scanner.takeSpaces()
      guard let key = scanner.take(until: 0x3A) else { break }
      scanner.takeSpaces()
      let start = scanner.place
      let end = scanner.bytes.first(" | ", from: start) ?? scanner.bytes.count
      let value = scanner.bytes.slice(start, end).trimmed
      scanner.move(to: end)
      switch true {
      case key.equals("Subsystem"): header.subsystem = value
      case key.equals("Category"): header.category = value
      case key.equals("Library"): header.library = value
      case key.equals("Process"): header.process = value
      case key.equals("Type"): header.level = AppleLevel(value)
      case key.equals("PID"):
        var number = ByteScanner(value)
        header.pid = number.takeInteger().map { Int($0) }
      case key.equals("TID"):
        var number = ByteScanner(value)
        _ = number.take("0x")
        header.thread = number.takeHexadecimal()
      default: break
      }
    }
    return header
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes can be the name of a library: letters, digits and a few signs.
  fileprivate var isName: Bool {
    guard !isEmpty, count <= 80 else { return false }
    return allSatisfy { byte in
      byte.isDigit || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2E || byte == 0x2B
        || byte == 0x2D
    }
  }
}
