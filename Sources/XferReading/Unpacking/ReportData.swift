import CXferPlatform
import XferImport
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The data in an HTML report, or in the file beside the page of a report in several files.
struct ReportData {
  let source: Int32
  /// The text before the data.
  var mark = ReportPage.dataStart
  var budget: UnpackingBudget

  /// The maximum number of bytes before the data.
  private static let longestHead = 4 << 20

  /// Copies the data, without its base64, to a file.
  ///
  /// - Returns: why the data is incomplete; `nil` if it is complete.
  mutating func decode(to target: Int32) throws -> String? {
    guard var place = place(after: mark) else { return "it has no data" }
    var (word, digits): (UInt32, Int) = (0, 0)
    var decoded: [UInt8] = []
    while true {
      try Interruption.check()
      let piece = bytes(at: place, 1 << 16)
      if piece.isEmpty { return "its data ends too early" }
      place += piece.count
      for byte in piece {
        guard let digit = Self.digit(byte) else {
          // Two or three digits at the end stand for one or two bytes.
          if digits >= 2 { decoded.append(UInt8(truncatingIfNeeded: word >> (digits == 2 ? 4 : 10))) }
          if digits == 3 { decoded.append(UInt8(truncatingIfNeeded: word >> 2)) }
          try Self.flush(&decoded, to: target, &budget)
          return [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: "\"")].contains(byte) ? nil : "its data is damaged"
        }
        (word, digits) = (word << 6 | digit, digits + 1)
        if digits < 4 { continue }
        for shift in [16, 8, 0] as [UInt32] { decoded.append(UInt8(truncatingIfNeeded: word >> shift)) }
        (word, digits) = (0, 0)
      }
      try Self.flush(&decoded, to: target, &budget)
    }
  }

  /// Whether the data is in a file beside the page.
  var isBeside: Bool { place(after: ReportPage.dataStart) == nil && place(after: ReportPage.dataReference) != nil }

  /// Opens the file with the data beside a page.
  ///
  /// - Returns: `nil` if there is no such file.
  static func openFile(beside page: String) -> Int32? {
    let directory = page.lastIndex(of: "/").map { page[...$0] } ?? ""
    let descriptor = open(directory + ReportPage.FileName.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return descriptor }
    close(descriptor)
    return nil
  }

  /// Returns the offset of what follows a text; `nil` if the text is missing.
  private func place(after text: String) -> Int? {
    let mark = Array(text.utf8)
    var place = 0
    while place < Self.longestHead {
      let piece = bytes(at: place, 1 << 16)
      if piece.count < mark.count { return nil }
      if let found = (0...piece.count - mark.count).first(where: { piece[$0] == mark[0] && piece[$0...].starts(with: mark) }) {
        return place + found + mark.count
      }
      place += piece.count - mark.count + 1
    }
    return nil
  }

  private func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(source, buffer.baseAddress, count, off_t(offset)))
    }
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func flush(_ bytes: inout [UInt8], to target: Int32, _ budget: inout UnpackingBudget) throws {
    try bytes.withUnsafeBytes { try budget.put($0, to: target) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the events of a file of rows as lines.
  ///
  /// - Returns: why the events are incomplete; `nil` if they are complete.
  static func expand(_ rows: String, to target: Int32, _ budget: inout UnpackingBudget) throws -> String? {
    guard let lines = LineSource(path: rows) else { return "its data cannot be read" }
    var log = ReportedLog()
    var text = TextBuffer(capacity: 1 << 17)
    var isComplete = false
    while let line = lines.next() {
      if !log.append(line.bytes, to: &text) {
        isComplete = true
        break
      }
      if text.count < 1 << 16 { continue }
      try budget.put(text.bytes, to: target)
      text.removeAll()
      try Interruption.check()
    }
    try budget.put(text.bytes, to: target)
    if log.damaged > 0 { return "\(log.damaged) rows of its data are damaged" }
    return isComplete ? nil : "its data ends too early"
  }
}
