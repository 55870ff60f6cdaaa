/// The constants of segment format version 1. The DocC article "The log format" describes the layout.
enum SegmentFormat {
  /// The magic number of a segment: "XFERLOG" followed by the version as one byte, read as a little-endian word.
  static let magic: UInt64 = 0x0147_4F4C_5245_4658
  static let version: UInt16 = 1

  static let headerSize = 4096
  static let chunkSize = 32_768
  /// The number of chunks in a writer's first segment. Each following segment has twice as many, up to `maximumChunks`.
  static let firstChunks = 8
  static let maximumChunks = 2048
  /// The maximum size of an event's record in bytes, including records that span several chunks. Longer texts are
  /// truncated.
  static let maximumRecord = 1 << 20

  /// Returns the number of consecutive chunks that a large record occupies together with its chunk's two headers and end mark.
  static func span(ofLargeRecord length: Int) -> Int { (2 * ChunkHeader.size + length + 4 + chunkSize - 1) / chunkSize }

  /// The maximum decoded size of a sealed segment's block in bytes. Large enough for the chunks of the largest possible
  /// record.
  static let largestBlock = (maximumRecord / chunkSize + 2) * chunkSize

  static func fileSize(chunks: Int) -> Int { headerSize + chunks * chunkSize }
  /// Whether a writer that is killed at startup may leave a file of this size, in bytes: it reserves whole chunks before it writes.
  static func isSizeOfNewFile(_ size: Int) -> Bool {
    size <= headerSize || (size - headerSize) % chunkSize == 0 && size <= fileSize(chunks: maximumChunks)
  }
  static func chunkOffset(_ index: Int) -> Int { headerSize + index * chunkSize }
  /// Returns the offset at which the records of a chunk end. The second copy of the chunk's header follows.
  static func recordsEnd(span: Int) -> Int { span * chunkSize - ChunkHeader.size }

  /// Features that an older reader can ignore.
  struct CompatibleFlags: OptionSet {
    let rawValue: UInt32
    /// The file grows with each record, so the last chunk may be incomplete.
    static let appended = CompatibleFlags(rawValue: 1 << 0)
    /// A trailer follows the blocks; see `SealTrailer`.
    static let footer = CompatibleFlags(rawValue: 1 << 1)
    /// An index with which readers can skip blocks follows the blocks; see `SealIndex`.
    static let skipIndex = CompatibleFlags(rawValue: 1 << 2)
    /// The events were produced by a generator, not recorded from real activity.
    static let synthetic = CompatibleFlags(rawValue: 1 << 3)
    /// The segment was recovered from a damaged one.
    static let salvaged = CompatibleFlags(rawValue: 1 << 4)
    /// The segment was recovered from a file that was truncated.
    static let cut = CompatibleFlags(rawValue: 1 << 5)
    /// The blocks say how to read single columns of their records; see `BlockColumns`.
    static let columns = CompatibleFlags(rawValue: 1 << 7)
  }

  /// Features that a reader must know to read the records.
  struct IncompatibleFlags: OptionSet {
    let rawValue: UInt32
    /// The chunks are compressed.
    static let compressed = IncompatibleFlags(rawValue: 1 << 0)
    /// The plain blocks are compressed as grouped columns; see `KindGroups`.
    static let grouped = IncompatibleFlags(rawValue: 1 << 1)
    /// The log was converted from logs of other programs. The times and writers of its events are in `import` events, and the clocks
    /// of the segment are those of the conversion.
    static let converted = IncompatibleFlags(rawValue: 1 << 7)
    /// The features that this reader supports.
    static let known: IncompatibleFlags = [.compressed, .grouped, .converted]
  }

  /// The state in which a writer left its segment.
  enum State: UInt32 {
    /// The segment is being written, or its writer was killed.
    case open = 0
    /// The writer closed the log.
    case closed = 1
    /// The segment is full, and the writer continued in another one.
    case rotated = 2
  }
}

/// The 16-byte prefix of every record.
enum RecordFormat {
  /// Byte offsets within a record.
  static let commitWord = 0
  static let checksum = 4
  static let timeAndKind = 8
  static let payload = 16
  /// The offset of the length field in a record whose length is at least `largeMark` units of `alignment`. The payload of such a
  /// record begins at `largePayload`.
  static let largeLength = 16
  static let largePayload = 20

  static let alignment = 4
  /// The value of a commit word's length, in units of `alignment`, that refers to the length field at `largeLength`.
  static let largeMark: UInt32 = 0xFFFE
  /// The word that is stored in place of the next record's commit word if the lane continues in another chunk.
  static let endOfChunk: UInt32 = 0xFFFF_FFFF

  /// The lowest record kind reserved for the format itself. All event kinds are lower numbers.
  static let firstInternalKind: UInt16 = 0xFFF0
  static let threadChanged: UInt16 = 0xFFF0
  static let stringDefined: UInt16 = 0xFFF1
  static let taskDefined: UInt16 = 0xFFF2
  static let layoutDefined: UInt16 = 0xFFF3
  static let headerCopied: UInt16 = 0xFFF4
  /// The kind of a record that replaces records removed by retention and says how many there were.
  static let thinned: UInt16 = 0xFFF5
  /// The highest record kind that a writer uses for the format's own records. Only retention writes `thinned`.
  static let lastWritten: UInt16 = 0xFFF4

  /// The number of bits of a record's time. The time is in nanoseconds after the chunk's base clock, so 48 bits cover 78 hours.
  static let timeBits: UInt64 = 48
  static let timeMask: UInt64 = (1 << timeBits) - 1

  /// Returns the word that marks a record as committed. It is never 0, because a record has at least 16 bytes, and never
  /// `endOfChunk`, because the length in its low bits is at most `largeMark`.
  @inline(__always)
  static func commitWord(length: Int, sequence: UInt64) -> UInt32 {
    let units = min(UInt32(truncatingIfNeeded: length / alignment), largeMark)
    return units | UInt32(truncatingIfNeeded: sequence & 0xFFFF) << 16
  }
}
