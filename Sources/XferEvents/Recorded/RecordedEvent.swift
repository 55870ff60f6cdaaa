/// One event as it is read back. It keeps the memory that it lies in.
///
/// The fields are decoded when they are asked for. Clock, process and thread are optional because foreign logs lack
/// some; an event of a newer vocabulary has no `kind` but keeps its name, its level and its fields.
public struct RecordedEvent {
  package typealias Clocks = EventView.Clocks

  package let view: EventView
  private let page: RecordPage

  /// Takes an event into keeping whose page is there now.
  @inline(__always)
  package init(_ view: EventView) { (self.view, page) = (view, view.page) }

  /// - Parameter payload: presence word and fields, in memory that `page` keeps alive.
  /// - Returns: `nil` when the fields do not fit the payload: the record is whole by its checksum but not by its layout.
  package init?(
    page: RecordPage, table: UnsafePointer<LayoutTable>, lane: UInt32, sequence: UInt64, thread: UInt32, clocks: Clocks,
    payload: UnsafeRawBufferPointer
  ) {
    self.init(
      page: page, origin: page.origin(lane: lane, thread: thread, clocks: clocks), table: table, position: sequence,
      payload: payload)
  }

  /// The event of a line of a foreign log.
  package init?(
    page: RecordPage, table: UnsafePointer<LayoutTable>, line: UInt64, thread: UInt32, clocks: Clocks,
    payload: UnsafeRawBufferPointer
  ) {
    self.init(
      page: page, origin: page.origin(lane: EventOrigin.lineMark, thread: thread, clocks: clocks), table: table, position: line,
      payload: payload)
  }

  private init?(
    page: RecordPage, origin: UnsafePointer<EventOrigin>, table: UnsafePointer<LayoutTable>, position: UInt64,
    payload: UnsafeRawBufferPointer
  ) {
    guard let shape = page.source.shape(table, number: table.pointee.layout.number, of: payload),
      let view = EventView(origin, shape: shape, position: position, time: 0, payload: payload)
    else { return nil }
    (self.view, self.page) = (view, page)
  }

  public var source: RecordSource { page.source }
  public var layout: EventLayout { view.layout }
  public var kind: EventKind? { view.kind }
  public var level: Level { view.level }
  /// The kernel's thread number.
  public var thread: UInt32? { view.thread }
  /// Nanoseconds; see `Moment`.
  public var monotonic: Int64? { view.monotonic }
  public var boottime: Int64? { view.boottime }
  public var wall: WallTime? { view.wall }
  public var moment: Moment { view.moment }
  public var reference: EventReference { view.reference }

  /// What is kept of the event; `nil` for an event that this reader does not know.
  public var fact: Fact? { view.fact }

  /// The fields that are present, in the order in which people read them, known to this reader or not.
  public var values: [(name: String, value: RecordedValue)] { view.values }

  /// The value of a field by its name; `nil` when the event lacks it.
  public func value(named name: String) -> RecordedValue? { view.value(named: name) }

  package func value(at place: Int) -> RecordedValue? { view.value(at: place) }
  package var taskSymbol: UInt32? { view.taskSymbol }
  package func taskIdentity(_ field: FieldID) -> TaskIdentity? { view.taskIdentity(field) }

  /// Whether it is the same record, byte for byte, wherever that lies.
  package func hasSameContent(as other: RecordedEvent) -> Bool { view.hasSameContent(as: other.view) }
}
