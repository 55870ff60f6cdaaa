/// Memory that recorded events lie in, and the source that says what they mean.
///
/// Every event keeps its page. What was decompressed for reading goes when the last of its events does; a page of a file
/// that is mapped owns nothing itself.
package final class RecordPage {
  package let source: RecordSource
  private let bytes: AnyObject?
  private var origins: [UnsafeMutablePointer<EventOrigin>] = []

  /// - Parameter bytes: whatever keeps the memory alive beyond what the source keeps.
  package init(source: RecordSource, bytes: AnyObject? = nil) {
    self.source = source
    self.bytes = bytes
  }

  /// What events of a lane have in common from here on; lives as long as the page.
  ///
  /// - Parameters:
  ///   - lane: `EventOrigin.lineMark` when positions are lines of a foreign file.
  ///   - thread: 0 when unknown.
  ///   - clocks: what an event's time is added to.
  package func origin(lane: UInt32, thread: UInt32, clocks: EventView.Clocks) -> UnsafePointer<EventOrigin> {
    if let last = origins.last, last.pointee.lane == lane, last.pointee.thread == thread, last.pointee.clocks == clocks {
      return UnsafePointer(last)
    }
    let origin = UnsafeMutablePointer<EventOrigin>.allocate(capacity: 1)
    origin.initialize(
      to: EventOrigin(
        page: self, sourceIndex: Int32(clamping: source.index), sourceNumber: source.number, lane: lane, thread: thread,
        clocks: clocks))
    origins.append(origin)
    return UnsafePointer(origin)
  }

  deinit { for origin in origins { origin.deallocate() } }
}

/// What neighbouring events of one lane have in common, in memory that they can point to.
package struct EventOrigin {
  /// Which owns this.
  unowned(unsafe) let page: RecordPage
  // The source's place and number are asked for with every event.
  let sourceIndex: Int32
  let sourceNumber: UInt32
  let lane: UInt32
  let thread: UInt32
  package let clocks: EventView.Clocks

  package static let lineMark = UInt32.max
}
