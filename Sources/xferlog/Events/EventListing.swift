import XferEvents
package import XferLogStore
import XferReplay
package import XferReport

/// Takes a log's members, keeps those that are wanted, and writes them in their form.
package struct EventListing {
  private var filter: EventFilter
  private var document: any EventDocument
  /// `nil` where findings are not wanted.
  private let findings: FindingObserver?
  private let output: StandardOutput
  /// What the rules see, and what is then shown: causes before their effects, as a replay has them.
  private var ordered: OrderedMembers?
  package private(set) var counts = Counts()

  package struct Counts: Equatable, Sendable {
    package var events = 0
    package var matched = 0
    package var gaps = 0
    /// Records that are known to be missing in the gaps.
    package var missing = 0
  }

  /// One thing to write.
  private enum Entry {
    case member(LogMember)
    case inset(EventInset)
  }

  package init(
    filter: EventFilter, document: any EventDocument, output: StandardOutput, findings: FindingObserver? = nil
  ) {
    self.filter = filter
    self.document = document
    self.output = output
    self.findings = findings
  }

  // MARK: A log as it is

  /// Writes what the reader has: all of it, or the last so many wanted members, in order or the other way round.
  package mutating func write(_ reader: LogReader, limit: LineLimit = .all, isReversed: Bool = false) throws {
    document.begin(in: &output.buffer)
    if limit == .all, !isReversed {
      try writeNew(reader)
    } else {
      let count = if case .last(let count) = limit { count } else { Int.max }
      var kept = RecentEntries<LogMember, EventInset>(count)
      _ = try read(reader) { entry, _ in
        switch entry {
        case .member(let member): kept.append(member)
        case .inset(let inset): kept.append(inset: inset)
        }
      }
      for entry in isReversed ? kept.entries.reversed() : kept.entries {
        switch entry {
        case .member(let member): try write(.member(member))
        case .inset(let inset): try write(.inset(inset))
        }
      }
    }
    try output.flush()
  }

  /// Writes what the reader has by now.
  ///
  /// - Returns: whether there was anything, wanted or not.
  @discardableResult
  package mutating func writeNew(_ reader: LogReader) throws -> Bool {
    try read(reader) { entry, listing in try listing.write(entry) }
  }

  package mutating func end() throws {
    document.end(in: &output.buffer)
    try output.flush()
  }

  // MARK: Member by member

  private mutating func read(_ reader: LogReader, _ take: (Entry, inout EventListing) throws -> Void) throws -> Bool {
    var any = false
    while let member = next(reader) {
      any = true
      if admits(member) { try take(.member(member), &self) }
      if let findings {
        for inset in findings.observe(member) where filter.admits(inset) { try take(.inset(inset), &self) }
      }
      // Flushing looks too, but where nothing is wanted nothing is flushed.
      if counts.events & 0xFFFF == 0 { try Interruption.check() }
    }
    return any
  }

  @inline(__always)
  private mutating func next(_ reader: LogReader) -> LogMember? {
    if findings == nil { return reader.next() }
    if ordered == nil { ordered = OrderedMembers { reader.next() } }
    return ordered!()
  }

  @inline(__always)
  private mutating func admits(_ member: LogMember) -> Bool {
    switch member {
    case .event(let event):
      counts.events += 1
      guard filter.admits(event) else { return false }
      counts.matched += 1
      return true
    case .gap(let gap):
      counts.gaps += 1
      if gap.cause != .torn { counts.missing = counts.missing.addingClamped(gap.sequences?.count ?? 0) }
      return filter.admits(gap)
    }
  }

  private mutating func write(_ entry: Entry) throws {
    switch entry {
    case .member(.event(let event)): document.append(event, to: &output.buffer)
    case .member(.gap(let gap)): document.append(gap, to: &output.buffer)
    case .inset(let inset): document.append(inset, to: &output.buffer)
    }
    try output.flushIfLarge()
  }
}
