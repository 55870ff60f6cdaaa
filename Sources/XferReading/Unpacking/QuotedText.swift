import XferImport

/// A text of which somebody quoted every line in the same way when pasting it: behind `> `, as a comment, as an indented block of code or
/// as an item of a list, or between backticks.
struct QuotedText: Equatable {
  private enum Mark: CaseIterable {
    case quotation, comment, indentation, tab, dash, star, backticks

    /// Returns a line without the mark; `nil` if it has none.
    func removed(from line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer>? {
      func behind(_ prefix: StaticString, orAlone isAlone: Bool = false) -> Slice<UnsafeRawBufferPointer>? {
        prefix.withUTF8Buffer { prefix in
          if line.starts(with: prefix) { return line.dropFirst(prefix.count) }
          // An empty line may have lost the space of the mark.
          return isAlone && line.elementsEqual(prefix.dropLast()) ? line.suffix(0) : nil
        }
      }
      switch self {
      case .quotation: return behind("> ", orAlone: true)
      case .comment: return behind("// ") ?? behind("//")
      case .indentation: return behind("    ")
      case .tab: return behind("\t")
      case .dash: return behind("- ")
      case .star: return behind("* ")
      case .backticks:
        let tick = UInt8(ascii: "`")
        return line.count > 2 && line.first == tick && line.last == tick ? line.dropFirst().dropLast() : nil
      }
    }
  }

  /// The marks of a line, the first one first.
  private var marks: [Mark] = []

  private static let mostMarks = 3

  /// - Parameters:
  ///   - head: the first bytes of the text.
  ///   - importers: the importers that may read the text without the marks.
  /// - Returns: `nil` if no importer reads it, or if not all of the first lines have the same marks.
  init?(_ head: [UInt8], for importers: [any EventImporter]) {
    // The head of a file may end within a line.
    let isCut = head.count >= ImportCandidate.headSize
    while marks.count < Self.mostMarks {
      guard let mark = head.withUnsafeBytes({ commonMark(of: $0, isCut: isCut) }) else { return nil }
      marks.append(mark)
      let candidate = ImportCandidate(.file, path: "-", head: head.withUnsafeBytes(text))
      if importers.contains(where: { $0.recognises(candidate) }) { return }
    }
    return nil
  }

  /// Returns the mark behind the known ones that all lines have.
  private func commonMark(of bytes: UnsafeRawBufferPointer, isCut: Bool) -> Mark? {
    let lines = Self.lines(bytes)
    let whole = (lines.count > 1 && isCut ? lines.dropLast() : lines[...]).map(unmarked).filter { !$0.isBlank }
    return whole.isEmpty ? nil : Mark.allCases.first { mark in whole.allSatisfy { mark.removed(from: $0) != nil } }
  }

  private func unmarked(_ line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    marks.reduce(line) { line, mark in mark.removed(from: line) ?? line }
  }

  /// Returns a text without the marks. It has as many lines.
  func text(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for (place, line) in Self.lines(bytes).enumerated() {
      if place > 0 { text.append(UInt8(ascii: "\n")) }
      text += unmarked(line)
    }
    return text
  }

  private static func lines(_ bytes: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in
        let line = Slice(base: bytes, bounds: line.startIndex..<line.endIndex)
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var isBlank: Bool { allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}
