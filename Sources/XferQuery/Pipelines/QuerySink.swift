package import XferEvents

/// The receiver of a stage's result: the next stage, or the writer of the output.
package protocol QuerySink: AnyObject {
  func take(_ event: RecordedEvent) throws
  func take(_ row: [ResultValue]) throws
  /// Called once, after the last event or row.
  func finish() throws
  /// Whether more events or rows cannot change the result.
  var isFull: Bool { get }
  /// Whether a row changes the result. The stage before need not hand over the others.
  func keeps(_ row: [ResultValue]) -> Bool
}

extension QuerySink {
  package func keeps(_ row: [ResultValue]) -> Bool { true }
}

/// A stage of a query that hands its result to the next one.
class Stage: QuerySink {
  let next: any QuerySink

  init(_ next: any QuerySink) { self.next = next }

  func take(_ event: RecordedEvent) throws {}
  func take(_ row: [ResultValue]) throws {}
  func finish() throws { try next.finish() }
  var isFull: Bool { next.isFull }
  func keeps(_ row: [ResultValue]) -> Bool { true }
}
