/// The lines of foreign logs that references name, for the evidence of findings.
package struct SourceLines {
  /// Returns the name of the file of a reference; `nil` for a record of a log of this package.
  package let file: (EventReference) -> String?
  /// Returns the text of the line; `nil` for a record of a log of this package, and if the line cannot be read.
  package let text: (EventReference) -> String?

  package static var none: SourceLines { SourceLines(file: { _ in nil }, text: { _ in nil }) }

  package init(file: @escaping (EventReference) -> String?, text: @escaping (EventReference) -> String?) {
    (self.file, self.text) = (file, text)
  }

  package init(_ source: any EventSource) {
    self.init(file: { source.fileName(of: $0) }, text: { source.original($0) })
  }

  /// Returns a reference for people, such as `app.log:57` or `1/2/19`. Standard input has no name, so its number stands for it.
  package func place(_ reference: EventReference) -> String {
    guard case .line(_, let line) = reference, let file = file(reference), file != "-" else { return "\(reference)" }
    return "\(file):\(line)"
  }
}
