import XferEvents

extension SourceLines {
  /// Returns the line of a foreign log that a reference names, shortened to a readable length; `nil` if the line cannot be read.
  func quote(_ reference: EventReference) -> String? {
    text(reference).map { $0.count > 300 ? $0.prefix(300) + "…" : $0 }
  }
}
