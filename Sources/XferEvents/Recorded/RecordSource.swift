/// What recorded events are read from: a segment, a foreign file or an archive in memory.
///
/// It owns the bytes that its events point into, and the symbols that they use. Reading is single-threaded; a source
/// and its events do not cross threads.
public final class RecordSource {
  /// The segment's or file's number, as references give it.
  public let number: UInt32
  /// Path or file name, for people.
  public let name: String
  public let writer: WriterContext
  /// Place among the sources of one reading, dense from 0; replay keeps tables by it.
  package let index: Int
  private let bytes: AnyObject
  /// Reads definitions that were written since; asked once for each number that is missing. What it refers to lives as
  /// long as the source, and so does every event's way to its names.
  package var refresh: (() -> Void)?

  /// Whether a definition was asked for that is not there: it was written before the record that needs it, and is lost.
  package private(set) var lacksDefinitions = false

  // A source stays on one thread, so the checks for overlapping access are off.
  @exclusivity(unchecked) private var strings = SymbolTable<String>()
  @exclusivity(unchecked) private var tasks = SymbolTable<TaskIdentity>()
  @exclusivity(unchecked) private var layouts: [EventLayout?]
  @exclusivity(unchecked) private var tables: [UnsafePointer<LayoutTable>?]
  private var replaced: [EventLayout] = []
  @exclusivity(unchecked) private var shapes = ShapeTable()

  /// - Parameters:
  ///   - bytes: whatever keeps the memory alive.
  ///   - hasKnownLayouts: whether the writer's vocabulary is this reader's; otherwise the source must define them.
  package init(
    number: UInt32, name: String, writer: WriterContext, index: Int, bytes: AnyObject, hasKnownLayouts: Bool = true
  ) {
    self.number = number
    self.name = name
    self.writer = writer
    self.index = index
    self.bytes = bytes
    layouts = hasKnownLayouts ? EventLayout.known : []
    tables = layouts.map { $0?.table }
  }

  deinit { shapes.deallocate() }

  // MARK: Definitions, as the reader meets them

  package func define(string: String, as symbol: UInt32) { strings.set(string, at: symbol) }
  package func define(task: TaskIdentity, as symbol: UInt32) { tasks.set(task, at: symbol) }
  package func define(layout: EventLayout) {
    let number = Int(layout.number)
    while layouts.count <= number { layouts.append(nil) }
    // Events that were read with an earlier layout hold no reference of their own to it.
    if let earlier = layouts[number] { replaced.append(earlier) }
    layouts[number] = layout
    while tables.count <= number { tables.append(nil) }
    tables[number] = layout.table
  }

  // MARK: Look-up

  package func string(_ symbol: UInt32) -> String? {
    if let string = strings[symbol] { return string }
    refresh?()
    if let string = strings[symbol] { return string }
    lacksDefinitions = true
    return nil
  }

  package func task(_ symbol: UInt32) -> TaskIdentity? {
    if let task = tasks[symbol] { return task }
    refresh?()
    if let task = tasks[symbol] { return task }
    lacksDefinitions = true
    return nil
  }

  /// What is defined so far: for the reading of definitions, which must not ask for itself.
  package func definedString(_ symbol: UInt32) -> String? { strings[symbol] }
  package func definedLayout(_ number: UInt16) -> EventLayout? { Int(number) < layouts.count ? layouts[Int(number)] : nil }

  package var definedTasks: [(symbol: UInt32, value: TaskIdentity)] { tasks.all }

  /// What decoding an event takes; lives as long as the source.
  @inline(__always)
  package func table(_ number: UInt16) -> UnsafePointer<LayoutTable>? {
    if Int(number) < tables.count, let table = tables[Int(number)] { return table }
    return missingTable(number)
  }

  /// Of an event's payload, which begins with the presence word; `nil` when it has not even that. Lives as long as the source.
  @inline(__always)
  package func shape(
    _ table: UnsafePointer<LayoutTable>, number: UInt16, of payload: UnsafeRawBufferPointer
  ) -> UnsafePointer<EventShape>? {
    let size = table.pointee.presenceSize
    guard let base = payload.baseAddress, payload.count >= size else { return nil }
    let presence =
      size == 4
      ? UInt64(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
      : UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
    return shapes.shape(table, number: number, presence)
  }

  @inline(never)
  private func missingTable(_ number: UInt16) -> UnsafePointer<LayoutTable>? {
    refresh?()
    return Int(number) < tables.count ? tables[Int(number)] : nil
  }
}
