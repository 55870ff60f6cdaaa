import CXferPlatform
import XferEvents

/// The header of a segment: written once and protected by a checksum.
struct SegmentHeader: Equatable {
  var compatible: SegmentFormat.CompatibleFlags = []
  var incompatible: SegmentFormat.IncompatibleFlags = []
  /// A random number that also seeds the checksum of every chunk, so that a chunk of another segment is detected.
  var nonce: UInt64
  /// The segment's number in the log.
  var number: UInt32
  /// The number of the writer's previous segment; 0 if there is none.
  var previous: UInt32
  var boot: BootID
  var launch: LaunchID
  /// The readings of the three clocks when the segment was created.
  var clocks: ClockReading
  var pid: UInt32
  /// The start time of the process as returned by `xp_process_start`. Together with the PID it identifies one process of a
  /// boot.
  var processStart: UInt64
  /// The PID namespace of the writer. Processes of another namespace cannot be looked up by PID.
  var processNamespace: UInt64
  var role: WriterRole
  var captureMode: CaptureMode
  var lowestLevel: Level
  var vocabularyVersion: UInt32
  /// The checksum of all event layouts that the writer knew. If this checksum equals the one of the reader's own layouts, the
  /// reader uses its built-in layouts.
  ///
  /// `vocabularyVersion` is not sufficient for this comparison, because two builds with the same version can know different
  /// layouts.
  var vocabularyDigest: UInt32
  var chunkCapacity: UInt32
  var executable: String
  var toolVersion: String
  /// The writer's installation; `nil` if it is unknown, as in logs of older writers.
  var installation: InstallationID? = nil

  /// The identity of the process that wrote the segment.
  var process: ProcessIdentity {
    ProcessIdentity(
      pid: Int32(bitPattern: pid), start: processStart, namespace: processNamespace, boot: boot, executable: executable)
  }

  /// Offsets of the fields that change while the segment is written. The header's checksum excludes these fields.
  static let claimedChunks = 2048
  /// The bit in the word of claimed chunks which says that no more chunks can be claimed. The count in the other bits stays
  /// valid.
  static let sealed: UInt32 = 1 << 31
  static let state = 2052
  static let usedChunks = 2056
  static let droppedEvents = 2064
  /// The offset of the field with the final size of the file, written when the writer finishes the segment. A file that is smaller than
  /// this size was truncated.
  static let finalSize = 2072
  /// The offset of the checksum of the state and the fields after it, written when the writer finishes the segment.
  static let endChecksum = 2080
  /// The offset of a word that is 1 once no thread of the writer can write to the segment any more.
  static let isReleased = 2084
  /// The offset of a bit set of the chunks whose headers have been written, one bit for each chunk slot. A claimed chunk that is empty
  /// was erased if its bit is set; otherwise its writer was killed before it wrote the header. Empty in logs of older writers.
  static let begunChunks = 2304

  /// The parts of the header page that no field uses.
  static let unused = [
    fixedSize..<claimedChunks, isReleased + 4..<begunChunks,
    begunChunks + SegmentFormat.maximumChunks / 8..<SegmentFormat.headerSize,
  ]

  private static let checksumOffset = 1020
  /// The size, in bytes, of the part of the header that is written once, including the checksum of that part.
  static let fixedSize = checksumOffset + 4
  private static let nameLimit = 255

  /// Writes the magic last with release ordering, so that a reader that sees the magic sees the whole header.
  func encode(to bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count >= SegmentFormat.headerSize)
    withUnsafeTemporaryAllocation(byteCount: Self.checksumOffset + 4, alignment: 8) { draft in
      draft.initializeMemory(as: UInt8.self, repeating: 0)
      fill(draft)
      let magicSize = MemoryLayout<UInt64>.size
      UnsafeMutableRawBufferPointer(rebasing: bytes[magicSize...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: draft[magicSize...]))
    }
    xp_store_release_64(bytes.baseAddress!, SegmentFormat.magic.littleEndian)
  }

  private func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    var writer = FixedWriter(bytes)
    writer.put(SegmentFormat.magic)
    writer.put(SegmentFormat.version)
    writer.put(UInt16(SegmentFormat.headerSize))
    writer.put(UInt32(SegmentFormat.chunkSize))
    writer.put(compatible.rawValue)
    writer.put(incompatible.rawValue)
    writer.put(nonce)
    writer.put(number)
    writer.put(previous)
    writer.put(boot.high)
    writer.put(boot.low)
    writer.put(launch.high)
    writer.put(launch.low)
    writer.put(UInt64(bitPattern: clocks.monotonic))
    writer.put(UInt64(bitPattern: clocks.boottime))
    writer.put(UInt64(bitPattern: clocks.wall))
    writer.put(processStart)
    writer.put(processNamespace)
    writer.put(pid)
    writer.put(vocabularyVersion)
    writer.put(chunkCapacity)
    writer.put(role.rawValue)
    writer.put(captureMode.rawValue)
    writer.put(lowestLevel.rawValue)
    writer.put(0 as UInt8)
    writer.put(vocabularyDigest)
    writer.put(Self.shortened(executable))
    writer.put(Self.shortened(toolVersion))
    if let installation {
      writer.put(UInt16(Self.extensionSize))
      writer.put(installation.high)
      writer.put(installation.low)
    }
    Self.renewChecksum(in: bytes)
  }

  /// Overwrites the fields of an encoded header that sealing changes: the feature flags, the lowest level and the checksum.
  func storeChanges(in bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: compatible.rawValue.littleEndian, toByteOffset: Self.compatibleOffset, as: UInt32.self)
    bytes.storeBytes(of: incompatible.rawValue.littleEndian, toByteOffset: Self.compatibleOffset + 4, as: UInt32.self)
    bytes.storeBytes(of: lowestLevel.rawValue, toByteOffset: Self.levelOffset, as: UInt8.self)
    Self.renewChecksum(in: bytes)
  }

  /// Overwrites the capture mode of an encoded header, whose checksum has to be renewed afterwards.
  func storeMode(in bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: captureMode.rawValue, toByteOffset: Self.modeOffset, as: UInt8.self)
  }

  private static let compatibleOffset = 16
  private static let modeOffset = 125
  private static let levelOffset = 126

  /// Recomputes and stores the checksum of an encoded header, one of whose fields has changed.
  static func renewChecksum(in bytes: UnsafeMutableRawBufferPointer) {
    let checksum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[..<checksumOffset]))
    bytes.storeBytes(of: checksum.littleEndian, toByteOffset: checksumOffset, as: UInt32.self)
  }

  private static func shortened(_ name: String) -> String {
    var name = name
    return name.withUTF8 { String(decoding: TextForm.cut($0, to: nameLimit), as: UTF8.self) }
  }

  /// The final values that a writer records in the header when it finishes a segment.
  struct End: Equatable {
    let state: SegmentFormat.State
    let droppedEvents: UInt64
    let finalSize: UInt64
  }

  /// Returns the recorded end of a segment.
  ///
  /// - Returns: `nil` while the segment is being written, or if its writer could not record its end.
  static func end(in header: UnsafeRawBufferPointer) -> End? {
    guard header.count >= SegmentFormat.headerSize, let base = header.baseAddress else { return nil }
    let state = UInt32(littleEndian: xp_load_acquire_32(base + Self.state))
    let stored = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: endChecksum, as: UInt32.self))
    guard let state = SegmentFormat.State(rawValue: state), state != .open, stored == endChecksum(of: base, state: state) else {
      return nil
    }
    let word = { (offset: Int) in UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    return End(state: state, droppedEvents: word(Self.droppedEvents), finalSize: word(finalSize))
  }

  /// - Parameter state: The state that is stored, or is about to be stored, in the header.
  static func endChecksum(of header: UnsafeRawPointer, state: SegmentFormat.State) -> UInt32 {
    Checksum.crc32c(.init(start: header + usedChunks, count: endChecksum - usedChunks), seed: state.rawValue)
  }

  /// The size, in bytes, of the fields after `executable` and `toolVersion`. An older reader ignores these fields, and an older
  /// writer stores zero bytes instead.
  private static let extensionSize = 16

  /// Returns the size of the encoded header without the zero bytes that follow; the dictionary stores a copy of these bytes.
  static func encodedCount(_ header: UnsafeRawBufferPointer) -> Int { encodedCount(header, limit: header.count) ?? namesOffset }

  /// Returns the size of the encoded header.
  ///
  /// - Returns: `nil` if `executable`, `toolVersion` or the fields after them extend beyond the limit.
  static func encodedCount(_ header: UnsafeRawBufferPointer, limit: Int) -> Int? {
    var end = namesOffset
    for _ in 0..<2 {
      guard end + 2 <= limit else { return nil }
      end += 2 + Int(UInt16(littleEndian: header.loadUnaligned(fromByteOffset: end, as: UInt16.self)))
    }
    if end + 2 <= limit {
      let size = Int(UInt16(littleEndian: header.loadUnaligned(fromByteOffset: end, as: UInt16.self)))
      if size > 0 { end += 2 + size }
    }
    return end <= limit ? end : nil
  }

  private static let namesOffset = 132

  /// Decodes a copy of the header. A copy ends after the last field, without the zero bytes that follow, and is protected by the
  /// checksum of the record or index that contains the copy.
  static func decode(copy: UnsafeRawBufferPointer) -> SegmentHeader? {
    // The copy lacks the zero bytes at the end of the checksummed part, so add them.
    guard copy.count >= namesOffset, copy.count <= checksumOffset else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: SegmentFormat.headerSize, alignment: 8) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      bytes.copyMemory(from: copy)
      renewChecksum(in: bytes)
      return try? decode(UnsafeRawBufferPointer(bytes)).get()
    }
  }

  /// The reason why a file does not begin with a usable segment header.
  enum Problem: Equatable {
    /// The magic is missing because the writer ended before completing the header.
    case unfinished
    /// The magic is missing, although chunks were claimed or bytes after the header are not zero.
    case lost
    /// The file has no magic and nothing after its header, and it has a size, in bytes, that no writer gives a new file.
    case erased(UInt64)
    /// The magic, which is written last, is present, but the file ends before the header does.
    case cut
    /// The header is damaged, and the file is larger than any segment, so the file is not searched for a copy of the
    /// header.
    case tooLarge(UInt64)
    case notASegment
    case checksum(stored: UInt32, computed: UInt32)
    case version(UInt16)
    case unknownFeature(UInt32)
    case unreadable

    /// Whether the header may have been valid before it was damaged.
    var isDamage: Bool {
      switch self {
      case .unfinished, .lost, .cut, .notASegment, .checksum: true
      case .version, .unknownFeature, .unreadable, .tooLarge, .erased: false
      }
    }
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) -> Result<SegmentHeader, Failure> {
    guard bytes.count >= SegmentFormat.headerSize else {
      let looksEmpty = bytes.prefix(8).allSatisfy { $0 == 0 }
      let begins = bytes.count >= 8 && bytes.loadUnaligned(as: UInt64.self).littleEndian == SegmentFormat.magic
      return .failure(.init(looksEmpty ? .unfinished : begins ? .cut : .notASegment))
    }
    let head = UnsafeRawBufferPointer(rebasing: bytes[..<SegmentFormat.headerSize])
    var reader = FixedReader(head)
    let magic = reader.take(UInt64.self)
    guard magic == SegmentFormat.magic else {
      // The magic is written last, so it is zero if the writer was killed before completing the header.
      return .failure(.init(magic == 0 ? .unfinished : .notASegment))
    }
    let stored = UInt32(littleEndian: head.loadUnaligned(fromByteOffset: checksumOffset, as: UInt32.self))
    let computed = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: head[..<checksumOffset]))
    guard stored == computed else { return .failure(.init(.checksum(stored: stored, computed: computed))) }
    let version = reader.take(UInt16.self)
    guard version == SegmentFormat.version else { return .failure(.init(.version(version))) }
    let sizes = (reader.take(UInt16.self), reader.take(UInt32.self))
    guard sizes == (UInt16(SegmentFormat.headerSize), UInt32(SegmentFormat.chunkSize)) else {
      return .failure(.init(.unreadable))
    }
    let compatible = SegmentFormat.CompatibleFlags(rawValue: reader.take(UInt32.self))
    let incompatible = SegmentFormat.IncompatibleFlags(rawValue: reader.take(UInt32.self))
    guard incompatible.isSubset(of: .known) else {
      return .failure(.init(.unknownFeature(incompatible.subtracting(.known).rawValue)))
    }
    let (nonce, number, previous) = (reader.take(UInt64.self), reader.take(UInt32.self), reader.take(UInt32.self))
    let boot = BootID(high: reader.take(UInt64.self), low: reader.take(UInt64.self))
    let launch = LaunchID(high: reader.take(UInt64.self), low: reader.take(UInt64.self))
    let clocks = ClockReading(
      monotonic: Int64(bitPattern: reader.take(UInt64.self)), boottime: Int64(bitPattern: reader.take(UInt64.self)),
      wall: Int64(bitPattern: reader.take(UInt64.self)))
    let (processStart, namespace) = (reader.take(UInt64.self), reader.take(UInt64.self))
    let (pid, vocabulary, capacity) = (reader.take(UInt32.self), reader.take(UInt32.self), reader.take(UInt32.self))
    let (role, mode, level) = (reader.take(UInt8.self), reader.take(UInt8.self), reader.take(UInt8.self))
    _ = reader.take(UInt8.self)
    let digest = reader.take(UInt32.self)
    guard let executable = reader.takeString(), let toolVersion = reader.takeString() else {
      return .failure(.init(.unreadable))
    }
    var installation: InstallationID?
    if reader.take(UInt16.self) >= extensionSize {
      installation = InstallationID(high: reader.take(UInt64.self), low: reader.take(UInt64.self))
    }
    return .success(
      SegmentHeader(
        compatible: compatible, incompatible: incompatible, nonce: nonce, number: number, previous: previous, boot: boot,
        launch: launch, clocks: clocks, pid: pid, processStart: processStart, processNamespace: namespace,
        // An unknown role or capture mode of a newer version is read as the closest known one.
        role: WriterRole(rawValue: role) ?? .app, captureMode: CaptureMode(rawValue: mode) ?? .hashed,
        lowestLevel: Level(rawValue: level) ?? .default, vocabularyVersion: vocabulary, vocabularyDigest: digest,
        chunkCapacity: capacity,
        executable: executable, toolVersion: toolVersion, installation: installation))
  }

  struct Failure: Error, Equatable {
    let problem: Problem
    init(_ problem: Problem) { self.problem = problem }
  }
}

/// Readings of the three clocks taken together, in nanoseconds.
public struct ClockReading: Equatable, Sendable {
  public var monotonic: Int64
  public var boottime: Int64
  public var wall: Int64

  public init(monotonic: Int64, boottime: Int64, wall: Int64) {
    self.monotonic = monotonic
    self.boottime = boottime
    self.wall = wall
  }
}
