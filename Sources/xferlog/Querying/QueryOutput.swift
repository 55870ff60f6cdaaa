import XferEvents
import XferQuery
import XferReading
import XferReport

/// The end of a query's stages: writes events or rows, or only counts them.
final class QueryOutput: QuerySink {
  private enum Writer {
    case events(any EventDocument)
    case rows(any QueryDocument)
    case nothing
  }

  private var writer: Writer
  private let output: StandardOutput
  /// Whether one event or row is enough.
  private let isQuestion: Bool
  private(set) var count = 0

  /// - Parameters:
  ///   - events: the writer of events, for a query whose result is events.
  ///   - rows: the writer of rows, for other queries. Without a writer, the output only counts, and one event or row is enough.
  init(events: (any EventDocument)?, rows: (any QueryDocument)?, _ output: StandardOutput) {
    writer = events.map(Writer.events) ?? rows.map(Writer.rows) ?? .nothing
    isQuestion = events == nil && rows == nil
    self.output = output
  }

  var isFull: Bool { isQuestion && count > 0 }

  func begin() {
    switch writer {
    case .events(var document):
      document.begin(in: &output.buffer)
      writer = .events(document)
    case .rows(var document):
      document.begin(in: &output.buffer)
      writer = .rows(document)
    case .nothing: break
    }
  }

  func take(_ event: RecordedEvent) throws {
    count += 1
    guard case .events(var document) = writer else { return }
    writer = .nothing
    document.append(event, to: &output.buffer)
    writer = .events(document)
    try output.flushIfLarge()
  }

  func take(_ row: [ResultValue]) throws {
    count += 1
    guard case .rows(var document) = writer else { return }
    writer = .nothing
    document.append(row, to: &output.buffer)
    writer = .rows(document)
    try output.flushIfLarge()
  }

  func finish() throws {
    switch writer {
    case .events(var document): document.end(in: &output.buffer)
    case .rows(var document): document.end(in: &output.buffer)
    case .nothing: break
    }
    try output.flush()
  }
}
