/// The groups of a fragment store, which are written one after another at the end of a document, a piece at a time.
struct FragmentGroups {
  private let store: any FragmentStore
  /// The group that is being written. -1 before the first.
  private var group = -1
  /// The number of pieces of this group that have been written.
  private var pieces = 0

  init(_ store: any FragmentStore) { self.store = store }

  var haveBegun: Bool { group >= 0 }

  /// The text between the parts of the document.
  struct Separators {
    /// Returns the text before a group with a number.
    var group: (Int) -> StaticString = { _ in "" }
    /// Returns the text before a piece with a number in its group.
    var piece: (Int) -> StaticString = { _ in "" }
    /// The text after each group.
    let end: StaticString
  }

  /// Writes the next piece, or the end of a group and the beginning of the next one.
  ///
  /// - Returns: `false` after the last group.
  mutating func writeNext(of count: Int, _ separators: Separators, into text: inout TextBuffer) throws -> Bool {
    if haveBegun {
      var piece = TextBuffer(capacity: 1 << 10)
      if try store.next(into: &piece) {
        text.append(separators.piece(pieces))
        text.append(piece.bytes)
        pieces += 1
        return true
      }
      text.append(separators.end)
    }
    group += 1
    guard group < count else { return false }
    try store.begin(group)
    pieces = 0
    text.append(separators.group(group))
    return true
  }
}
