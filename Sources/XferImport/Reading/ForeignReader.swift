package import XferEvents

/// A reader of one input of a foreign format. It reads a piece at a time, so that memory stays bounded.
package protocol ForeignReader: AnyObject {
  /// The processes that wrote the log, at least one. Known before the first piece is read.
  var writers: [WriterContext] { get }

  /// The words for the parts of the input in messages.
  var terms: SourceTerms { get }

  /// Reads the next piece, usually one record.
  ///
  /// - Returns: `false` at the end of the input.
  func read(into output: ForeignOutput) -> Bool

  /// Returns the original text at a position; `nil` if it cannot be read.
  func original(_ position: UInt64) -> String?
}

extension ForeignReader {
  package var terms: SourceTerms { .lines }
}

/// Collects the events that a reader derives from one input.
package final class ForeignOutput {
  /// The order in which events are handed out.
  package enum Order {
    /// The records are in the order in which the events happened.
    case asWritten
    /// A record describes a span of time, so that the events of several records overlap. As many events as this are held back and sorted.
    case byTime(held: Int)

    /// The order for formats whose records describe whole requests.
    package static let overlapping = Order.byTime(held: 20_000)
  }

  /// The numbers of lines and records, for the figures of the input.
  package var lines: UInt64 = 0
  package var records = 0
  package var recognised = 0
  /// The reasons why the input is not the whole story, as clauses.
  package private(set) var reasons: [String] = []

  private let input: ImportedInput
  /// The number of the input in references.
  package let number: UInt32
  private let archives: [EventArchive]
  private let terms: SourceTerms
  private let scope: InstallationScope
  private let order: Order
  private var queue: [LogMember] = []
  private var taken = 0
  private var heap = MemberHeap()
  private var last: Moment?

  init(_ input: ImportedInput, archives: [EventArchive], terms: SourceTerms, scope: InstallationScope, order: Order) {
    (self.input, self.archives, self.terms, self.scope, self.order) = (input, archives, terms, scope, order)
    number = UInt32(clamping: input.place + 1)
  }

  /// Records an event.
  ///
  /// - Parameters:
  ///   - position: the line, or the number of the record, that the event comes from.
  ///   - writer: the index of the process among the reader's writers.
  package func emit(
    _ event: some TransferEvent, at moment: Moment, position: UInt64, writer: Int = 0, thread: UInt32? = nil
  ) {
    guard archives.indices.contains(writer) else { return }
    put(.event(archives[writer].record(event, at: moment, line: position, thread: thread)), moment)
    last = moment
  }

  /// Records an event whose kind and fields are known only at run time.
  ///
  /// - Parameter write: writes the fields. It is called again if the room was too small.
  package func emit(
    _ kind: EventKind, at moment: Moment, position: UInt64, writer: Int, thread: UInt32?, _ write: (inout FieldEncoder) -> Void
  ) {
    guard archives.indices.contains(writer) else { return }
    put(.event(archives[writer].record(kind, at: moment, line: position, thread: thread, write)), moment)
    last = moment
  }

  /// Records a gap that another log had.
  package func emit(_ gap: LogGap, writer: Int) {
    var gap = gap
    gap.scope = archives.indices.contains(writer) ? archives[writer].scope : scope
    put(.gap(gap), gap.after ?? last ?? Moment())
  }

  /// Records that something is missing or unreadable.
  package func gap(_ cause: LogGap.Cause, positions: ClosedRange<UInt64>, at moment: Moment? = nil) {
    var gap = LogGap(
      cause: cause, segment: number, name: input.name, sequences: positions.lowerBound..<positions.upperBound &+ 1,
      after: last, terms: terms)
    gap.scope = scope
    put(.gap(gap), moment ?? last ?? Moment())
  }

  /// Notes why the input is not the whole story. A reason is noted once.
  package func because(_ reason: String) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  /// Notes the flaw at which the reading of a JSON document ended, if there is one.
  ///
  /// - Parameter count: the number of records that were read.
  package func noteFlaw(of json: JSONReader, after count: UInt64) {
    guard let flaw = json.flaw else { return }
    gap(flaw.cause, positions: count + 1...count + 1)
    because("\(name) was read only up to line \(flaw.line), because \(flaw.problem)")
  }

  /// Notes the number of lines of a file, and the lines that were cut.
  package func noteEnd(of source: LineSource) {
    lines = source.lineCount
    if source.cutLines > 0 { because("\(source.cutLines) lines of \(name) exceed 1 MiB and were cut") }
  }

  /// The name of the input in sentences.
  package var name: String { input.name == "-" ? "standard input" : input.name }

  private func put(_ member: LogMember, _ moment: Moment) {
    switch order {
    case .asWritten: queue.append(member)
    case .byTime: heap.add(member, moment)
    }
  }

  /// Returns the next member that no later record can precede; `nil` if the reader must read on.
  func next(isAtEnd: Bool) -> LogMember? {
    switch order {
    case .asWritten:
      if taken < queue.count {
        defer { taken += 1 }
        return queue[taken]
      }
      queue.removeAll(keepingCapacity: true)
      taken = 0
      return nil
    case .byTime(let held): return isAtEnd || heap.count > held ? heap.take() : nil
    }
  }
}

/// Members ordered by their times. Members with equal times keep their order.
struct MemberHeap {
  private struct Element {
    let member: LogMember
    let time: Int64
    let sequence: Int
    func precedes(_ other: Element) -> Bool { (time, sequence) < (other.time, other.sequence) }
  }

  private var elements: [Element] = []
  private var sequence = 0
  private var latest = Int64.min

  var count: Int { elements.count }

  mutating func add(_ member: LogMember, _ moment: Moment) {
    // A member without a time follows the one before it.
    let time = moment.wall?.nanoseconds ?? moment.monotonic ?? latest
    latest = time
    elements.append(Element(member: member, time: time, sequence: sequence))
    sequence += 1
    var place = elements.count - 1
    while place > 0, elements[place].precedes(elements[(place - 1) / 2]) {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func take() -> LogMember? {
    guard let first = elements.first else { return nil }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < elements.count && elements[child].precedes(elements[least]) {
        least = child
      }
      if least == place { return first.member }
      elements.swapAt(place, least)
      place = least
    }
  }
}
