/// A place in a file.
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  /// The line, counted from 1; 0 for a value that does not come from a file.
  package let line: Int
  /// The column, counted from 1; 0 for a value that does not come from a file.
  package let column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(file):\(line):\(column)" }
}
