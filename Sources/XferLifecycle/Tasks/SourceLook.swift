package import XferEvents

/// The properties of an upload's source file at one moment.
package struct SourceLook: Sendable {
  package let fact: Fact
  package let size: Int64?
  package let modified: WallTime?
  package let content: ValueDigest?

  /// - Returns: `nil` if the event contains no properties of the file.
  package init?(_ event: EventView, _ fact: Fact) {
    (size, modified, content) = (event.sourceSize, event.sourceModified, event.content)
    self.fact = fact
    if size == nil, modified == nil, content == nil { return nil }
  }

  package enum Difference: String, Sendable {
    case content, size, modified
  }

  /// Returns the property that shows that the file was replaced or changed; `nil` if none does. Equal contents count as the
  /// same file.
  package func difference(from earlier: SourceLook) -> Difference? {
    if let content, let before = earlier.content { return content == before ? nil : .content }
    if let size, let before = earlier.size, size != before { return .size }
    if let modified, let before = earlier.modified, modified != before { return .modified }
    return nil
  }
}

/// A change of an upload's source file between two moments.
package final class SourceChange: Sendable {
  package let before: SourceLook
  package let after: SourceLook
  package let difference: SourceLook.Difference

  /// - Returns: `nil` if no property differs.
  package init?(_ before: SourceLook, _ after: SourceLook) {
    guard let difference = after.difference(from: before) else { return nil }
    (self.before, self.after, self.difference) = (before, after, difference)
  }
}

extension TaskLifecycle.Substitute {
  /// The minimum ratio of the expected bytes to the bytes of the file. Headers and a body around the file take less.
  private static let ratio: Int64 = 4
  /// The minimum number of missing bytes.
  private static let difference: Int64 = 100_000

  /// - Returns: `nil` if the event does not show that the source is a substitute.
  init?(_ event: EventView, _ fact: Fact) {
    if case .plain(let path)? = event.sourceFile, Self.isPlaceholder(path.fileName ?? "") {
      self = .placeholder(fact)
    } else if let size = event.sourceSize, let expected = event.expectedToSend, size >= 0, expected / Self.ratio >= size,
      expected.subtractingClamped(size) >= Self.difference
    {
      self = .smaller(fact, size: size, expected: expected)
    } else {
      return nil
    }
  }

  /// Whether a file name is that of a placeholder, such as `.film.mov.icloud` for `film.mov`.
  private static func isPlaceholder(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(".icloud") && name.utf8.count > ".icloud".utf8.count + 1
  }
}
