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

  /// A line such as `Type: Error | Timestamp: 2025-02-21 16:09:35.782578+01:00 | Process: App | Library: X | Subsystem: Y | Category: Z |
  /// TID: 0x1`, which closes the record above it. Xcode writes the members that its user has chosen.
  static func metadata(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    guard metadataStarts.contains(where: line.hasPrefix) else { return nil }
    // What the app prints has a line of this kind as well.
    if line.equals("Type: stdio") { return RecordHeader(.bare) }
    var (scanner, header) = (ByteScanner(line), RecordHeader(.xcodeMetadata))
    var keys: Set<MetadataKey> = []
    while !scanner.isAtEnd {
      guard let name = scanner.take(until: 0x3A) else { return nil }
      let end = line.first(" | ", from: scanner.place) ?? line.count
      let value = line.slice(scanner.place, end).trimmed
      scanner.move(to: min(end + 3, line.count))
      guard let key = MetadataKey(name) else {
        // A member that a newer Xcode has.
        if keys.contains(.timestamp) { continue }
        return nil
      }
      guard keys.insert(key).inserted, header.set(key, value) else { return nil }
    }
    // Other text may have a word and a colon, too.
    let isKnown = keys.contains(.timestamp) || keys.count > 1 && !keys.isDisjoint(with: [.library, .subsystem, .thread])
    return isKnown ? header : nil
  }

  private static let metadataStarts: [StaticString] = ["Type: ", "Timestamp: ", "Process: ", "Library: ", "Subsystem: "]

  private enum MetadataKey {
    case type, timestamp, process, library, subsystem, category, pid, thread

    init?(_ name: UnsafeRawBufferPointer) {
      switch true {
      case name.equals("Type"): self = .type
      case name.equals("Timestamp"): self = .timestamp
      case name.equals("Process"): self = .process
      case name.equals("Library"): self = .library
      case name.equals("Subsystem"): self = .subsystem
      case name.equals("Category"): self = .category
      case name.equals("PID"): self = .pid
      case name.equals("TID"): self = .thread
      default: return nil
      }
    }
  }

  /// - Returns: whether the value can be one of the key.
  private mutating func set(_ key: MetadataKey, _ value: UnsafeRawBufferPointer) -> Bool {
    var scanner = ByteScanner(value)
    switch key {
    case .type:
      level = AppleLevel(value)
      return level != nil || value.equals("stdio")
    case .timestamp:
      guard scanner.takeDate(&time), scanner.take(0x20), scanner.takeClock(&time) else { return false }
      return scanner.isAtEnd || scanner.takeOffset(&time) && scanner.isAtEnd
    case .process: process = value
    case .library: library = value
    case .subsystem: subsystem = value
    case .category: category = value
    case .pid: pid = scanner.takeInteger().map { Int($0) }
    case .thread:
      _ = scanner.take("0x")
      thread = scanner.takeHexadecimal()
    }
    return true
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
