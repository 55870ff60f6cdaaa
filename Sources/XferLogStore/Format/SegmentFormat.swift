/// The numbers of the segment format, version 1. The DocC article "The log format" draws them.
enum SegmentFormat {
  /// "XFERLOG" and the version as a byte, read as a little-endian word.
  static let magic: UInt64 = 0x0147_4F4C_5245_4658
  static let version: UInt16 = 1

  static let headerSize = 4096
  static let chunkSize = 32_768
  /// Chunks of a writer's first segment; each next one has twice as many, up to `maximumChunks`.
  static let firstChunks = 8
  static let maximumChunks = 2048
  /// An event's record takes at most this many bytes, consecutive chunks included; longer texts are cut.
  static let maximumRecord = 1 << 20

  /// Chunks that a large record of so many bytes covers, both headers and the mark behind it included.
  static func span(ofLargeRecord length: Int) -> Int { (2 * ChunkHeader.size + length + 4 + chunkSize - 1) / chunkSize }

  /// Decoded, a block of a sealed segment takes at most this many bytes: what a large record's chunks do.
  static let largestBlock = (maximumRecord / chunkSize + 2) * chunkSize

  static func fileSize(chunks: Int) -> Int { headerSize + chunks * chunkSize }
  static func chunkOffset(_ index: Int) -> Int { headerSize + index * chunkSize }
  /// Where the records of a chunk end: behind them stands its header once more.
  static func recordsEnd(span: Int) -> Int { span * chunkSize - ChunkHeader.size }

  /// Features that an older reader may ignore.
  struct CompatibleFlags: OptionSet {
    let rawValue: UInt32
    /// The file grows with each record, so its last chunk may be short.
    static let appended = CompatibleFlags(rawValue: 1 << 0)
    /// A footer follows the chunks.
    static let footer = CompatibleFlags(rawValue: 1 << 1)
    /// A skip index follows the chunks.
    static let skipIndex = CompatibleFlags(rawValue: 1 << 2)
    /// Written by a generator to show something, not by what it describes.
    static let synthetic = CompatibleFlags(rawValue: 1 << 3)
    /// What could be had of a damaged segment.
    static let salvaged = CompatibleFlags(rawValue: 1 << 4)
    /// The segment that it was salvaged from was cut off before its end.
    static let cut = CompatibleFlags(rawValue: 1 << 5)
  }

  /// Features without which the records cannot be read.
  struct IncompatibleFlags: OptionSet {
    let rawValue: UInt32
    /// Chunks are compressed.
    static let compressed = IncompatibleFlags(rawValue: 1 << 0)
    /// What this reader understands.
    static let known: IncompatibleFlags = [.compressed]
  }

  /// How a writer left its segment.
  enum State: UInt32 {
    /// Being written, or its writer was killed.
    case open = 0
    /// Its writer closed the log.
    case closed = 1
    /// Full; its writer went on to another.
    case rotated = 2
  }
}

/// The fixed start of every record: 16 bytes.
enum RecordFormat {
  /// Offsets within a record.
  static let commitWord = 0
  static let checksum = 4
  static let timeAndKind = 8
  static let payload = 16
  /// A record of more than `largestPlain` bytes has its length here and its payload behind it.
  static let largeLength = 16
  static let largePayload = 20

  static let alignment = 4
  /// Length in `alignment` units that stands for "see `largeLength`".
  static let largeMark: UInt32 = 0xFFFE
  /// Stands where the next record would begin when the lane goes on in another chunk.
  static let endOfChunk: UInt32 = 0xFFFF_FFFF

  /// Numbers from here on are the format's own records, not events.
  static let firstInternalKind: UInt16 = 0xFFF0
  static let threadChanged: UInt16 = 0xFFF0
  static let stringDefined: UInt16 = 0xFFF1
  static let taskDefined: UInt16 = 0xFFF2
  static let layoutDefined: UInt16 = 0xFFF3
  static let headerCopied: UInt16 = 0xFFF4
  /// Stands for as many records as it says that retention took away.
  static let thinned: UInt16 = 0xFFF5
  /// The last number that a writer gives to a record of the format's own.
  static let lastWritten: UInt16 = 0xFFF4

  /// Nanoseconds since the chunk's base clock take 48 bits: 78 hours.
  static let timeBits: UInt64 = 48
  static let timeMask: UInt64 = (1 << timeBits) - 1

  /// Never 0 and never `endOfChunk`: a record is at least 16 bytes long.
  @inline(__always)
  static func commitWord(length: Int, sequence: UInt64) -> UInt32 {
    let units = min(UInt32(truncatingIfNeeded: length / alignment), largeMark)
    return units | UInt32(truncatingIfNeeded: sequence & 0xFFFF) << 16
  }
}
