/// The file, or the part of an input, that one `RecordSource` reads.
package struct SourceOrigin: Sendable {
  /// The index of the input among all inputs of a command.
  package let input: Int
  package let path: String
  /// The number that references and gaps give for this origin.
  package let number: UInt32
  /// The file's name without its directory.
  package let name: String
  /// The process life whose events the origin holds; `nil` when the input does not tell process lives apart.
  package let launch: LaunchID?

  package init(input: Int, path: String, number: UInt32, name: String, launch: LaunchID? = nil) {
    self.input = input
    self.path = path
    self.number = number
    self.name = name
    self.launch = launch
  }

  /// Whether a gap lies in this origin.
  package func holds(_ gap: LogGap) -> Bool {
    number == gap.segment && name == gap.name && (gap.launch == nil || gap.launch == launch)
  }
}

/// An input, or a part of one, that could not be read.
package struct UnreadablePart: Sendable {
  /// The index of the input among all inputs of a command.
  package let input: Int
  package let error: SourceError

  package init(input: Int, error: SourceError) {
    self.input = input
    self.error = error
  }
}

/// One reason why the events of an input are incomplete.
package struct SourceIncompleteness: Sendable {
  /// The index of the input among all inputs of a command.
  package let input: Int
  /// The reason, as a clause without a final full stop.
  package let reason: String

  package init(input: Int, reason: String) {
    self.input = input
    self.reason = reason
  }
}

/// The numbers of lines and records that a foreign input has.
package struct SourceFigures: Sendable {
  /// The index of the input among all inputs of a command.
  package let input: Int
  package let lines: UInt64
  /// The number of records after their lines were joined.
  package let records: Int
  /// The number of records whose meaning is known.
  package let recognised: Int

  package init(input: Int, lines: UInt64, records: Int, recognised: Int) {
    (self.input, self.lines, self.records, self.recognised) = (input, lines, records, recognised)
  }

  /// The numbers as text, such as `120 lines, 98 records, 91 recognised`.
  package static func text(lines: UInt64, records: Int, recognised: Int) -> String {
    "\(lines.counted("line")), \(records.counted("record")), \(recognised) recognised"
  }
}

/// The words that a kind of source uses for its parts in messages about gaps.
public struct SourceTerms: Hashable, Sendable {
  /// The singular and plural forms of a noun.
  public struct Noun: Hashable, Sendable {
    public let singular: String
    public let plural: String

    public init(_ singular: String, _ plural: String) { (self.singular, self.plural) = (singular, plural) }

    /// Returns the number with the noun, for example "2 lanes".
    package func counted(_ count: Int) -> String { "\(count) \(count == 1 ? singular : plural)" }
  }

  /// A file of the source.
  public let file: Noun
  /// A sequence of records with its own numbering: a lane of a segment, or a whole text file.
  public let stream: Noun
  /// The stored form of one event.
  public let record: Noun

  public init(file: Noun, stream: Noun, record: Noun) { (self.file, self.stream, self.record) = (file, stream, record) }

  /// The terms of a log that this package writes.
  public static let log = SourceTerms(
    file: Noun("segment", "segments"), stream: Noun("lane", "lanes"), record: Noun("record", "records"))

  /// The terms of a text file with one event per line.
  public static let lines = SourceTerms(
    file: Noun("file", "files"), stream: Noun("file", "files"), record: Noun("line", "lines"))
}
