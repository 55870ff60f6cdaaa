/// A sequence of recorded events with the gaps between them: a log, or a foreign file that an importer reads.
///
/// Commands read every input through this protocol. A source gives its events and gaps in the order in which they are replayed, and
/// keeps the memory of an event for as long as the event or its batch is in use. A source is used by one thread at a time.
package protocol EventSource: EventBatches {
  /// The origin of each `RecordSource` of the events and gaps, in the order of the record sources' indexes. Some sources add origins
  /// while they are read.
  var origins: [SourceOrigin] { get }

  /// The inputs, or parts of them, that could not be read at all.
  var unreadable: [UnreadablePart] { get }

  /// The reasons why the source is incomplete, other than gaps and unreadable parts, which are reported separately.
  var incompleteness: [SourceIncompleteness] { get }

  /// Returns the parts of the source that were changed after they had been written, although all checksums are right. Called once, when
  /// the source has been read to its end.
  func alterations() -> [SourceIncompleteness]

  /// Returns the original text of an event of a foreign log; `nil` for a log of this package, and if it cannot be read.
  func original(_ reference: EventReference) -> String?

  /// Reads the original texts of some events together, which may be faster than one by one.
  func prepareQuotes(of references: [EventReference])

  /// The numbers of lines and records of foreign inputs; empty for logs of this package.
  var figures: [SourceFigures] { get }

  /// Sentences for the user about inputs that are not read although they can be, such as copies of others.
  var remarks: [String] { get }

  /// The number of events that the source skipped because the caller's selection excludes them.
  var passedOver: Int { get }

  /// The parts of the source that the reader looked at, and those of them that the caller's selection excludes.
  var blocks: BlockCounts { get }

  /// Returns the next event or gap; `nil` at the end, or when a followed source has nothing new.
  func next() -> LogMember?

  /// Starts to read and arrange batches on a thread of their own.
  ///
  /// - Parameter arrange: a function that is called with each batch before the batch is handed out.
  /// - Returns: the arranged batches; `nil` when the source can only be read on the caller's thread.
  func readingAhead(_ arrange: @escaping EventBatch.Arranging) -> (any EventBatches)?
}

/// The events and gaps of a source, read in batches.
package protocol EventBatches: AnyObject {
  /// Appends the next events and gaps to a batch: at most `EventBatch.capacity` events, and nothing after a gap.
  ///
  /// - Returns: whether anything was appended.
  func fill(_ batch: inout EventBatch) -> Bool
}

/// A source whose writers may still add events.
package protocol FollowableSource: EventSource {
  /// The directories in which new files of the source may appear. They need not exist yet.
  var watchedDirectories: [String] { get }

  /// Looks for events and gaps that were added since the last look.
  func refresh()

  /// Returns what happened to the inputs since the last call. An input is followed by its name.
  func takeChanges() -> [FollowedChange]
}

/// A change of an input while it is followed.
package enum FollowedChange: Hashable, Sendable {
  case removed(String)
  /// The input was missing or unreadable before.
  case appeared(String)
  /// Another file or directory has the name of the input.
  case replaced(String)
  case inaccessible(String, reason: String)

  /// The path of the input.
  package var path: String {
    switch self {
    case .removed(let path), .appeared(let path), .replaced(let path), .inaccessible(let path, _): path
    }
  }
}

extension EventSource {
  package var unreadable: [UnreadablePart] { [] }
  package var incompleteness: [SourceIncompleteness] { [] }
  package func alterations() -> [SourceIncompleteness] { [] }
  package var figures: [SourceFigures] { [] }
  package func original(_ reference: EventReference) -> String? { nil }
  package func prepareQuotes(of references: [EventReference]) {}

  /// Returns the name of the file that a reference to a line names by its number; `nil` for a record of a log of this package.
  package func fileName(of reference: EventReference) -> String? {
    guard case .line(let number, _) = reference else { return nil }
    return origins.first { $0.number == number }?.name
  }
  package var remarks: [String] { [] }
  package var passedOver: Int { 0 }
  package var blocks: BlockCounts { BlockCounts() }

  package func fill(_ batch: inout EventBatch) -> Bool { fillOneByOne(&batch) }

  /// Appends events and gaps to a batch as `fill` does, each taken with `next`.
  package func fillOneByOne(_ batch: inout EventBatch) -> Bool {
    for count in 0..<EventBatch.capacity {
      guard let member = next() else { return count > 0 }
      batch.append(member)
      if case .gap = member { return true }
    }
    return true
  }

  package func readingAhead(_ arrange: @escaping EventBatch.Arranging) -> (any EventBatches)? { nil }
}

extension EventBatch {
  /// Changes the order of a batch's events. `more` appends further events and gaps to the batch and returns whether there were any.
  package typealias Arranging = (_ batch: inout EventBatch, _ more: (inout EventBatch) -> Bool) -> Void
}
