/// The beginnings of messages that show that a line without a header begins a record.
enum MessageStart {
  static func isKnown(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = ByteScanner(text)
    if has(&scanner) { return true }
    // A category in brackets may precede the message.
    scanner = ByteScanner(text)
    guard scanner.take(0x5B), let word = scanner.take(until: 0x5D), word.count <= 40, scanner.take(0x20) else { return false }
    return has(&scanner)
  }

  /// Whether a text is only the name of a task, or its first part, so that the message continues on the next line.
  static func isNameAlone(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = ByteScanner(text)
    if scanner.take(0x5B), let word = scanner.take(until: 0x5D), word.count <= 40 { _ = scanner.take(0x20) }
    guard scanner.take("Task <"), scanner.takeUUID() != nil, scanner.take(">.") else { return false }
    if scanner.rest.trimmed.isEmpty { return true }
    return scanner.take("<") && scanner.takeNumber(digits: 1...10) != nil && scanner.take(">") && scanner.rest.trimmed.isEmpty
  }

  /// Whether a text ends within the beginning of a printed error, such as `Error Domain=NSURLErrorDomain Code=-1005 "The network`, so that
  /// the next line continues it. Mail programs and editors break lines there.
  static func isOpenError(_ text: UnsafeRawBufferPointer, before next: UnsafeRawBufferPointer) -> Bool {
    if next.hasPrefix("Domain=") {
      let text = text.trimmed
      return text.slice(text.count - 5, text.count).equals("Error")
    }
    guard let start = text.first("Error Domain=") else { return false }
    if next.hasPrefix("Code=") { return text.first(" Code=", from: start) == nil }
    // The description between quotation marks.
    return !text.slice(start, text.count).count { $0 == 0x22 }.isMultiple(of: 2)
  }

  private static func has(_ scanner: inout ByteScanner) -> Bool {
    let text = scanner.rest
    switch text.first {
    case UInt8(ascii: "T"):
      return text.hasPrefix("Task <") && isUUID(text, at: 6) || text.hasPrefix("TIC T")
    case UInt8(ascii: "N"): return text.hasPrefix("NDSession <") && isUUID(text, at: 11)
    case UInt8(ascii: "B"):
      return text.hasPrefix("BackgroundSession <") || text.hasPrefix("Background Task ")
        || text.hasPrefix("Background task still not ended")
    case UInt8(ascii: "P"): return text.hasPrefix("ProxySession <")
    case UInt8(ascii: "C"):
      guard text.hasPrefix("Connection ") else { return text.hasPrefix("CFNetwork Diagnostics [") }
      return text.count > 11 && text[11].isDigit
    case UInt8(ascii: "["): return text.hasPrefix("[C") && text.count > 2 && text[2].isDigit
    case UInt8(ascii: "n"): return text.hasPrefix("nw_")
    case UInt8(ascii: "t"): return text.hasPrefix("tcp_input [C") || text.hasPrefix("tcp_output [C")
    case UInt8(ascii: "b"): return text.hasPrefix("boringssl_")
    case UInt8(ascii: "q"): return text.hasPrefix("quic_")
    case UInt8(ascii: "0"): return text.hasPrefix("0x") && text.first(" ID=") != nil && text.first(" Task <") != nil
    case UInt8(ascii: "F"): return text.hasPrefix("Failed to issue sandbox extension")
    case UInt8(ascii: "E"): return text.hasPrefix("Error Domain=NSURLErrorDomain Code=")
    case UInt8(ascii: "I"): return text.hasPrefix("Invalid resume data for background download")
    case UInt8(ascii: "A"): return text.hasPrefix("A background URLSession with identifier ")
    case UInt8(ascii: "W"): return text.hasPrefix("Warning: Application delegate received call")
    default: return false
    }
  }

  private static func isUUID(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    var scanner = ByteScanner(text)
    scanner.move(to: place)
    return scanner.takeUUID() != nil
  }
}
