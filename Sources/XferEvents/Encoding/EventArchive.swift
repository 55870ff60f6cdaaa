/// Recorded events made in memory, for importers and for the examples of rules.
///
/// The events pass through the same encoder and decoder as those of a log. An event's memory is freed with the last event of its page,
/// so an archive of any number of events is small if its events are used and dropped.
///
/// One function at a time uses an archive, so the checks for overlapping access are off.
public final class EventArchive {
  private let memory: ArchiveMemory
  private let context: EncodingContext
  private let dictionary = ArchiveDictionary()
  private let makeSource: () -> RecordSource
  @exclusivity(unchecked) private var source: RecordSource
  @exclusivity(unchecked) private var page: RecordPage
  @exclusivity(unchecked) private var block: ArchiveMemory.Block
  @exclusivity(unchecked) private var sequences: [UInt32: UInt64] = [:]
  /// The origins of the last events of the page. Events of one lane and thread share an origin and differ in their time.
  @exclusivity(unchecked) private var origins: [Origin] = []
  /// The index of the origin that is replaced next.
  @exclusivity(unchecked) private var oldestOrigin = 0

  private struct Origin {
    let pointer: UnsafePointer<EventOrigin>
    let lane: UInt32
    let thread: UInt32
    let clocks: EventView.Clocks
  }

  public convenience init(
    number: UInt32 = 0, name: String, writer: WriterContext, index: Int = 0,
    policy: PrivacyPolicy = PrivacyPolicy(mode: .full, key: (0, 0))
  ) {
    self.init(number: number, name: name, writer: writer, index: index, policy: policy, memory: ArchiveMemory())
  }

  /// - Parameter memory: the memory for the events, which several archives may share.
  package init(
    number: UInt32, name: String, writer: WriterContext, index: Int,
    policy: PrivacyPolicy = PrivacyPolicy(mode: .full, key: (0, 0)), memory: ArchiveMemory
  ) {
    self.memory = memory
    makeSource = { RecordSource(number: number, name: name, writer: writer, index: index, bytes: memory) }
    source = makeSource()
    dictionary.begin(source)
    block = memory.block
    page = RecordPage(source: source, bytes: block)
    context = EncodingContext(policy: policy, dictionary: dictionary)
  }

  /// Records an event as if it came from an xferlog log.
  public func record(_ event: some TransferEvent, at moment: Moment, lane: UInt32 = 1, thread: UInt32? = nil) -> RecordedEvent {
    record(Swift.type(of: event).kind, at: moment, lane: lane, position: nextSequence(lane), thread) { event.encode(into: &$1) }
  }

  /// Records the event that an importer derived from a line of a foreign log.
  public func record(_ event: some TransferEvent, at moment: Moment, line: UInt64, thread: UInt32? = nil) -> RecordedEvent {
    record(Swift.type(of: event).kind, at: moment, lane: EventOrigin.lineMark, position: line, thread) { event.encode(into: &$1) }
  }

  /// Records the text of a line of a foreign log as a message, whose only argument is the text. It is public.
  ///
  /// The event equals one of the message's type, which would need copies of the text.
  ///
  /// - Parameters:
  ///   - kind: one of `message.debug` to `message.fault`.
  ///   - text: bytes in UTF-8.
  package func record(
    message text: UnsafeRawBufferPointer, _ kind: EventKind, subsystem: String?, category: String?, task: TaskIdentity?,
    at moment: Moment, line: UInt64, thread: UInt32?
  ) -> RecordedEvent {
    record(kind, at: moment, lane: EventOrigin.lineMark, position: line, thread) { layout, encoder in
      // Two symbols and a task precede the message.
      encoder.begin(presenceSize: layout.presenceSize, fixedSize: 12)
      for place in layout.fields.indices {
        let bit = UInt64(place)
        switch layout.fields[place].id {
        case .subsystem: if let subsystem { encoder.put(symbol: subsystem, at: bit) }
        case .category: if let category { encoder.put(symbol: category, at: bit) }
        case .task: if let task { encoder.put(task, at: bit) }
        case .eventMessage: encoder.put(message: text, .public, .eventMessage, at: bit)
        default: break
        }
      }
      encoder.finish(presenceSize: layout.presenceSize)
    }
  }

  /// Records an event whose kind and fields are known only at run time, as if it came from an xferlog log.
  package func record(_ event: ComposedEvent, at moment: Moment, lane: UInt32 = 1) -> RecordedEvent {
    record(event.kind, at: moment, lane: lane, position: nextSequence(lane), nil) { event.encode($0, into: &$1) }
  }

  /// Records a copy of an event that another source holds, as the event of a line of a foreign log.
  package func record(copyOf event: EventView, at moment: Moment, line: UInt64, thread: UInt32? = nil) -> RecordedEvent? {
    if dictionary.isFull { renew() }
    let layout = event.layout
    if source.definedLayout(layout.number) !== layout { source.define(layout: layout) }
    let (table, payload) = encode(layout.number) { event.copy(into: &$1) }
    let (origin, time) = origin(EventOrigin.lineMark, thread ?? 0, .init(moment))
    return RecordedEvent(page: page, origin: origin, table: table, position: line, time: time, payload: payload)
  }

  /// Records an event whose kind and fields are known only at run time, as the event of a line of a foreign log.
  ///
  /// - Parameter write: writes the fields. It is called again if the room was too small.
  package func record(
    _ kind: EventKind, at moment: Moment, line: UInt64, thread: UInt32? = nil, _ write: (inout FieldEncoder) -> Void
  ) -> RecordedEvent {
    record(kind, at: moment, lane: EventOrigin.lineMark, position: line, thread) { write(&$1) }
  }

  /// The installation of the writer.
  package var scope: InstallationScope { source.scope }

  private func nextSequence(_ lane: UInt32) -> UInt64 {
    defer { sequences[lane, default: 0] += 1 }
    return sequences[lane, default: 0]
  }

  private func record(
    _ kind: EventKind, at moment: Moment, lane: UInt32, position: UInt64, _ thread: UInt32?,
    _ write: (EventLayout, inout FieldEncoder) -> Void
  ) -> RecordedEvent {
    if dictionary.isFull { renew() }
    let (table, payload) = encode(kind.rawValue, write)
    let (origin, time) = origin(lane, thread ?? 0, .init(moment))
    guard
      let event = RecordedEvent(page: page, origin: origin, table: table, position: position, time: time, payload: payload)
    else { preconditionFailure("an event that was just encoded decodes") }
    return event
  }

  /// Continues with another source, so that the definitions of symbols that are no longer used can be freed. Symbols stay unique.
  private func renew() {
    source = makeSource()
    dictionary.begin(source)
    context.reset(dictionary: dictionary)
    beginPage()
  }

  private func beginPage() {
    block = memory.block
    page = RecordPage(source: source, bytes: block)
    origins.removeAll(keepingCapacity: true)
    oldestOrigin = 0
  }

  /// The number of origins that are compared with an event's. A process uses about a dozen threads at a time.
  private static let keptOrigins = 16

  /// Returns an origin of the page for an event, and the event's time relative to the clocks of that origin.
  private func origin(_ lane: UInt32, _ thread: UInt32, _ clocks: EventView.Clocks) -> (UnsafePointer<EventOrigin>, Int64) {
    for place in origins.indices where origins[place].thread == thread && origins[place].lane == lane {
      if let time = clocks.time(since: origins[place].clocks) { return (origins[place].pointer, time) }
    }
    let new = Origin(pointer: page.origin(lane: lane, thread: thread, clocks: clocks), lane: lane, thread: thread, clocks: clocks)
    if origins.count < Self.keptOrigins {
      origins.append(new)
    } else {
      origins[oldestOrigin] = new
      oldestOrigin = (oldestOrigin + 1) % Self.keptOrigins
    }
    return (new.pointer, 0)
  }

  private func encode(
    _ kind: UInt16, _ write: (EventLayout, inout FieldEncoder) -> Void
  ) -> (UnsafePointer<LayoutTable>, UnsafeRawBufferPointer) {
    guard let table = source.table(kind) else { preconditionFailure("every event has a layout") }
    var size = 512
    while true {
      let room = memory.reserve(size)
      var encoder = FieldEncoder(room: room, context: .passUnretained(context), textLimit: 1 << 20)
      write(table.pointee.layout, &encoder)
      if !encoder.overflowed {
        memory.keep(encoder.count)
        if block !== memory.block { beginPage() }
        return (table, UnsafeRawBufferPointer(rebasing: room[..<encoder.count]))
      }
      size *= 4
    }
  }

  private final class ArchiveDictionary: SymbolDictionary {
    @exclusivity(unchecked) private var source: RecordSource?
    /// The strings. Their bytes are those with which the cache of the context compares.
    @exclusivity(unchecked) private var strings: [String: (symbol: UInt32, bytes: UnsafeRawBufferPointer)] = [:]
    @exclusivity(unchecked) private var tasks: [TaskIdentity: UInt32] = [:]
    @exclusivity(unchecked) private var lastString: UInt32 = 0
    @exclusivity(unchecked) private var lastTask: UInt32 = 0

    private static let limit = 8192
    /// The maximum number of bytes of a string that the cache of the context knows. Names are short.
    private static let longestCached = 128

    deinit { removeStrings() }

    /// Whether there are so many definitions that another source should begin.
    var isFull: Bool { strings.count >= Self.limit || tasks.count >= Self.limit }

    /// Begins with another source. The cache of the context must be emptied then, because it refers to the strings of the earlier one.
    func begin(_ source: RecordSource) {
      self.source = source
      removeStrings()
      tasks.removeAll(keepingCapacity: true)
    }

    private func removeStrings() {
      for known in strings.values { known.bytes.deallocate() }
      strings.removeAll(keepingCapacity: true)
    }

    func define(string: UnsafeRawBufferPointer) -> (symbol: UInt32, stored: UnsafeRawBufferPointer)? {
      let text = String(decoding: string, as: UTF8.self)
      if let known = strings[text] { return (known.symbol, known.bytes) }
      lastString += 1
      let bytes = Self.copy(string)
      strings[text] = (lastString, bytes)
      source?.define(string: text, as: lastString)
      return (lastString, bytes)
    }

    /// Returns a copy of a string. Of a long one it is empty, so that the cache never matches it and this table answers every time.
    private static func copy(_ string: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      if string.count > longestCached { return .init(start: nil, count: 0) }
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: string.count, alignment: 1)
      copy.copyMemory(from: string)
      return .init(copy)
    }

    func define(task: TaskIdentity) -> UInt32? {
      let (symbol, isNew) = symbol(&tasks[task, default: 0])
      if isNew { source?.define(task: task, as: symbol) }
      return symbol
    }

    /// Gives a task a symbol unless it has one.
    private func symbol(_ known: inout UInt32) -> (UInt32, isNew: Bool) {
      if known > 0 { return (known, false) }
      lastTask += 1
      known = lastTask
      return (known, true)
    }
  }
}

/// Memory for the events of archives, in blocks. A block is freed with the last event in it. Importers keep the texts of events that they
/// will record in such memory, too.
package final class ArchiveMemory {
  @exclusivity(unchecked) package private(set) var block = Block(size: ArchiveMemory.blockSize)

  private static let blockSize = 1 << 16

  package final class Block {
    fileprivate let bytes: UnsafeMutableRawBufferPointer
    @exclusivity(unchecked) fileprivate var used = 0

    fileprivate init(size: Int) { bytes = .allocate(byteCount: size, alignment: 8) }

    deinit { bytes.deallocate() }
  }

  package init() {}

  /// Returns room behind the bytes that were kept. A block never moves.
  fileprivate func reserve(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if block.bytes.count - block.used < size { block = Block(size: max(size, Self.blockSize)) }
    return .init(rebasing: block.bytes[block.used...])
  }

  /// Returns a copy of some bytes, which is valid as long as the block.
  package func copy(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let room = UnsafeMutableRawBufferPointer(rebasing: reserve(bytes.count)[..<bytes.count])
    room.copyMemory(from: bytes)
    keep(bytes.count)
    return UnsafeRawBufferPointer(room)
  }

  fileprivate func keep(_ count: Int) { block.used += (count + 7) & ~7 }
}
