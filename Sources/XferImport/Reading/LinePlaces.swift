/// The lines of a text file as a reader quotes them.
package struct LinePlaces {
  private let path: String
  private var index = LineIndex()

  /// The maximum number of bytes of a line that are quoted.
  private static let quoted = 2000

  package init(path: String) { self.path = path }

  /// Notes a line. Lines must be noted in their order.
  package mutating func note(_ line: TextLine) { index.note(line) }

  /// Returns the text of a line; `nil` if it cannot be read.
  package func text(ofLine line: UInt64) -> String? {
    index.text(ofLine: line, path: path) { !$0.isEmpty }.map { String(decoding: $0.prefix(Self.quoted), as: UTF8.self) }
  }
}
