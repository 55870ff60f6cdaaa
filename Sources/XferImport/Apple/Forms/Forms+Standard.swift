/// `log show` in the styles default, compact and syslog.
extension RecordHeader {
  /// `2026-01-25 23:03:22.041859+0200 0x150d23a  Info  0x0  6103  0  logger: (Library) [subsystem:category] message`.
  ///
  /// The columns are padded. Old versions have no column for the time to live.
  static func standard(_ scanner: ByteScanner, _ time: AppleTime) -> RecordHeader? {
    var (scanner, header) = (scanner, RecordHeader(.standard))
    header.time = time
    guard scanner.take("0x"), let thread = scanner.takeHexadecimal(), scanner.takeSpaces() > 0, let type = scanner.takeWord(),
      scanner.takeSpaces() > 0, scanner.take("0x"), let activity = scanner.takeHexadecimal(), scanner.takeSpaces() > 0,
      let pid = scanner.takeInteger(), scanner.takeSpaces() > 0
    else { return nil }
    (header.thread, header.activity, header.pid) = (thread, activity == 0 ? nil : activity, Int(pid))
    header.level = AppleLevel(type)
    header.kind = kind(type)
    let start = scanner.place
    if scanner.takeInteger() == nil || scanner.takeSpaces() == 0 { scanner.move(to: start) }
    // A process name may contain spaces.
    guard let colon = scanner.bytes.first(": ", from: scanner.place) ?? lastColon(scanner.bytes, from: scanner.place) else {
      return nil
    }
    header.process = scanner.bytes.slice(scanner.place, colon).trimmed
    scanner.move(to: colon + 1)
    _ = scanner.take(0x20)
    header.takeOrigin(&scanner)
    return header
  }

  private static func lastColon(_ line: UnsafeRawBufferPointer, from start: Int) -> Int? {
    line.count > start && line.last == 0x3A ? line.count - 1 : nil
  }

  private static func kind(_ type: UnsafeRawBufferPointer) -> AppleRecord.Kind {
    if type.equals("Activity") { return .activity }
    if type.equals("Signpost") { return .signpost }
    if type.equals("State") { return .state }
    return type.equals("Loss") ? .loss : .log
  }

  /// `2026-09-25 18:57:04.465 E  Example App[23036:11ed2] (Library) [subsystem:category] message`.
  static func compact(_ scanner: ByteScanner, _ time: AppleTime) -> RecordHeader? {
    var (scanner, header) = (scanner, RecordHeader(.compact))
    header.time = time
    guard let type = scanner.takeWord(), type.count <= 2, scanner.takeSpaces() > 0 else { return nil }
    switch true {
    case type.equals("St"): header.kind = .state
    case type.equals("A"), type.equals("Ac"): header.kind = .activity
    case type.equals("S"), type.equals("Sp"): header.kind = .signpost
    case type.equals("L"), type.equals("Ls"): header.kind = .loss
    default:
      guard let level = AppleLevel(type) else { return nil }
      header.level = level
    }
    guard header.takeProcess(&scanner, threadIsHexadecimal: true) else { return nil }
    _ = scanner.takeSpaces()
    header.takeOrigin(&scanner)
    return header
  }

  /// `2018-10-24 17:23:33.842651+0200  localhost sudo[2002]: (Library) message`.
  static func syslog(_ scanner: ByteScanner, _ time: AppleTime) -> RecordHeader? {
    var (scanner, header) = (scanner, RecordHeader(.syslog))
    header.time = time
    guard scanner.takeWord() != nil, scanner.take(0x20), let (name, pid, end) = scanner.bytes.processName(from: scanner.place),
      scanner.bytes.hasLiteral(":", at: end)
    else { return nil }
    (header.process, header.pid) = (name, pid)
    scanner.move(to: end + 1)
    scanner.takeSpaces()
    header.takeOrigin(&scanner)
    return header
  }

  /// Takes `Process Name[pid:thread]`.
  mutating func takeProcess(_ scanner: inout ByteScanner, threadIsHexadecimal: Bool) -> Bool {
    let bytes = scanner.bytes
    var from = scanner.place
    while let bracket = bytes.first(0x5B, from: from) {
      var inside = ByteScanner(bytes)
      inside.move(to: bracket + 1)
      if let number = inside.takeInteger(), number >= 0, inside.take(0x3A) {
        let thread = threadIsHexadecimal ? inside.takeHexadecimal() : inside.takeInteger().map { UInt64(clamping: $0) }
        if let thread, inside.take(0x5D) {
          let name = bytes.slice(scanner.place, bracket).trimmed
          guard !name.isEmpty else { return false }
          (process, pid, self.thread) = (name, Int(number), thread)
          scanner.move(to: inside.place)
          return true
        }
      }
      from = bracket + 1
    }
    return false
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the name and the number of `Process Name[pid]`, and the index of the byte that follows.
  func processName(from start: Int) -> (name: UnsafeRawBufferPointer, pid: Int, end: Int)? {
    var from = start
    while let bracket = first(0x5B, from: from) {
      var inside = ByteScanner(self)
      inside.move(to: bracket + 1)
      if let number = inside.takeInteger(), number >= 0, inside.take(0x5D), bracket > start {
        return (slice(start, bracket), Int(number), inside.place)
      }
      from = bracket + 1
    }
    return nil
  }
}
