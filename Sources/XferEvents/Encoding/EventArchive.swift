/// Recorded events made in memory, for importers and for the examples of rules.
///
/// The events pass through the same encoder and decoder as those of a log.
public final class EventArchive {
  private let context: EncodingContext
  private let source: RecordSource
  /// The memory of the events that are being recorded. An event keeps its page, so a page is freed with the last of its events.
  private var block: Block
  private var page: RecordPage
  private var sequences: [UInt32: UInt64] = [:]

  public init(
    number: UInt32 = 0, name: String, writer: WriterContext, index: Int = 0,
    policy: PrivacyPolicy = PrivacyPolicy(mode: .full, key: (0, 0))
  ) {
    block = Block(size: Self.smallestBlock)
    source = RecordSource(number: number, name: name, writer: writer, index: index, bytes: Nothing())
    page = RecordPage(source: source, bytes: block)
    context = EncodingContext(policy: policy, dictionary: ArchiveDictionary(source: source))
  }

  /// Records an event as if it came from an xferlog log.
  public func record(_ event: some TransferEvent, at moment: Moment, lane: UInt32 = 1, thread: UInt32? = nil) -> RecordedEvent {
    let sequence = sequences[lane, default: 0]
    sequences[lane] = sequence + 1
    let (table, payload) = encode(event)
    return unwrapped(
      RecordedEvent(
        page: page, table: table, lane: lane, sequence: sequence, thread: thread ?? 0, clocks: .init(moment),
        payload: payload))
  }

  /// Records the event that an importer derived from a line of a foreign log.
  public func record(_ event: some TransferEvent, at moment: Moment, line: UInt64, thread: UInt32? = nil) -> RecordedEvent {
    let (table, payload) = encode(event)
    return unwrapped(
      RecordedEvent(
        page: page, table: table, line: line, thread: thread ?? 0, clocks: .init(moment), payload: payload))
  }

  /// Records an event whose kind and fields are known only at run time, as if it came from an xferlog log.
  package func record(_ event: ComposedEvent, at moment: Moment, lane: UInt32 = 1) -> RecordedEvent {
    let sequence = sequences[lane, default: 0]
    sequences[lane] = sequence + 1
    let (table, payload) = encode(event.kind) { event.encode($0, into: &$1) }
    return unwrapped(
      RecordedEvent(
        page: page, table: table, lane: lane, sequence: sequence, thread: 0, clocks: .init(moment), payload: payload))
  }

  private func unwrapped(_ event: RecordedEvent?) -> RecordedEvent {
    guard let event else { preconditionFailure("an event that was just encoded decodes") }
    return event
  }

  private func encode<Event: TransferEvent>(_ event: Event) -> (UnsafePointer<LayoutTable>, UnsafeRawBufferPointer) {
    encode(Event.kind) { event.encode(into: &$1) }
  }

  private func encode(
    _ kind: EventKind, _ write: (EventLayout, inout FieldEncoder) -> Void
  ) -> (UnsafePointer<LayoutTable>, UnsafeRawBufferPointer) {
    guard let table = source.table(kind.rawValue) else { preconditionFailure("every event has a layout") }
    var size = 512
    while true {
      let room = reserve(size)
      var encoder = FieldEncoder(room: room, context: .passUnretained(context), textLimit: 1 << 20)
      write(table.pointee.layout, &encoder)
      if !encoder.overflowed {
        block.keep(encoder.count)
        return (table, UnsafeRawBufferPointer(rebasing: room[..<encoder.count]))
      }
      size *= 4
    }
  }

  /// Returns room for an event, in a new page if the last one is full.
  private func reserve(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if block.room.count < size {
      // An archive of few events needs little memory, because a log may have many writers.
      block = Block(size: max(size, min(block.bytes.count * 2, Self.largestBlock)))
      page = RecordPage(source: source, bytes: block)
    }
    return block.room
  }

  private static let (smallestBlock, largestBlock) = (1 << 12, 1 << 16)

  /// Memory that never moves.
  private final class Block {
    let bytes: UnsafeMutableRawBufferPointer
    private var used = 0

    init(size: Int) { bytes = .allocate(byteCount: size, alignment: 8) }

    var room: UnsafeMutableRawBufferPointer { .init(rebasing: bytes[used...]) }

    func keep(_ count: Int) { used = min(bytes.count, used + (count + 7) & ~7) }

    deinit { bytes.deallocate() }
  }

  /// The source owns no memory, because the pages do.
  private final class Nothing {}

  private final class ArchiveDictionary: SymbolDictionary {
    private let source: RecordSource
    private var strings: [String: UInt32] = [:]
    private var tasks: [TaskIdentity: UInt32] = [:]

    init(source: RecordSource) { self.source = source }

    func define(string: UnsafeRawBufferPointer) -> (symbol: UInt32, stored: UnsafeRawBufferPointer)? {
      let text = String(decoding: string, as: UTF8.self)
      // The returned bytes are empty, so the cache of the context never matches them and this table answers every time.
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      if let symbol = strings[text] { return (symbol, nothing) }
      let symbol = UInt32(strings.count + 1)
      strings[text] = symbol
      source.define(string: text, as: symbol)
      return (symbol, nothing)
    }

    func define(task: TaskIdentity) -> UInt32? {
      if let symbol = tasks[task] { return symbol }
      let symbol = UInt32(tasks.count + 1)
      tasks[task] = symbol
      source.define(task: task, as: symbol)
      return symbol
    }
  }
}
