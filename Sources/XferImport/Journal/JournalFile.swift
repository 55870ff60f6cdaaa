#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The records of a journal in a file, read one after the other.
final class JournalFile {
  private enum Form { case json(JSONReader), export(JournalExport) }

  private let form: Form
  /// Mistakes since the last call of `takeFlaw`.
  private var flaw: (problem: String, line: UInt64, isCut: Bool)?

  init?(path: String) {
    guard let json = JSONReader(path: path) else { return nil }
    json.takeSeparator()
    switch json.kind {
    case .object: form = .json(json)
    case .array:
      _ = json.beginArray()
      form = .json(json)
    case .other where json.takePrefix("data:"):
      form = .json(json)
    default:
      guard let export = JournalExport(path: path) else { return nil }
      form = .export(export)
    }
  }

  var lineCount: UInt64 {
    switch form {
    case .json(let json): json.line
    case .export(let export): export.line
    }
  }

  func takeFlaw() -> (problem: String, line: UInt64, isCut: Bool)? {
    defer { flaw = nil }
    return flaw
  }

  /// Returns the next record; `nil` at the end.
  func next() -> JournalRecord? {
    switch form {
    case .json(let json):
      while true {
        json.takeSeparator()
        // With `-o json-sse`, a record has a prefix.
        if json.isFinished || json.kind != .object && !skipPrefix(json) { return nil }
        let line = json.line
        if let value = json.value() { return JournalRecord(value, line: line) }
        if let mistake = json.flaw { flaw = (mistake.problem, mistake.line, mistake.isCut) }
        json.recover()
        return JournalRecord()
      }
    case .export(let export):
      let record = export.next()
      if let problem = export.takeFlaw() { flaw = problem }
      return record
    }
  }

  /// Moves to the next object behind text that is not JSON.
  private func skipPrefix(_ json: JSONReader) -> Bool {
    while !json.isFinished {
      if json.kind == .object || json.takePrefix("data:") && json.kind == .object { return true }
      json.recover()
    }
    return false
  }
}

/// Records in the journal export format: lines of `NAME=value`, or for binary values a line `NAME`, the size as 8 bytes, and the bytes.
/// An empty line ends a record.
final class JournalExport {
  private let file: UnsafeMutablePointer<FILE>
  private(set) var line: UInt64 = 1
  private var flaw: (problem: String, line: UInt64, isCut: Bool)?
  private var text: UnsafeMutablePointer<CChar>?
  private var room = 0
  private var isLastLineCut = false

  /// The maximum size of a value that is kept.
  private static let longest = 1 << 16

  init?(path: String) {
    guard let file = fopen(path, "re") else { return nil }
    self.file = file
    var mark = [UInt8](repeating: 0, count: 3)
    if fread(&mark, 1, 3, file) < 3 || mark != [0xEF, 0xBB, 0xBF] { rewind(file) }
  }

  deinit {
    fclose(file)
    free(text)
  }

  func takeFlaw() -> (problem: String, line: UInt64, isCut: Bool)? {
    defer { flaw = nil }
    return flaw
  }

  func next() -> JournalRecord? {
    var record = JournalRecord()
    while true {
      let start = line
      guard let bytes = readLine() else { return record.isEmpty ? nil : record }
      if bytes.isEmpty {
        if record.isEmpty { continue }
        return record
      }
      if record.isEmpty { record.line = start }
      if isLastLineCut {
        flaw = ("the file ends within a field", start, true)
        // A message says something without its end, but a number does not.
        guard bytes.starts(with: Array("MESSAGE=".utf8)) else { continue }
      }
      if let mark = bytes.firstIndex(of: 0x3D) {
        record.set(
          String(decoding: bytes[..<mark], as: UTF8.self),
          String(decoding: bytes[(mark + 1)...].prefix(Self.longest), as: UTF8.self))
      } else if bytes.allSatisfy({ $0 == 0x5F || $0.isDigit || (0x41...0x5A).contains($0) }), let value = readValue() {
        record.set(String(decoding: bytes, as: UTF8.self), value)
      } else {
        flaw = ("the line is neither a field nor empty", start, feof(file) != 0)
      }
    }
  }

  private func readLine() -> [UInt8]? {
    let count = getline(&text, &room, file)
    guard count > 0, let text else { return nil }
    line += 1
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    isLastLineCut = bytes.last != 0x0A
    return Array(bytes.last == 0x0A ? bytes.slice(0, count - 1) : bytes)
  }

  private func readValue() -> String? {
    var size: UInt64 = 0
    guard withUnsafeMutableBytes(of: &size, { fread($0.baseAddress, 1, 8, file) }) == 8 else { return nil }
    size = UInt64(littleEndian: size)
    guard size < 1 << 32 else { return nil }
    var (kept, rest): ([UInt8], Int) = ([], Int(size))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while rest > 0 {
      let got = buffer.withUnsafeMutableBytes { fread($0.baseAddress, 1, min(rest, $0.count), file) }
      if got == 0 { return nil }
      line += UInt64(buffer[..<got].lazy.filter { $0 == 0x0A }.count)
      kept += buffer[..<min(got, Self.longest - kept.count)]
      rest -= got
    }
    if getc(file) == 0x0A { line += 1 }
    return String(decoding: kept, as: UTF8.self)
  }
}
