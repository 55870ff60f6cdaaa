/// The origin of recorded events: a segment, a foreign file or an archive in memory.
///
/// A source owns the bytes that its events point into, and the definitions of their symbols and layouts. Reading is
/// single-threaded; a source and its events must stay on one thread.
public final class RecordSource {
  /// The number of the segment or file, as event references contain it.
  public let number: UInt32
  /// The place of the log among those that are read together, as event references contain it. Set before the first event is read.
  package var log: UInt16 = 0
  /// The path or file name, for display.
  public let name: String
  public let writer: WriterContext
  /// The installation of the writer. A reader that knows other logs of the same machine may set it before it reads events.
  package var scope: InstallationScope
  /// The mark of the writer's boot; 0 if the boot is unknown.
  let boot: UInt32
  /// The number of the source among the sources of one reading, from 0 without holes. The replay uses it as an array index.
  package let index: Int
  private let bytes: AnyObject
  /// Reads definitions that were written since the last call. Called for each symbol or layout that is missing. `nil` if no more
  /// definitions are written.
  package var refresh: (() -> Void)?
  /// Reads the definitions of tasks again. Called if a task is needed after `forgetTasks`. `nil` if the definitions must be kept.
  package var redefineTasks: (() -> Void)?
  private var hasForgottenTasks = false

  /// Whether an event refers to a definition that is missing. The definition is lost, because definitions are written before the
  /// events that refer to them.
  package private(set) var lacksDefinitions = false

  // The checks for overlapping access are off because a source stays on one thread.
  @exclusivity(unchecked) private var strings = SymbolTable<String>()
  @exclusivity(unchecked) private var tasks = DefinedTasks()
  @exclusivity(unchecked) private var layouts: [EventLayout?]
  @exclusivity(unchecked) private var tables: [UnsafePointer<LayoutTable>?]
  private var replaced: [EventLayout] = []
  @exclusivity(unchecked) private var shapes = ShapeTable()

  /// - Parameters:
  ///   - bytes: an object that keeps the memory alive
  ///   - layouts: the layouts of the writer's vocabulary, by event number; empty if this reader does not know that vocabulary, so
  ///     that the source has to define its layouts
  package init(
    number: UInt32, name: String, writer: WriterContext, index: Int, bytes: AnyObject, layouts: [EventLayout?] = EventLayout.known
  ) {
    self.number = number
    self.name = name
    self.writer = writer
    scope = InstallationScope(writer)
    boot = writer.boot?.mark ?? 0
    self.index = index
    self.bytes = bytes
    self.layouts = layouts
    tables = layouts.map { $0?.table }
  }

  deinit { shapes.deallocate() }

  // MARK: Definitions, added by the reader

  package func define(string: String, as symbol: UInt32) { strings.set(string, at: symbol) }
  package func define(task: TaskIdentity, as symbol: UInt32) { tasks.set(task, at: symbol) }

  /// Notes that no more definitions follow, so that `refresh` is not needed.
  package func endDefinitions() {
    refresh = nil
    tasks.trim()
  }

  package func define(layout: EventLayout) {
    let number = Int(layout.number)
    while layouts.count <= number { layouts.append(nil) }
    // Keeps the earlier layout, because events that were read with it do not retain it.
    if let earlier = layouts[number] { replaced.append(earlier) }
    layouts[number] = layout
    while tables.count <= number { tables.append(nil) }
    tables[number] = layout.table
  }

  /// Frees the definitions of tasks. Called when the last event of the source has been used, because a large log defines millions of
  /// tasks. An event that is kept longer still finds its task: the definitions are read again.
  package func forgetTasks() {
    guard redefineTasks != nil else { return }
    tasks = DefinedTasks()
    hasForgottenTasks = true
  }

  // MARK: Lookup

  package func string(_ symbol: UInt32) -> String? {
    if let string = strings[symbol] { return string }
    refresh?()
    if let string = strings[symbol] { return string }
    lacksDefinitions = true
    return nil
  }

  package func task(_ symbol: UInt32) -> TaskIdentity? {
    if let task = tasks[symbol] { return task }
    if hasForgottenTasks {
      hasForgottenTasks = false
      redefineTasks?()
    } else {
      refresh?()
    }
    if let task = tasks[symbol] { return task }
    lacksDefinitions = true
    return nil
  }

  /// Notes that a definition refers to another one that is missing.
  package func noteMissingDefinition() { lacksDefinitions = true }

  /// Returns a string that is already defined. The code that reads definitions uses it, because it must not call `refresh`.
  package func definedString(_ symbol: UInt32) -> String? { strings[symbol] }
  package func definedLayout(_ number: UInt16) -> EventLayout? { Int(number) < layouts.count ? layouts[Int(number)] : nil }

  /// The number of entries in the table of layouts. Numbers without a layout have an entry, too.
  package var layoutCount: Int { tables.count }

  /// Returns the table of a layout that is already defined.
  package func definedTable(_ number: Int) -> UnsafePointer<LayoutTable>? {
    tables.indices.contains(number) ? tables[number] : nil
  }

  package var definedTasks: [(symbol: UInt32, value: TaskIdentity)] { tasks.all }

  /// Returns the layout's table for decoding an event. It lives as long as the source.
  @inline(__always)
  package func table(_ number: UInt16) -> UnsafePointer<LayoutTable>? {
    if Int(number) < tables.count, let table = tables[Int(number)] { return table }
    return missingTable(number)
  }

  /// Returns the shape of the event with this payload, which begins with the presence word; `nil` if the payload is shorter
  /// than that word. The shape lives as long as the source.
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
