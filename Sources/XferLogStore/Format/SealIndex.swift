import XferEvents

/// The index of a sealed segment: what each block contains, and a copy of the segment's header.
///
/// Readers find the index through the trailer and verify its checksum. They rebuild a damaged index by scanning the blocks.
struct SealIndex: Equatable {
  /// The encoded segment header without the zero bytes that follow.
  var header: [UInt8]
  /// The identifiers of the sessions that the segment's events belong to.
  var sessions: [String]
  var entries: [Entry]

  struct Entry: Equatable {
    var offset: UInt64
    var block: BlockHeader
    var content: BlockContent

    /// The block's byte range in the file. Offsets beyond `SegmentBytes.largest` are rejected when the index is decoded.
    var extent: Range<UInt64> { offset..<offset + UInt64(block.extent) }
  }

  func encoded() -> [UInt8] {
    var bytes = ByteSink()
    bytes.put(UInt32(header.count))
    bytes.bytes.append(contentsOf: header)
    bytes.put(UInt32(sessions.count))
    for session in sessions {
      bytes.put(session)
    }
    bytes.put(UInt32(entries.count))
    for entry in entries {
      bytes.put(entry.offset)
      withUnsafeTemporaryAllocation(byteCount: BlockHeader.size, alignment: 8) { room in
        entry.block.write(to: room)
        bytes.bytes.append(contentsOf: room)
      }
      entry.content.write(to: &bytes)
    }
    return bytes.bytes
  }

  /// Decodes an index.
  ///
  /// - Parameter listsTasks: Whether the contents of blocks list their tasks and sessions. A large log has hundreds of thousands of
  ///   blocks, and only a reader that skips blocks needs the lists.
  /// - Returns: `nil` if the bytes are not a valid index.
  static func decode(_ bytes: UnsafeRawBufferPointer, nonce: UInt64?, listsTasks: Bool = true) -> SealIndex? {
    var source = FixedReader(bytes)
    guard let header = source.take(count: Int(source.take(UInt32.self))) else { return nil }
    guard let nonce = nonce ?? SegmentHeader.decode(copy: .init(header))?.nonce else { return nil }
    var sessions: [String] = []
    let sessionCount = source.take(UInt32.self)
    guard sessionCount <= largestSessionCount else { return nil }
    for _ in 0..<sessionCount {
      guard let session = source.takeString() else { return nil }
      sessions.append(session)
    }
    let count = source.take(UInt32.self)
    var entries: [Entry] = []
    entries.reserveCapacity(min(Int(count), bytes.count / BlockHeader.size))
    for _ in 0..<count {
      let offset = source.take(UInt64.self)
      guard offset <= UInt64(SegmentBytes.largest), let room = source.take(count: BlockHeader.size),
        let block = BlockHeader.decode(room, nonce: nonce), let content = BlockContent(from: &source, listsTasks: listsTasks)
      else { return nil }
      entries.append(Entry(offset: offset, block: block, content: content))
    }
    return source.failed || !source.isAtEnd ? nil : SealIndex(header: Array(header), sessions: sessions, entries: entries)
  }

  /// Returns the monotonic time of the last event in some blocks, in nanoseconds.
  ///
  /// - Returns: `nil` if the blocks contain no event, or if a block has no clock.
  static func lastEvent(of entries: [Entry]) -> Int64? {
    var last: Int64?
    for entry in entries where entry.content.firstTime <= entry.content.lastTime {
      if entry.block.chunk.clocks == .unknown { return nil }
      let time = entry.block.chunk.clocks.monotonic.addingClamped(entry.content.lastTime)
      last = max(last ?? time, time)
    }
    return last
  }

  /// The maximum number of sessions that is accepted in an index. Only a damaged or forged index names more.
  private static let largestSessionCount: UInt32 = 1 << 20
}

/// A summary of one block's records that lets a reader skip the block.
struct BlockContent: Equatable {
  /// The time of the earliest event, in nanoseconds after the chunk's base clock. Greater than `lastTime` if there is no
  /// event.
  var firstTime = Int64.max
  var lastTime = Int64.min
  /// A bit mask of the levels that occur, indexed by level number. Of a block with definitions: see
  /// `init(definitions:)`.
  var levels: UInt8 = 0
  /// The symbols of the tasks that the events belong to, in ascending order. Of a block with definitions: the numbers of the tasks that
  /// it defines.
  var tasks: [UInt32] = []
  /// The sessions that the events belong to, as ascending indexes into `SealIndex.sessions`.
  var sessions: [UInt32] = []

  func write(to bytes: inout ByteSink) {
    bytes.put(UInt64(bitPattern: firstTime))
    bytes.put(UInt64(bitPattern: lastTime))
    bytes.put(levels)
    bytes.put(ascending: tasks)
    bytes.put(ascending: sessions)
  }

  init() {}

  /// Creates the content of a block with definitions.
  init(definitions: ColumnWalker) {
    var definitions = definitions
    levels = Self.listsDefinedTasks
    while case .record(let record) = definitions.next() {
      switch record.kind {
      case RecordFormat.taskDefined: if let number = TaskDefinition.number(in: record.payload) { tasks.append(number) }
      case RecordFormat.headerCopied: break
      default: levels |= Self.hasOtherDefinitions
      }
    }
    tasks = Array(Set(tasks)).sorted()
  }

  /// Returns whether a block with definitions may contain one that is needed to read the events of tasks with a number.
  func mayDefine(_ number: UInt32) -> Bool {
    levels & Self.listsDefinedTasks == 0 || levels & Self.hasOtherDefinitions != 0 || tasks.contains(number)
  }

  /// The numbers of the tasks that a block defines are listed, which older versions did not do.
  private static let listsDefinedTasks: UInt8 = 0x80
  /// The block also defines strings or layouts.
  private static let hasOtherDefinitions: UInt8 = 1

  init?(from source: inout FixedReader, listsTasks: Bool = true) {
    firstTime = Int64(bitPattern: source.take(UInt64.self))
    lastTime = Int64(bitPattern: source.take(UInt64.self))
    levels = source.take(UInt8.self)
    guard listsTasks else {
      guard source.skipAscending(), source.skipAscending() else { return nil }
      return
    }
    guard let tasks = source.takeAscending(), let sessions = source.takeAscending() else { return nil }
    self.tasks = tasks
    self.sessions = sessions
  }
}
