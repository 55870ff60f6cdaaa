package import XferEvents

/// A reader of one foreign log format.
///
/// An importer turns foreign logs into the events of the vocabulary, usually with an `EventArchive`. It is registered in `Importers`.
package protocol EventImporter: Sendable {
  /// The format's word in documents, for example `har`. Lowercase letters, digits and hyphens.
  var format: String { get }

  /// Whether an input that is no log of ours is of this format.
  func recognises(_ candidate: ImportCandidate) -> Bool

  /// Opens all inputs of this format together.
  ///
  /// - Parameters:
  ///   - inputs: at least one input, in the order in which they were named.
  ///   - firstIndex: the index of the first `RecordSource` that the importer makes. Further ones are numbered consecutively.
  /// - Returns: a source that merges the inputs by the clocks that the format has. An input of several that cannot be read is one of
  ///   its unreadable parts.
  func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource
}

/// An input as an importer sees it before it is opened.
package struct ImportCandidate: Sendable {
  package enum Kind: Sendable { case file, directory }

  package let kind: Kind
  /// The path as the user named it; `-` for standard input.
  package let path: String
  /// The first bytes of a file, at most `headSize` of them. Empty for a directory.
  package let head: [UInt8]

  /// The maximum number of bytes in `head`.
  package static let headSize = 4096

  package init(_ kind: Kind, path: String, head: [UInt8]) { (self.kind, self.path, self.head) = (kind, path, head) }
}

/// An input that an importer has recognised.
package struct ImportedInput: Sendable {
  /// The place of the input among all inputs of a command, for `SourceOrigin.input`.
  package let place: Int
  /// The input's name in messages; `-` for standard input.
  package let name: String
  /// The path from which to read. Standard input has been copied to a temporary file.
  package let path: String

  package init(place: Int, name: String, path: String) { (self.place, self.name, self.path) = (place, name, path) }
}
