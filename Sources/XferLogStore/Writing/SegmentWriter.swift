import CXferPlatform
import Synchronization
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A segment file that the threads of one process write.
///
/// Disk space is reserved before the file is mapped, so a store cannot hit a full disk. Where space cannot be reserved, or
/// the file system copies on write, chunks are kept in memory and each record is appended with `pwrite`.
///
/// `@unchecked Sendable`: after `init`, only the mapped header and chunk memory change. The header is accessed atomically,
/// and an atomic claim gives each chunk to exactly one lane.
final class SegmentWriter: @unchecked Sendable {
  let header: SegmentHeader
  let path: String
  private let descriptor: Int32
  /// The mapping; `nil` if records are appended with `pwrite`.
  private let mapping: UnsafeMutableRawPointer?
  private let mappedSize: Int
  /// The memory of the header: the start of the mapping, or a copy whose changes are written to the file.
  private let head: UnsafeMutableRawPointer
  private let abandoned = Atomic(false)

  var appends: Bool { mapping == nil }
  var capacity: Int { Int(header.chunkCapacity) }

  /// Creates the file.
  ///
  /// - Throws: `SystemError`, whose number is `EEXIST` if the file already exists.
  init(path: String, header proposed: SegmentHeader, forcesAppending: Bool) throws(SystemError) {
    let size = SegmentFormat.fileSize(chunks: Int(proposed.chunkCapacity))
    // Exceeding the file size limit would raise a signal instead of returning an error.
    guard size <= xp_largest_file() else { throw SystemError(number: EFBIG) }
    descriptor = xp_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    var header = proposed
    var mapping: UnsafeMutableRawPointer?
    if !forcesAppending, !xp_copies_on_write(descriptor) {
      let reserved = xp_reserve(descriptor, Int64(size))
      // Fail instead of appending, because appending would fail on a full disk, too.
      if reserved == ENOSPC || reserved == EDQUOT || reserved == EFBIG || reserved == EIO {
        close(descriptor)
        unlink(path)
        throw SystemError(number: reserved)
      }
      if reserved == 0 {
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        mapping = address == MAP_FAILED ? nil : address
        if let mapping, size >= Self.largePages { xp_prefer_large_pages(mapping, size) }
      }
    }
    if mapping == nil { header.compatible.insert(.appended) }
    self.header = header
    self.path = path
    self.mapping = mapping
    mappedSize = size
    head = mapping ?? .allocate(byteCount: SegmentFormat.headerSize, alignment: 8)
    if mapping == nil {
      head.initializeMemory(as: UInt8.self, repeating: 0, count: SegmentFormat.headerSize)
      // Reserving space may have extended the file before mapping it failed. Truncate it, because an appended file starts empty.
      _ = ftruncate(descriptor, 0)
    }
    header.encode(to: .init(start: head, count: SegmentFormat.headerSize))
    if mapping == nil, let problem = writeHeader() {
      // All properties are initialised here, so `deinit` runs and frees the resources.
      unlink(path)
      throw SystemError(number: problem)
    }
  }

  deinit {
    xp_store_release_32(head + SegmentHeader.isReleased, (1 as UInt32).littleEndian)
    if appends { _ = write(head + SegmentHeader.isReleased, count: 4, at: SegmentHeader.isReleased) }
    if let mapping { munmap(mapping, mappedSize) } else { head.deallocate() }
    close(descriptor)
  }

  /// Writes the header with the magic last, so that a reader that sees the magic sees the rest.
  private func writeHeader() -> Int32? {
    let magicSize = MemoryLayout<UInt64>.size
    return write(head + magicSize, count: SegmentFormat.headerSize - magicSize, at: magicSize)
      ?? write(head, count: magicSize, at: 0)
  }

  /// Calls a closure with the encoded header, without the zero bytes after it.
  func withHeaderBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let bytes = UnsafeRawBufferPointer(start: head, count: SegmentFormat.headerSize)
    return body(.init(rebasing: bytes[..<SegmentHeader.encodedCount(bytes)]))
  }

  /// The size, in bytes, from which a mapping uses pages of 2 MiB. A process that logs little never has such a mapping.
  private static let largePages = 2 << 20

  // MARK: Chunks

  /// A chunk claimed by a lane: its index in the file and its memory.
  struct Chunk {
    let index: Int
    let base: UnsafeMutableRawPointer
    /// The offset from the start of the chunk that no record may extend beyond.
    let recordsEnd: Int
  }

  /// Claims the next `span` chunks for one lane.
  ///
  /// - Returns: `nil` if the segment is full or finished, or if the system refuses to write.
  func claim(span: Int = 1) -> Chunk? {
    // The file size limit may have been lowered since the file was created, and exceeding it would raise a signal.
    if appends, SegmentFormat.fileSize(chunks: capacity) > xp_largest_file() { return nil }
    let counter = head + SegmentHeader.claimedChunks
    var claimed = xp_load_acquire_32(counter)
    repeat {
      guard claimed & SegmentHeader.sealed == 0, Int(claimed) + span <= capacity else { return nil }
    } while !xp_compare_exchange_32(counter, &claimed, claimed + UInt32(span))
    let first = Int(claimed)
    let (size, recordsEnd) = (span * SegmentFormat.chunkSize, SegmentFormat.recordsEnd(span: span))
    if let mapping {
      let base = mapping + SegmentFormat.chunkOffset(first)
      xp_populate(base, size)
      return Chunk(index: first, base: base, recordsEnd: recordsEnd)
    }
    guard write(head + SegmentHeader.claimedChunks, count: 4, at: SegmentHeader.claimedChunks) == nil else { return nil }
    let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return Chunk(index: first, base: base, recordsEnd: recordsEnd)
  }

  /// Writes the header of a claimed chunk.
  ///
  /// - Returns: The errno value on failure; otherwise `nil`.
  func begin(_ chunk: Chunk, with chunkHeader: ChunkHeader) -> Int32? {
    chunkHeader.write(to: chunk.base)
    if let problem = persist(chunk, from: 0, count: ChunkHeader.size) { return problem }
    let place = SegmentHeader.begunChunks + chunk.index / UInt32.bitWidth * 4
    _ = xp_fetch_or_32(head + place, ((1 as UInt32) << UInt32(chunk.index % UInt32.bitWidth)).littleEndian)
    return appends ? write(head + place, count: 4, at: place) : nil
  }

  /// Whether more than half of the segment's chunks have been claimed.
  var isFilling: Bool { Int(xp_load_acquire_32(head + SegmentHeader.claimedChunks) & ~SegmentHeader.sealed) * 2 > capacity }

  /// Frees a chunk after its lane has left it and dropped all pointers into it.
  func release(_ chunk: Chunk) {
    if appends { chunk.base.deallocate() }
  }

  /// Writes bytes of a chunk to the file, unless the file is mapped.
  ///
  /// - Returns: The errno value on failure; otherwise `nil`.
  @inline(__always)
  func persist(_ chunk: Chunk, from offset: Int, count: Int) -> Int32? {
    appends ? write(chunk.base + offset, count: count, at: SegmentFormat.chunkOffset(chunk.index) + offset) : nil
  }

  private func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int) -> Int32? {
    writeAll(.init(start: bytes, count: count), to: descriptor, at: offset)
  }

  // MARK: Syncing

  /// Syncs the segment to disk.
  ///
  /// - Parameter isFinal: Whether the bytes must also leave the drive's cache.
  /// - Returns: The errno value on failure; otherwise `nil`.
  func synchronise(isFinal: Bool) -> Int32? {
    let problem = isFinal ? xp_sync(descriptor, mapping, mappedSize) : xp_sync_ordered(descriptor, mapping, mappedSize)
    return problem == 0 ? nil : problem
  }

  /// Whether the file was deleted, so that further writes would be lost when the process ends.
  var isRemoved: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// Whether data written to this segment may never reach the disk.
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Abandons the segment after a failed sync or the deletion of its file.
  ///
  /// A failed sync is not retried, because the retry could succeed although the system has discarded the unwritten pages.
  func abandon(dropped: UInt64) {
    abandoned.store(true, ordering: .releasing)
    finish(.rotated, dropped: dropped)
  }

  // MARK: Finishing

  /// Records how the writer left the segment, and truncates the file to the claimed chunks. Only the first call has an
  /// effect.
  ///
  /// One atomic operation both stops claims and reads their count, so a lane either has its chunk before the truncation or
  /// gets none. Readers access claimed chunks only, so truncating does not affect their mappings.
  ///
  /// - Parameter cuts: Whether to truncate now. Pass `false` if `cut` is called after a sync. Otherwise a power loss could
  ///   keep the file's new size but lose the header's record of it, and the file would look damaged.
  func finish(_ state: SegmentFormat.State, dropped: UInt64, cuts: Bool = true) {
    let before = xp_fetch_or_32(head + SegmentHeader.claimedChunks, SegmentHeader.sealed)
    guard before & SegmentHeader.sealed == 0 else { return }
    let claimed = Int(before)
    head.storeBytes(of: UInt32(claimed).littleEndian, toByteOffset: SegmentHeader.usedChunks, as: UInt32.self)
    xp_store_release_64(head + SegmentHeader.droppedEvents, dropped.littleEndian)
    xp_store_release_64(head + SegmentHeader.finalSize, UInt64(finalSize(claimed: claimed)).littleEndian)
    let checksum = SegmentHeader.endChecksum(of: head, state: state)
    head.storeBytes(of: checksum.littleEndian, toByteOffset: SegmentHeader.endChecksum, as: UInt32.self)
    xp_store_release_32(head + SegmentHeader.state, state.rawValue.littleEndian)
    if appends {
      let place = SegmentHeader.claimedChunks
      _ = write(head + place, count: SegmentHeader.endChecksum + 4 - place, at: place)
    } else if cuts {
      cut()
    }
  }

  /// Whether the end of the segment has been recorded completely; the state field is stored last.
  var isFinished: Bool { xp_load_acquire_32(head + SegmentHeader.state) != SegmentFormat.State.open.rawValue.littleEndian }

  /// Truncates a finished file to the claimed chunks.
  func cut() {
    guard isFinished, !appends else { return }
    let used = UInt32(littleEndian: xp_load_acquire_32(head + SegmentHeader.usedChunks))
    _ = ftruncate(descriptor, off_t(SegmentFormat.fileSize(chunks: Int(used))))
  }

  /// Returns the size to record at the end. An appended file ends with its last record.
  private func finalSize(claimed: Int) -> Int {
    guard appends else { return SegmentFormat.fileSize(chunks: claimed) }
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// A segment that lanes write to, together with its dictionary.
struct OpenSegment: Sendable {
  let file: SegmentWriter
  let dictionary: SegmentDictionary

  init(file: SegmentWriter, clock: LogClock) {
    self.file = file
    dictionary = SegmentDictionary(segment: file, clock: clock)
  }
}

/// An error reported by the system.
package struct SystemError: Error, Equatable {
  package let number: Int32
  /// A description of what was found instead of a regular file; `nil` for other errors.
  var found: String?
}
