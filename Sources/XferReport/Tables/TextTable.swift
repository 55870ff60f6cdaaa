/// A table in aligned columns for terminals. Control characters are escaped.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  private let header: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []
  /// The width of each column; fixed when the first rows are written.
  private var widths: [Int]?
  private static let space = "  "

  /// - Parameter columns: the titles with the alignment of their cells.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    header = columns.map { TerminalText.escaped($0.title) }
    alignments = columns.map(\.alignment)
  }

  package var isEmpty: Bool { rows.isEmpty && widths == nil }

  /// - Parameter cells: the texts, one for each column.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == header.count, "a row has a cell for each column")
    rows.append(cells.map(TerminalText.escaped))
  }

  /// Writes the rows that were appended since the last call. The titles and the rows of the first call determine the widths of
  /// the columns. A longer cell in a later row shifts the following cells of its row.
  package mutating func flush(to text: inout TextBuffer) {
    let lines = widths == nil ? [header] + rows : rows
    rows.removeAll(keepingCapacity: true)
    let widths = self.widths ?? header.indices.map { column in lines.map { TerminalText.width($0[column]) }.max() ?? 0 }
    self.widths = widths
    for line in lines { write(line, widths, to: &text) }
  }

  private func write(_ line: [String], _ widths: [Int], to text: inout TextBuffer) {
    for column in line.indices {
      if column > 0 { text.append(Self.space) }
      let padding = widths[column] - TerminalText.width(line[column])
      if alignments[column] == .right { text.append(repeating: UInt8(ascii: " "), count: padding) }
      text.append(line[column])
      // The last column needs no padding.
      if alignments[column] == .left, column + 1 < line.count { text.append(repeating: UInt8(ascii: " "), count: padding) }
    }
    text.append(UInt8(ascii: "\n"))
  }
}
