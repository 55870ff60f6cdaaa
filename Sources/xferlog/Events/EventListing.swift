package import XferEvents
package import XferReading
import XferReplay
import XferReport

/// Filters the events and gaps of a source and writes them in the chosen output format.
package struct EventListing {
  private var filter: EventFilter
  private var document: any EventDocument
  /// The observer that produces findings; `nil` when findings are not printed.
  private let findings: FindingObserver?
  private let output: StandardOutput
  /// Whether the events that a log writes about itself are left out, unless they are asked for by name.
  private let hidesBookkeeping: Bool
  private let stop: StopCondition
  /// The cursor, which excludes what an earlier run printed; `nil` without one.
  private let cursor: CursorKeeper?
  /// The reason for which the listing ended; `nil` while it goes on.
  package private(set) var stopReason: StopCondition.Reason?
  /// The events and gaps in causal order, which the rules need. Unused without findings: then the order is
  /// that of the log.
  private var ordered: OrderedMembers?
  private var tally = Counts()
  package var counts: Counts {
    var counts = tally
    counts.undecided = filter.undecided
    return counts
  }

  package struct Counts: Equatable, Sendable {
    package var events = 0
    package var matched = 0
    package var gaps = 0
    /// The number of records that are known to be missing in the gaps.
    package var missing = 0
    /// The number of events about which a condition could not be decided, because values are masked, truncated or lost.
    package var undecided = 0
    /// The number of matching events that were left out because they are bookkeeping.
    package var hidden = 0

    mutating func note(_ gap: LogGap) {
      gaps += 1
      if gap.cause != .torn { missing = missing.addingClamped(gap.sequences?.count ?? 0) }
    }
  }

  /// An event, a gap or a finding to write.
  private enum Entry {
    case member(LogMember)
    case inset(EventInset)
  }

  init(
    filter: EventFilter, document: any EventDocument, output: StandardOutput, findings: FindingObserver? = nil,
    hidesBookkeeping: Bool = false, stop: StopCondition = StopCondition(), cursor: CursorKeeper? = nil
  ) {
    self.filter = filter
    self.document = document
    self.output = output
    self.findings = findings
    self.hidesBookkeeping = hidesBookkeeping
    self.stop = stop
    self.cursor = cursor
  }

  // MARK: Writing

  /// Writes all matching events and gaps of the source, or the last ones up to a limit, in order or in reverse order.
  ///
  /// If there is a limit, only the last events and gaps are compared with the stop condition, and all of them are written.
  package mutating func write(_ source: any EventSource, limit: LineLimit = .all, isReversed: Bool = false) throws {
    document.begin(in: &output.buffer)
    if limit == .all, !isReversed {
      try writeNew(source)
      try flush()
    } else {
      let count = if case .last(let count) = limit { count } else { Int.max }
      try write(lastEntries(source, count), isReversed: isReversed)
    }
  }

  private typealias LastEntries = RecentEntries<LogMember, EventInset>

  private mutating func lastEntries(_ source: any EventSource, _ count: Int) throws -> LastEntries {
    var kept = LastEntries(count)
    _ = try read(source) { entry, _ in
      switch entry {
      case .member(let member): kept.append(member)
      case .inset(let inset): kept.append(inset: inset)
      }
    }
    return kept
  }

  private mutating func write(_ kept: LastEntries, isReversed: Bool) throws {
    for entry in isReversed ? kept.entries.reversed() : kept.entries {
      switch entry {
      case .member(let member): try write(.member(member))
      case .inset(let inset): try write(.inset(inset))
      }
    }
    try flush()
  }

  /// Writes the last matching events and gaps up to a number, in order or in reverse order. Only the end of the log is read if that has
  /// enough of them.
  ///
  /// - Parameters:
  ///   - open: opens the log's end, given the number of events that are wanted, or the whole log.
  /// - Returns: the source that was read.
  package mutating func writeLast(
    _ count: Int, isReversed: Bool = false, _ open: (_ events: Int?) throws -> LogInputs.End
  ) throws -> any EventSource {
    document.begin(in: &output.buffer)
    let untouched = filter
    func read(_ events: Int?) throws -> (source: any EventSource, kept: LastEntries, isEnough: Bool) {
      let end = try open(events)
      (filter, tally) = (untouched, Counts())
      let kept = try lastEntries(end.source, count)
      return (end.source, kept, kept.isFull || end.isWhole)
    }
    // With a filter, more events are read at once, because opening the log again takes time, too.
    let (few, many) = filter.isEmpty ? (count, 1 << 14) : (1 << 14, 1 << 19)
    var last = try read(max(few, count))
    if !last.isEnough { last = try read(max(many, count)) }
    if !last.isEnough { last = try read(nil) }
    try write(last.kept, isReversed: isReversed)
    return last.source
  }

  /// Writes the matching events and gaps that have been added since the last call.
  ///
  /// - Returns: whether any events or gaps were read, matching or not.
  @discardableResult
  package mutating func writeNew(_ source: any EventSource) throws -> Bool {
    try read(source, isEndless: true) { entry, listing in try listing.write(entry) }
  }

  /// Writes what the document holds back, and everything to the output.
  package mutating func flush() throws {
    document.pause(in: &output.buffer)
    try output.flush()
    try cursor?.notePrinted()
  }

  /// Ends an unfinished line of the output, because other text is about to be printed on the same terminal.
  package mutating func settle() throws {
    document.settle(in: &output.buffer)
    try output.flush()
  }

  /// Adapts the output to a new width of the terminal.
  package mutating func resize(to columns: Int) { document.resize(to: columns) }

  /// - Parameter reasons: why the source is incomplete, other than gaps.
  package mutating func end(incompleteBecause reasons: [String] = []) throws {
    document.append(incompleteness: reasons, to: &output.buffer)
    document.end(in: &output.buffer)
    try output.flush()
    try cursor?.notePrinted()
  }

  // MARK: Reading

  /// - Parameter isEndless: whether an event that meets the stop condition is taken even if the filter excludes it.
  private mutating func read(
    _ source: any EventSource, isEndless: Bool = false, _ take: (Entry, inout EventListing) throws -> Void
  ) throws -> Bool {
    var any = false
    while stopReason == nil, let member = next(source) {
      any = true
      let new = if let cursor { cursor.admit(member) } else { Optional(member) }
      if let new, admits(new) || isEndless && stops(new) { try take(.member(new), &self) }
      if let findings {
        let insets = findings.observe(member)
        // The findings that an earlier event triggered were printed after it.
        if new != nil { for inset in insets where filter.admits(inset) { try take(.inset(inset), &self) } }
      }
      // Flushing also checks for an interruption, but nothing is flushed while no event matches.
      if tally.events & 0xFFFF == 0 { try Interruption.check() }
    }
    return any
  }

  @inline(__always)
  private mutating func next(_ source: any EventSource) -> LogMember? {
    if findings == nil { return source.next() }
    if ordered == nil { ordered = OrderedMembers { source.next() } }
    return ordered!()
  }

  @inline(__always)
  private mutating func admits(_ member: LogMember) -> Bool {
    switch member {
    case .event(let event):
      tally.events += 1
      guard filter.admits(event) else { return false }
      tally.matched += 1
      guard hidesBookkeeping, Bookkeeping.contains(event), !filter.names(event) else { return true }
      tally.hidden += 1
      return false
    case .gap(let gap):
      tally.note(gap)
      return filter.admits(gap)
    }
  }

  /// Whether an event meets the stop condition.
  private func stops(_ member: LogMember) -> Bool { if case .event(let event) = member { stop.isMet(by: event) } else { false } }

  private mutating func write(_ entry: Entry) throws {
    switch entry {
    case .member(.event(let event)):
      document.append(event, to: &output.buffer)
      if stop.event != nil, stopReason == nil, stop.isMet(by: event) { stopReason = .event }
    case .member(.gap(let gap)): document.append(gap, to: &output.buffer)
    case .inset(let inset):
      document.append(inset, to: &output.buffer)
      if stopReason == nil, stop.isMet(by: inset) { stopReason = .finding(inset) }
    }
    try output.flushIfLarge()
  }
}
