/// Cells in columns, for people: numbers to the right, everything else to the left, nothing that a terminal would act on.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  private let header: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []
  private static let space = "  "

  /// - Parameter columns: titles, and where their cells stand.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    header = columns.map { TerminalText.escaped($0.title) }
    alignments = columns.map(\.alignment)
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// - Parameter cells: one for each column.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == header.count, "a row has a cell for each column")
    rows.append(cells.map(TerminalText.escaped))
  }

  package func write(to text: inout TextBuffer) {
    let widths = header.indices.map { column in
      max(TerminalText.width(header[column]), rows.map { TerminalText.width($0[column]) }.max() ?? 0)
    }
    for row in [header] + rows {
      for column in row.indices {
        if column > 0 { text.append(Self.space) }
        let padding = widths[column] - TerminalText.width(row[column])
        if alignments[column] == .right { text.append(repeating: UInt8(ascii: " "), count: padding) }
        text.append(row[column])
        // Nothing follows the last column's cells.
        if alignments[column] == .left, column + 1 < row.count {
          text.append(repeating: UInt8(ascii: " "), count: padding)
        }
      }
      text.append(UInt8(ascii: "\n"))
    }
  }
}
