package import XferEvents

/// What the file to send was like when somebody looked.
package struct SourceLook: Sendable {
  package let fact: Fact
  package let size: Int64?
  package let modified: WallTime?
  package let content: ValueDigest?

  /// - Returns: `nil` where the event does not say.
  package init?(_ event: EventView, _ fact: Fact) {
    (size, modified, content) = (event.sourceSize, event.sourceModified, event.content)
    self.fact = fact
    if size == nil, modified == nil, content == nil { return nil }
  }

  package enum Difference: String, Sendable {
    case content, size, modified
  }

  /// By what it is another file, or the same one with other bytes. Equal bytes are equal, whenever they were written.
  package func difference(from earlier: SourceLook) -> Difference? {
    if let content, let before = earlier.content { return content == before ? nil : .content }
    if let size, let before = earlier.size, size != before { return .size }
    if let modified, let before = earlier.modified, modified != before { return .modified }
    return nil
  }
}

/// Two looks at a file to send that do not show the same.
package final class SourceChange: Sendable {
  package let before: SourceLook
  package let after: SourceLook
  package let difference: SourceLook.Difference

  /// - Returns: `nil` where both show the same.
  package init?(_ before: SourceLook, _ after: SourceLook) {
    guard let difference = after.difference(from: before) else { return nil }
    (self.before, self.after, self.difference) = (before, after, difference)
  }
}
