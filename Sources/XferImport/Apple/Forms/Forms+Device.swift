/// The syslog of devices and old systems.
extension RecordHeader {
  private static let months: [StaticString] = [
    "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec ",
  ]

  /// `Mar 26 08:51:53 Device process(Image)[pid] <Notice>: message`. The device, the image and the level may be missing.
  static func deviceSyslog(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    var (scanner, header) = (ByteScanner(line), RecordHeader(.device))
    guard let month = months.firstIndex(where: { line.hasPrefix($0) }) else { return nil }
    scanner.move(to: 4)
    scanner.takeSpaces()
    guard let day = scanner.takeNumber(digits: 1...2), (1...31).contains(day), scanner.take(0x20), scanner.takeClock(&header.time)
    else { return nil }
    (header.time.month, header.time.day) = (month + 1, day)
    guard scanner.take(0x20) else { return nil }
    let lacksDevice = scanner.takeSpaces() > 0
    guard let (name, pid, end) = line.processName(from: scanner.place) else { return nil }
    header.pid = pid
    var process = ByteScanner(name)
    // The name of the device has no spaces.
    if !lacksDevice, name.first(0x20, from: 0) != nil { _ = process.take(until: 0x20) }
    header.takeImage(process.rest, open: 0x28)
    scanner.move(to: end)
    // launchd writes the job behind its own name.
    let start = scanner.place
    var job: UnsafeRawBufferPointer?
    if scanner.take(" (") {
      job = scanner.take(until: 0x29)
      if job == nil { scanner.move(to: start) }
    }
    guard header.takeLevel(&scanner) else { return nil }
    // The process of the job is a part of what the message says.
    if job?.last == 0x5D { header.message = line.slice(start + 1, line.count) }
    return header
  }

  /// `2023-05-01 10:00:00.123456 process{Image}[pid] <INFO>: message`, as pymobiledevice3 writes it.
  static func mobileDevice(_ scanner: ByteScanner, _ time: AppleTime) -> RecordHeader? {
    var (scanner, header) = (scanner, RecordHeader(.device))
    header.time = time
    guard let (name, pid, end) = scanner.bytes.processName(from: scanner.place), scanner.bytes.hasLiteral(" <", at: end) else {
      return nil
    }
    header.pid = pid
    header.takeImage(name, open: 0x7B)
    scanner.move(to: end)
    return header.takeLevel(&scanner) ? header : nil
  }

  /// Takes `process(Image)`.
  private mutating func takeImage(_ name: UnsafeRawBufferPointer, open: UInt8) {
    process = name
    if let bracket = name.first(open, from: 0), bracket > 0, name.last == (open == 0x28 ? 0x29 : 0x7D) {
      process = name.slice(0, bracket)
      library = name.slice(bracket + 1, name.count - 1)
    }
  }

  /// Takes ` <Level>: ` or `: `, and the message.
  private mutating func takeLevel(_ scanner: inout ByteScanner) -> Bool {
    if scanner.take(" <") {
      guard let word = scanner.take(until: 0x3E), word.count <= 12, let level = AppleLevel(word) else { return false }
      self.level = level
    }
    guard scanner.take(0x3A) else { return false }
    _ = scanner.take(0x20)
    message = scanner.rest
    return true
  }
}

/// The escapes of vis(3) in device syslogs, such as `\M-b` for a byte of 0xE2.
enum VisualEscape {
  /// Returns the bytes with their escapes replaced.
  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.withUnsafeBytes({ $0.first("\\M") ?? $0.first("\\^") }) != nil else { return bytes }
    var (decoded, place): ([UInt8], Int) = ([], 0)
    decoded.reserveCapacity(bytes.count)
    func byte(_ offset: Int) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }
    while place < bytes.count {
      guard bytes[place] == 0x5C else {
        decoded.append(bytes[place])
        place += 1
        continue
      }
      switch (byte(1), byte(2), byte(3)) {
      case (0x4D, 0x2D, let value?):
        decoded.append(value | 0x80)
        place += 4
      case (0x4D, 0x5E, let value?):
        decoded.append((value ^ 0x40) | 0x80)
        place += 4
      case (0x5E, let value?, _):
        decoded.append(value ^ 0x40)
        place += 3
      case (0x5C, _, _):
        decoded.append(0x5C)
        place += 2
      default:
        decoded.append(0x5C)
        place += 1
      }
    }
    return decoded
  }
}
