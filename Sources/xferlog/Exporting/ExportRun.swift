import XferEvents
import XferReading
import XferReplay
import XferReport

/// One pass over a log that writes an export.
struct ExportRun {
  private let source: any EventSource
  private var filter: EventFilter
  private var tally = EventListing.Counts()

  init(_ source: any EventSource, _ filter: EventFilter) { (self.source, self.filter) = (source, filter) }

  var counts: EventListing.Counts {
    var counts = tally
    counts.undecided = filter.undecided
    return counts
  }

  /// Hands all events and gaps to a closure.
  ///
  /// - Parameter isOrdered: whether events are handed over in causal order instead of the order of the log.
  mutating func read(isOrdered: Bool, _ take: (LogMember, _ isSelected: Bool) throws -> Void) throws {
    let source = source
    var ordered: OrderedMembers? = isOrdered ? OrderedMembers { source.next() } : nil
    while let member = isOrdered ? ordered?() : source.next() {
      switch member {
      case .event(let event):
        tally.events += 1
        let isSelected = filter.admits(event)
        if isSelected { tally.matched += 1 }
        try take(member, isSelected)
      case .gap(let gap):
        tally.note(gap)
        if filter.admits(gap) { try take(member, true) }
      }
      // Flushing also checks for an interruption, but nothing is flushed while no event matches.
      if tally.events & 0xFFFF == 0 { try Interruption.check() }
    }
  }

  /// Writes a document to an output.
  mutating func write(_ document: inout any ExportDocument, isOrdered: Bool, to output: StandardOutput) throws {
    var written = document
    written.begin(in: &output.buffer)
    try read(isOrdered: isOrdered) { member, isSelected in
      switch member {
      case .event(let event): try written.append(event, isSelected: isSelected, to: &output.buffer)
      case .gap(let gap): try written.append(gap, to: &output.buffer)
      }
      try output.flushIfLarge()
    }
    let reasons = source.incompleteness.map(\.reason)
    while try written.end(incompleteBecause: reasons, in: &output.buffer) { try output.flushIfLarge() }
    document = written
  }

  /// Sends the requests of OTLP documents to a collector.
  mutating func send(_ documents: inout [(path: String, document: any ExportDocument)], to client: OTLPClient) throws {
    var senders = documents
    var text = TextBuffer(capacity: 1 << 17)
    try read(isOrdered: true) { member, isSelected in
      for place in senders.indices {
        switch member {
        case .event(let event): try senders[place].document.append(event, isSelected: isSelected, to: &text)
        case .gap(let gap): try senders[place].document.append(gap, to: &text)
        }
        try Self.flush(&text, to: senders[place].path, client)
      }
    }
    let reasons = source.incompleteness.map(\.reason)
    for place in senders.indices {
      var hasMore = true
      while hasMore {
        hasMore = try senders[place].document.end(incompleteBecause: reasons, in: &text)
        try Self.flush(&text, to: senders[place].path, client)
      }
    }
    documents = senders
  }

  /// Sends the text of a document, which writes at most one request at a time, on one line.
  private static func flush(_ text: inout TextBuffer, to path: String, _ client: OTLPClient) throws {
    if !text.isEmpty { try client.send(text.bytes, to: path) }
    text.removeAll()
  }
}
