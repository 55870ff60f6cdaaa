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

/// One segment file being written, by the threads of one process.
///
/// Space is reserved before the file is mapped, so that a store can never meet a full disk. Where space cannot be
/// reserved, or the file system would copy on write anyway, chunks live in memory and each record is appended by `pwrite`.
///
/// `@unchecked Sendable`: what changes after `init` is the mapped header, only through atomics; and chunk memory, of which
/// each chunk is handed by an atomic claim to exactly one lane.
final class SegmentWriter: @unchecked Sendable {
  let header: SegmentHeader
  let path: String
  private let descriptor: Int32
  /// The mapping; `nil` when records are appended.
  private let mapping: UnsafeMutableRawPointer?
  private let mappedSize: Int
  /// Header memory: the mapping's start, or a copy that is written through.
  private let head: UnsafeMutableRawPointer
  private let abandoned = Atomic(false)

  var appends: Bool { mapping == nil }
  var capacity: Int { Int(header.chunkCapacity) }

  /// Creates the file; fails when its name is taken (`EEXIST`) or the system refuses.
  init(path: String, header proposed: SegmentHeader, forcesAppending: Bool) throws(SystemError) {
    let size = SegmentFormat.fileSize(chunks: Int(proposed.chunkCapacity))
    // Trying would be answered by a signal, not by an error.
    guard size <= xp_largest_file() else { throw SystemError(number: EFBIG) }
    descriptor = xp_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    var header = proposed
    var mapping: UnsafeMutableRawPointer?
    if !forcesAppending, !xp_copies_on_write(descriptor) {
      let reserved = xp_reserve(descriptor, Int64(size))
      // A full disk is not a reason to append: that would fail at the first record.
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
      // Reserving may have lengthened the file before mapping failed.
      _ = ftruncate(descriptor, 0)
    }
    header.encode(to: .init(start: head, count: SegmentFormat.headerSize))
    if mapping == nil, let problem = writeHeader() {
      // All is set by now, so `deinit` runs and gives the rest back.
      unlink(path)
      throw SystemError(number: problem)
    }
  }

  deinit {
    xp_store_release_32(head + SegmentHeader.isLeft, (1 as UInt32).littleEndian)
    if appends { _ = write(head + SegmentHeader.isLeft, count: 4, at: SegmentHeader.isLeft) }
    if let mapping { munmap(mapping, mappedSize) } else { head.deallocate() }
    close(descriptor)
  }

  /// The magic last: a reader that sees it sees the rest.
  private func writeHeader() -> Int32? {
    let magicSize = MemoryLayout<UInt64>.size
    return write(head + magicSize, count: SegmentFormat.headerSize - magicSize, at: magicSize)
      ?? write(head, count: magicSize, at: 0)
  }

  /// The header as it was written, without the zeroes behind it.
  func withHeaderBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let bytes = UnsafeRawBufferPointer(start: head, count: SegmentFormat.headerSize)
    return body(.init(rebasing: bytes[..<SegmentHeader.encodedCount(bytes)]))
  }

  /// From this size on a file's pages are brought in by the 2 MiB: a process with little to say never has such a segment.
  private static let largePages = 2 << 20

  // MARK: Chunks

  /// One chunk of a lane: its place in the file and its memory.
  struct Chunk {
    let index: Int
    let base: UnsafeMutableRawPointer
    /// Where its records must end, from its beginning.
    let recordsEnd: Int
  }

  /// Takes the next `span` chunks for one lane; `nil` when the segment is full or the system refuses.
  func claim(span: Int = 1) -> Chunk? {
    // A file that grows may meet a limit that was set since; going there would be answered by a signal, too.
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

  /// Whether more than half of its chunks have been given out.
  var isFilling: Bool { Int(xp_load_acquire_32(head + SegmentHeader.claimedChunks) & ~SegmentHeader.sealed) * 2 > capacity }

  /// The lane has left the chunk and keeps no pointer into it.
  func release(_ chunk: Chunk) {
    if appends { chunk.base.deallocate() }
  }

  /// Brings bytes of a chunk to the file where they are not mapped to it.
  ///
  /// - Returns: errno when the system refused.
  @inline(__always)
  func persist(_ chunk: Chunk, from offset: Int, count: Int) -> Int32? {
    appends ? write(chunk.base + offset, count: count, at: SegmentFormat.chunkOffset(chunk.index) + offset) : nil
  }

  private func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int) -> Int32? {
    writeAll(.init(start: bytes, count: count), to: descriptor, at: offset)
  }

  // MARK: The disk

  /// Brings everything to the disk.
  ///
  /// - Returns: errno when the system would not say that it is there.
  func synchronise() -> Int32? {
    let problem = xp_sync(descriptor, mapping, mappedSize)
    return problem == 0 ? nil : problem
  }

  /// Whether somebody has removed the file: what is written here goes with the process.
  var isRemoved: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// Whether what is written here may never reach the disk.
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Synchronising failed. Trying again would answer for pages that the system has given up: lanes go on elsewhere.
  func abandon(dropped: UInt64) {
    abandoned.store(true, ordering: .releasing)
    finish(.rotated, dropped: dropped)
  }

  // MARK: The end

  /// Marks how the writer left the segment and cuts the file to the chunks that were claimed. Only the first call counts.
  ///
  /// Sealing and counting are one step: a lane either has its chunk before the cut, or gets none. Readers touch no chunk
  /// that was not claimed, so nobody's mapping is cut either.
  ///
  /// - Parameter cuts: `false` where `cut` follows: had a power cut kept the file's new size and lost what the header says
  ///   of it, the file would look like one that somebody else has cut.
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

  /// Whether all is stored that the header says of the end: the state comes last.
  var isFinished: Bool { xp_load_acquire_32(head + SegmentHeader.state) != SegmentFormat.State.open.rawValue.littleEndian }

  /// Cuts a finished file to the chunks that were claimed.
  func cut() {
    guard isFinished, !appends else { return }
    let used = UInt32(littleEndian: xp_load_acquire_32(head + SegmentHeader.usedChunks))
    _ = ftruncate(descriptor, off_t(SegmentFormat.fileSize(chunks: Int(used))))
  }

  /// An appended file ends with its last record.
  private func finalSize(claimed: Int) -> Int {
    guard appends else { return SegmentFormat.fileSize(chunks: claimed) }
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// A segment that lanes write into: its file and what its numbers stand for.
struct OpenSegment: Sendable {
  let file: SegmentWriter
  let dictionary: SegmentDictionary

  init(file: SegmentWriter, clock: LogClock) {
    self.file = file
    dictionary = SegmentDictionary(segment: file, clock: clock)
  }
}

/// What the system said.
struct SystemError: Error, Equatable {
  let number: Int32
  /// What was found instead of a regular file.
  var found: String?
}
