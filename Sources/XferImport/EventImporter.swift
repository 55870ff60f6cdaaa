package import XferEvents

/// A reader of one foreign log format.
///
/// An importer converts foreign logs into events of the vocabulary, usually with an `EventArchive`. Importers are registered in
/// `Importers`.
package protocol EventImporter: Sendable {
  /// The format's name in documents, for example `har`. The name consists of lowercase letters, digits and hyphens.
  var format: String { get }

  /// Whether the importer's source may add origins while it is read. At most one importer may.
  var addsOrigins: Bool { get }

  /// Whether the importer can read an input. Called only for inputs that are not xferlog logs.
  func recognises(_ candidate: ImportCandidate) -> Bool

  /// Opens all inputs of this format together.
  ///
  /// - Parameters:
  ///   - inputs: at least one input, in the order of the command line.
  ///   - firstIndex: the index of the first `RecordSource` that the importer creates. Further sources are numbered consecutively.
  /// - Returns: a source that merges the inputs by the clocks of the format. If one of several inputs cannot be read, it becomes
  ///   an unreadable part of the source.
  /// - Throws: `SourceError` if no input can be read.
  func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource
}

extension EventImporter {
  package var addsOrigins: Bool { false }
}

/// An input that has not been opened yet. Importers examine it to decide whether they can read it.
package struct ImportCandidate: Sendable {
  package enum Kind: Sendable { case file, directory }

  package let kind: Kind
  /// The path as given on the command line, or `-` for standard input.
  package let path: String
  /// The first bytes of a file, at most `headSize` of them. Empty for a directory.
  package let head: [UInt8]

  /// The maximum number of bytes in `head`.
  package static let headSize = 4096

  /// Whether the file may be longer than `head`.
  package let isHeadFull: Bool

  /// - Parameter head: a byte order mark is left out of it.
  package init(_ kind: Kind, path: String, head: [UInt8]) {
    (self.kind, self.path, isHeadFull) = (kind, path, head.count >= Self.headSize)
    self.head = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
  }
}

/// An input that an importer has recognised.
package struct ImportedInput: Sendable {
  /// The index of the input among all inputs of the command, for `SourceOrigin.input`.
  package let place: Int
  /// The input's name in messages, or `-` for standard input.
  package let name: String
  /// The path from which to read. Standard input has been copied to a temporary file.
  package let path: String
  /// What the user knows about the input.
  package let options: ImportOptions

  package init(place: Int, name: String, path: String, options: ImportOptions = ImportOptions()) {
    (self.place, self.name, self.path, self.options) = (place, name, path, options)
  }
}
