/// What a sealed segment holds where: found through the trailer, checked by its checksum, and made good by walking the
/// blocks when it is damaged. It also carries the segment's header once more.
struct SealIndex: Equatable {
  /// The segment's header as it is encoded, without the zeroes behind it.
  var header: [UInt8]
  /// Identifiers of the sessions that events of the segment belong to.
  var sessions: [String]
  var entries: [Entry]

  struct Entry: Equatable {
    var offset: UInt64
    var block: BlockHeader
    var content: BlockContent

    /// The block's bytes in the file. No entry is made with an offset beyond `SegmentBytes.largest`.
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

  /// - Returns: `nil` for bytes that no sealer made.
  static func decode(_ bytes: UnsafeRawBufferPointer, nonce: UInt64?) -> SealIndex? {
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
    var entries: [Entry] = []
    for _ in 0..<source.take(UInt32.self) {
      let offset = source.take(UInt64.self)
      guard offset <= UInt64(SegmentBytes.largest), let room = source.take(count: BlockHeader.size),
        let block = BlockHeader.decode(room, nonce: nonce), let content = BlockContent(from: &source)
      else { return nil }
      entries.append(Entry(offset: offset, block: block, content: content))
    }
    return source.failed || !source.isAtEnd ? nil : SealIndex(header: Array(header), sessions: sessions, entries: entries)
  }

  /// More sessions than a segment has room to name.
  private static let largestSessionCount: UInt32 = 1 << 20
}

/// What the records of one block are about: enough to pass it over.
struct BlockContent: Equatable {
  /// Nanoseconds after the chunk's base clock; the first is above the last when there is no event.
  var firstTime = Int64.max
  var lastTime = Int64.min
  /// A bit for each level that occurs, by its number.
  var levels: UInt8 = 0
  /// Symbols of the tasks that events are about, and places in the index's list of sessions; both rise.
  var tasks: [UInt32] = []
  var sessions: [UInt32] = []

  func write(to bytes: inout ByteSink) {
    bytes.put(UInt64(bitPattern: firstTime))
    bytes.put(UInt64(bitPattern: lastTime))
    bytes.put(levels)
    bytes.put(rising: tasks)
    bytes.put(rising: sessions)
  }

  init() {}

  init?(from source: inout FixedReader) {
    firstTime = Int64(bitPattern: source.take(UInt64.self))
    lastTime = Int64(bitPattern: source.take(UInt64.self))
    levels = source.take(UInt8.self)
    guard let tasks = source.takeRising(), let sessions = source.takeRising() else { return nil }
    self.tasks = tasks
    self.sessions = sessions
  }
}
