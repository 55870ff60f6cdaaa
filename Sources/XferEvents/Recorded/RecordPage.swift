/// A piece of memory that contains recorded events, with the source that defines their symbols and layouts.
///
/// Every event keeps its page. Memory that was decompressed for reading is freed with the last of its events; a page of a
/// mapped file owns no memory.
package final class RecordPage {
  package let source: RecordSource
  private let bytes: AnyObject?
  @exclusivity(unchecked) private var origins: [UnsafeMutablePointer<EventOrigin>] = []

  /// - Parameter bytes: an object that keeps the memory alive; `nil` if the source does.
  package init(source: RecordSource, bytes: AnyObject? = nil) {
    self.source = source
    self.bytes = bytes
  }

  /// Creates the properties that the following events of a lane share. They live as long as the page.
  ///
  /// - Parameters:
  ///   - lane: the lane, or `EventOrigin.lineMark` if positions are lines of a foreign file
  ///   - thread: the kernel's thread number, or 0 if unknown
  ///   - clocks: the base to which an event's time is added
  package func origin(lane: UInt32, thread: UInt32, clocks: EventView.Clocks) -> UnsafePointer<EventOrigin> {
    if let last = origins.last, last.pointee.lane == lane, last.pointee.thread == thread, last.pointee.clocks == clocks {
      return UnsafePointer(last)
    }
    let origin = UnsafeMutablePointer<EventOrigin>.allocate(capacity: 1)
    origin.initialize(
      to: EventOrigin(
        page: self, sourceIndex: Int32(clamping: source.index), sourceNumber: source.number, lane: lane, boot: source.boot,
        thread: thread, log: source.log, clocks: clocks))
    origins.append(origin)
    return UnsafePointer(origin)
  }

  deinit { for origin in origins { origin.deallocate() } }
}

/// The properties that neighbouring events of one lane share, in memory that the events can point to.
@usableFromInline package struct EventOrigin {
  /// The page that owns this memory.
  unowned(unsafe) let page: RecordPage
  // Copies of the source's index and number, which every event reads.
  @usableFromInline let sourceIndex: Int32
  @usableFromInline let sourceNumber: UInt32
  @usableFromInline let lane: UInt32
  @usableFromInline let boot: UInt32
  let thread: UInt32
  @usableFromInline let log: UInt16
  @usableFromInline package let clocks: EventView.Clocks

  package static let lineMark = UInt32.max
}
