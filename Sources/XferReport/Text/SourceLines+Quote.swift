import XferEvents

extension SourceLines {
  /// Returns the line of a foreign log for people, shortened to a readable length. `nil` if there is no such line.
  func quote(_ reference: EventReference) -> String? {
    text(reference).map { $0.count > 300 ? $0.prefix(300) + "…" : $0 }
  }
}
