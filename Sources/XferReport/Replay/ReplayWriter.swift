package import XferLifecycle
package import XferReplay

/// A writer that writes tasks as they end, and the rest of a replay when the log has been read.
package struct ReplayWriter {
  package enum Form: Sendable {
    case text
    /// One JSON document.
    case document
    /// One JSON object a line.
    case lines
  }

  private let form: Form
  private var tally = TaskTally()
  private var isFirst = true

  package init(_ form: Form) { self.form = form }

  package mutating func append(_ task: TaskLifecycle, _ world: World, to text: inout TextBuffer) {
    switch form {
    case .text: tally.add(task, world)
    case .document:
      if isFirst { ReplayDocument.beginDocument(in: &text) }
      ReplayDocument.appendToDocument(task, world, isFirst: isFirst, to: &text)
    case .lines: ReplayDocument.appendLine(task, world, to: &text)
    }
    isFirst = false
  }

  /// - Parameter append: called with each piece of the output.
  package func end(
    _ document: ReplayDocument, append: (_ piece: (inout TextBuffer) -> Void) throws -> Void
  ) rethrows {
    switch form {
    case .text: try append { $0.append(document.text(tally)) }
    case .document:
      if isFirst { try append { ReplayDocument.beginDocument(in: &$0) } }
      try document.endDocument(append)
    case .lines: try document.endLines(append)
    }
  }
}
