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
  @exclusivity(unchecked) private var strings: [String?] = [nil]
  @exclusivity(unchecked) private var tasks: [TaskIdentity?] = [nil]
  @exclusivity(unchecked) private var layouts: [EventLayout?]
  @exclusivity(unchecked) private var tables: [UnsafePointer<LayoutTable>?]
  private var replaced: [EventLayout] = []

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

  // MARK: Definitions, as the reader meets them

  /// Symbols are dense from 1; what a damaged definition leaves out stays `nil`.
  package func define(string: String, as symbol: UInt32) { Self.put(string, at: symbol, in: &strings) }
  package func define(task: TaskIdentity, as symbol: UInt32) { Self.put(task, at: symbol, in: &tasks) }
  package func define(layout: EventLayout) {
    let number = Int(layout.number)
    while layouts.count <= number { layouts.append(nil) }
    // Events that were read with an earlier layout hold no reference of their own to it.
    if let earlier = layouts[number] { replaced.append(earlier) }
    layouts[number] = layout
    while tables.count <= number { tables.append(nil) }
    tables[number] = layout.table
  }

  /// A symbol far beyond the next one comes from damage that a checksum missed; it must not cost memory.
  package static let symbolLimit: UInt32 = 1 << 24

  private static func put<Value>(_ value: Value, at symbol: UInt32, in table: inout [Value?]) {
    guard symbol < symbolLimit else { return }
    while table.count <= Int(symbol) { table.append(nil) }
    table[Int(symbol)] = value
  }

  // MARK: Look-up

  package func string(_ symbol: UInt32) -> String? {
    if Int(symbol) < strings.count, let string = strings[Int(symbol)] { return string }
    refresh?()
    if Int(symbol) < strings.count, let string = strings[Int(symbol)] { return string }
    lacksDefinitions = true
    return nil
  }

  package func task(_ symbol: UInt32) -> TaskIdentity? {
    if Int(symbol) < tasks.count, let task = tasks[Int(symbol)] { return task }
    refresh?()
    if Int(symbol) < tasks.count, let task = tasks[Int(symbol)] { return task }
    lacksDefinitions = true
    return nil
  }

  /// What is defined so far: for the reading of definitions, which must not ask for itself.
  package func definedString(_ symbol: UInt32) -> String? { Int(symbol) < strings.count ? strings[Int(symbol)] : nil }
  package func definedLayout(_ number: UInt16) -> EventLayout? { Int(number) < layouts.count ? layouts[Int(number)] : nil }

  package var definedTasks: [(symbol: UInt32, identity: TaskIdentity)] {
    tasks.enumerated().compactMap { place, task in task.map { (UInt32(place), $0) } }
  }

  /// What decoding an event takes; lives as long as the source.
  @inline(__always)
  package func table(_ number: UInt16) -> UnsafePointer<LayoutTable>? {
    if Int(number) < tables.count, let table = tables[Int(number)] { return table }
    return missingTable(number)
  }

  @inline(never)
  private func missingTable(_ number: UInt16) -> UnsafePointer<LayoutTable>? {
    refresh?()
    return Int(number) < tables.count ? tables[Int(number)] : nil
  }
}
