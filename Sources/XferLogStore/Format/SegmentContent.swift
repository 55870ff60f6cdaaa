/// The summary of a sealed segment, as the article "The log format" calls it. A reader finds it without reading the segment's index, and
/// learns from it whether it can leave the segment out.
///
/// It is stored only if nothing is missing from the segment, because a reader that leaves the segment out cannot report what is missing.
struct SegmentContent: Equatable {
  /// The numbers of the tasks that the segment defines. It defines every task that its events name.
  var tasks: TaskNumbers
  /// The number of blocks with the records of lanes.
  var blocks: UInt32
  /// The number of lane positions that these blocks cover.
  var positions: UInt64
  /// The lanes, without rings, in the order of their numbers.
  var lanes: [Lane]

  /// The positions of a lane in the segment, which are contiguous.
  struct Lane: Equatable {
    let number: UInt32
    let first: UInt64
    /// The position after the last one.
    var next: UInt64
  }

  /// - Parameter tasks: The numbers of the tasks that the blocks define.
  /// - Returns: `nil` if a lane lacks positions, if a block may contain damage, or if there are too many lanes.
  init?(of entries: [SealIndex.Entry], tasks: TaskNumbers) {
    guard entries.allSatisfy({ $0.block.form == .columns }) else { return nil }
    let blocks = entries.map(\.block).filter { $0.chunk.kind != .dictionary }
    var lanes: [UInt32: Lane] = [:]
    for block in blocks.filter({ $0.chunk.kind == .records }).sorted(by: { $0.chunk.firstSequence < $1.chunk.firstSequence }) {
      let (number, first) = (block.chunk.lane, block.chunk.firstSequence)
      guard lanes[number]?.next ?? first == first else { return nil }
      lanes[number, default: Lane(number: number, first: first, next: first)].next = block.nextSequence
    }
    guard lanes.count <= Self.mostLanes else { return nil }
    self.tasks = tasks
    self.blocks = UInt32(clamping: blocks.count)
    positions = blocks.reduce(0) { $0 + UInt64($1.positions) }
    self.lanes = lanes.values.sorted { $0.number < $1.number }
  }

  private static let mostLanes = 4096

  // MARK: Storage

  /// The content as a skippable frame of zstd, so that it can follow a compressed index: a decompressor skips it.
  func frame() -> [UInt8] {
    var payload = ByteSink()
    payload.put(tasks.lowest)
    payload.put(tasks.highest)
    payload.put(blocks)
    payload.put(positions)
    payload.put(UInt32(lanes.count))
    for lane in lanes {
      payload.put(lane.number)
      payload.put(lane.first)
      payload.put(lane.next)
    }
    payload.put(payload.bytes.withUnsafeBytes { Checksum.crc32c($0) })
    var frame = ByteSink()
    frame.put(Self.magic)
    frame.put(UInt32(payload.bytes.count))
    return frame.bytes + payload.bytes
  }

  /// The magic number of a skippable frame.
  private static let magic: UInt32 = 0x184D_2A50

  /// Reads the content of a segment from its file.
  ///
  /// - Returns: `nil` if the file has no trailer or stores no content, or if the content is damaged.
  init?(of file: SegmentBytes) {
    guard let trailer = SealTrailer.decode(endOf: file), trailer.contentSize > 0, trailer.contentSize <= trailer.storedSize else {
      return nil
    }
    let end = file.count - SealTrailer.size
    let window = file.window(end - Int(trailer.contentSize)..<end)
    guard let content = withExtendedLifetime(window, { SegmentContent(frame: window.bytes) }) else { return nil }
    self = content
  }

  private init?(frame: UnsafeRawBufferPointer) {
    var reader = FixedReader(frame)
    guard reader.take(UInt32.self) == Self.magic, let payload = reader.take(count: Int(reader.take(UInt32.self))), reader.isAtEnd
    else { return nil }
    reader = FixedReader(payload)
    tasks = TaskNumbers(lowest: reader.take(UInt32.self), highest: reader.take(UInt32.self))
    (blocks, positions) = (reader.take(UInt32.self), reader.take(UInt64.self))
    lanes = []
    let count = reader.take(UInt32.self)
    guard count <= Self.mostLanes else { return nil }
    for _ in 0..<count {
      lanes.append(Lane(number: reader.take(UInt32.self), first: reader.take(UInt64.self), next: reader.take(UInt64.self)))
    }
    let sum = reader.take(UInt32.self)
    guard !reader.failed, reader.isAtEnd, sum == Checksum.crc32c(.init(rebasing: payload.dropLast(4))) else { return nil }
  }
}
