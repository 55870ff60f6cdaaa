package import XferLifecycle
package import XferReplay

/// A writer that outputs each task when it ends, and the rest of the replay after the whole log was read.
package struct ReplayWriter {
  package enum Form: Sendable {
    case text
    /// One JSON document.
    case document
    /// One JSON object per line.
    case lines
  }

  private let form: Form
  private var tally = TaskTally()
  private var isFirst = true

  private let page: PageStyle

  /// - Parameter page: the page for the form `text`.
  package init(_ form: Form, page: PageStyle = PageStyle()) {
    self.form = form
    self.page = page
  }

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
    case .text: try append { $0.append(document.text(tally, page: page)) }
    case .document:
      if isFirst { try append { ReplayDocument.beginDocument(in: &$0) } }
      try document.endDocument(append)
    case .lines: try document.endLines(append)
    }
  }
}
