/// An event as it was read from a log. It keeps the memory that contains it.
///
/// A field is decoded when it is read. Clocks, process and thread are optional because foreign logs lack some of them. An event
/// of a newer vocabulary has no `kind`, but it has a name, a level and fields.
public struct RecordedEvent {
  package typealias Clocks = EventView.Clocks

  package let view: EventView
  private let page: RecordPage

  /// Creates an event that keeps the page of a view, which still exists at this point.
  @inline(__always)
  package init(_ view: EventView) { (self.view, page) = (view, view.page) }

  /// - Parameter payload: the presence word and the fields, in memory that `page` keeps alive
  /// - Returns: `nil` if the fields do not fit the payload, which means that the record's layout is wrong although its checksum
  ///   is right.
  package init?(
    page: RecordPage, table: UnsafePointer<LayoutTable>, lane: UInt32, sequence: UInt64, thread: UInt32, clocks: Clocks,
    payload: UnsafeRawBufferPointer
  ) {
    self.init(
      page: page, origin: page.origin(lane: lane, thread: thread, clocks: clocks), table: table, position: sequence,
      payload: payload)
  }

  /// - Parameters:
  ///   - origin: an origin of the page.
  ///   - time: nanoseconds relative to the clocks of the origin.
  package init?(
    page: RecordPage, origin: UnsafePointer<EventOrigin>, table: UnsafePointer<LayoutTable>, position: UInt64, time: Int64 = 0,
    payload: UnsafeRawBufferPointer
  ) {
    guard let shape = page.source.shape(table, number: table.pointee.layout.number, of: payload),
      let view = EventView(origin, shape: shape, position: position, time: time, payload: payload)
    else { return nil }
    (self.view, self.page) = (view, page)
  }

  public var source: RecordSource { page.source }
  public var layout: EventLayout { view.layout }
  public var kind: EventKind? { view.kind }
  public var level: Level { view.level }
  /// The kernel's thread number. `nil` if unknown.
  public var thread: UInt32? { view.thread }
  /// The monotonic time, in nanoseconds, as in `Moment`. `nil` if unknown.
  public var monotonic: Int64? { view.monotonic }
  public var boottime: Int64? { view.boottime }
  public var wall: WallTime? { view.wall }
  public var moment: Moment { view.moment }
  public var reference: EventReference { view.reference }

  /// The event's kind, times and position; `nil` if this reader does not know the kind.
  public var fact: Fact? { view.fact }

  /// The present fields in the order in which people read them, including fields that this reader's vocabulary lacks.
  public var values: [(name: String, value: RecordedValue)] { view.values }

  /// Returns the value of the field with this name; `nil` if the event lacks it.
  public func value(named name: String) -> RecordedValue? { view.value(named: name) }

  package func value(at place: Int) -> RecordedValue? { view.value(at: place) }
  package var taskSymbol: UInt32? { view.taskSymbol }
  package func taskIdentity(_ field: FieldID) -> TaskIdentity? { view.taskIdentity(field) }

  /// Whether both events have the same position, times and bytes.
  package func hasSameContent(as other: RecordedEvent) -> Bool { view.hasSameContent(as: other.view) }
}
