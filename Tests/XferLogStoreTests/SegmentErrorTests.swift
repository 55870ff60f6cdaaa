import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that a file that is not a readable segment is reported with its path, the problem and advice.
struct SegmentErrorTests {
  private let test = TestLog()
  private var path: String { test.segment(1) }

  private func written() throws -> [UInt8] {
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    log.close()
    return try contents(of: path)
  }

  /// Returns the text of the only problem found when the log is read. There must be no events.
  private func problem() -> String {
    let read = test.read()
    #expect(read.events.isEmpty)
    #expect(read.problems.count == 1)
    #expect(read.problems.first?.path == path)
    return read.problems.first?.error.description ?? ""
  }

  @Test(arguments: [0, 1, 8, 4095, 4096, 4096 + 8 * 32_768])
  func `A segment that contains only zeroes and has the size of a new one is reported as empty`(zeroes: Int) throws {
    _ = try written()
    try write([UInt8](repeating: 0, count: zeroes), to: path)
    #expect(
      problem() == """
        \(path): the segment is empty: its writer terminated before writing anything, or its bytes were lost.
        If its writer was killed at startup, remove the file. After a power loss or a disk failure, restore it from a backup.
        """)
  }

  @Test(arguments: [4097, 40_000, 4096 + 4096 * 32_768])
  func `A segment that contains only zeroes and has another size is reported as lost`(zeroes: Int) throws {
    _ = try written()
    #expect(truncate(path, 0) == 0 && truncate(path, off_t(zeroes)) == 0)
    let problem = problem()
    #expect(problem.contains(zeroes > 1 << 20 ? "more than any segment" : "its bytes were lost"), "\(problem)")
    #expect(!problem.contains("remove"))
  }

  /// A writer creates the file of its next segment before it writes the header. On a busy machine a reader may come in between.
  @Test(arguments: [0, 4096, 4096 + 8 * 32_768])
  func `A newest segment without a header is no damage while the writer runs`(size: Int) throws {
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    try write([UInt8](repeating: 0, count: size), to: test.segment(2))
    let read = test.read()
    #expect(read.problems.isEmpty && read.gaps.isEmpty && read.numbers[0] == [0], "\(read.problems) \(read.gaps)")
    log.close()
    #expect(test.read().problems.map(\.error.code) == [.unfinished])
  }

  @Test func `A segment without a header is damage if the running writer has already written the next one`() throws {
    let log = try test.open()
    try write([], to: test.segment(2))
    Workload.emit(0, numbers: 0..<20_000, to: log)
    #expect(access(test.segment(3), F_OK) == 0)
    #expect(test.read().problems.map(\.path) == [test.segment(2)])
    log.close()
  }

  @Test func `A lost or damaged header is replaced by its copy`() throws {
    let bytes = try written()
    let whole = test.read()
    for damage in [0..<SegmentFormat.headerSize, 0..<1, 32..<48, 1020..<1021] {
      var damaged = bytes
      for place in damage { damaged[place] = damage.count > 1 ? 0 : ~damaged[place] }
      try write(damaged, to: path)
      let read = test.read()
      #expect(read.problems.isEmpty && read.gaps.isEmpty, "\(damage)")
      #expect(read.events.map(\.reference) == whole.events.map(\.reference), "\(damage)")
      #expect(read.events.map(\.moment) == whole.events.map(\.moment), "\(damage)")
      #expect(read.events.first?.source.writer == whole.events.first?.source.writer, "\(damage)")
    }
  }

  /// Damages the copies of the header in the dictionary chunks.
  private func damageCopies(in bytes: inout [UInt8]) {
    for chunk in stride(from: SegmentFormat.headerSize, to: bytes.count, by: SegmentFormat.chunkSize) where bytes[chunk + 4] == 2
    {
      bytes[chunk + 64 + 30] ^= 1
    }
  }

  @Test(arguments: [8, 500, 1024], [4096, 4096 + 8 * 32_768])
  func `A writer killed before storing the magic leaves a segment that is reported as empty`(end: Int, size: Int) throws {
    let header = try written()[8..<end]
    try write([UInt8](repeating: 0, count: 8) + header + [UInt8](repeating: 0, count: size - end), to: path)
    _ = problem()
    #expect(test.read().problems.first?.error.code == .unfinished)
  }

  @Test func `A lost header is distinguished from one that was never written`() throws {
    var bytes = try written()
    for place in 0..<SegmentFormat.headerSize { bytes[place] = 0 }
    damageCopies(in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the header is empty, although records follow it.
        Exclude the segment, or restore it from a backup.
        """)
  }

  @Test(arguments: [1, 100, 4096, 50_000])
  func `Random bytes are not a segment`(count: Int) throws {
    _ = try written()
    var random = SeededRandom(seed: UInt64(count))
    try write([0xA5] + random.bytes(count - 1), to: path)
    #expect(
      problem() == """
        \(path): not a segment of an xferlog log: its magic bytes are wrong.
        Pass a .xlog directory or one of its .seg files.
        """)
  }

  @Test func `The error for a damaged header shows both checksums`() throws {
    var bytes = try written()
    let stored = bytes[1020..<1024].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    bytes[200] ^= 0x40
    damageCopies(in: &bytes)
    let computed = bytes[..<1020].withUnsafeBytes { Checksum.crc32c($0) }
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the header's checksum is \(String(stored, radix: 16)), but \(String(computed, radix: 16)) was computed.
        Exclude the segment, or restore it from a backup.
        """)
    #expect(test.read().problems.first?.error.code.rawValue == "damaged-header")
  }

  @Test func `Every single flipped bit of the header is detected`() throws {
    let bytes = try written()
    for byte in 0..<1024 {
      var damaged = bytes[..<SegmentFormat.headerSize]
      damaged[byte] ^= 1 << UInt8(byte % 8)
      let result = damaged.withUnsafeBytes { SegmentHeader.decode($0) }
      #expect(throws: SegmentHeader.Failure.self, "byte \(byte)") { try result.get() }
    }
  }

  @Test func `Another version of the format is named in the error`() throws {
    var bytes = try written()
    forge(7 as UInt16, at: 8, in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the segment has format version 7; this reader supports 1.
        Read it with a newer xferlog.
        """)
  }

  @Test func `An unknown incompatible feature is rejected, and unknown compatible ones are ignored`() throws {
    var bytes = try written()
    forge(0xFFFF_FFF0 as UInt32, at: 16, in: &bytes)
    try write(bytes, to: path)
    #expect(test.read().events.count > 3)
    #expect(test.read().problems.isEmpty)
    forge(0x14 as UInt32, at: 20, in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the segment uses features that this reader does not support (flags 14).
        Read it with a newer xferlog.
        """)
  }

  @Test func `A header with sizes of another format is reported as inconsistent`() throws {
    var bytes = try written()
    forge(65_536 as UInt32, at: 12, in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the header's fields are inconsistent.
        Exclude the segment, or restore it from a backup.
        """)
  }

  @Test func `An unknown role, mode or level of a newer version does not prevent reading`() throws {
    var bytes = try written()
    for (offset, value) in [(124, 200), (125, 201), (126, 202)] as [(Int, UInt8)] { forge(value, at: offset, in: &bytes) }
    try write(bytes, to: path)
    let read = test.read()
    #expect(read.events.count > 3)
    #expect(read.problems.isEmpty)
    let writer = read.events.first?.source.writer
    #expect(writer?.role == .app && writer?.captureMode == .hashed && writer?.lowestLevel == .default)
  }

  @Test func `A missing file, a directory and an unreadable path are reported`() throws {
    let directory = TemporaryDirectory()
    mkdir(directory.path("000001.seg"), 0o700)
    let folder = LogContents([.directory(directory.path)]).problems.map(\.error.description)
    #expect(
      folder == [
        "\(directory.path("000001.seg")): the segment is a directory, not a file.\n"
          + "Remove it from the log, or put the file back."
      ])
    let missing = LogContents([.segment(directory.path("none.seg"))]).problems.first?.error
    #expect(missing?.code.rawValue == "cannot-open")
    #expect(missing?.osError == ENOENT)
    #expect(LogContents([.directory(directory.path("none.xlog"))]).problems.isEmpty)
  }

  @Test func `A damaged segment does not affect the others`() throws {
    let log = try test.open()
    Workload.emit(0, numbers: 0..<20_000, to: log)
    log.close()
    #expect(test.segments.count >= 3)
    try write([1, 2, 3], to: test.segment(2))
    let read = test.read()
    #expect(read.problems.map(\.path) == [test.segment(2)])
    #expect(read.wrong == [])
    #expect(read.numbers[0]?.first == 0 && read.numbers[0]?.last == 19_999)
    #expect(read.gaps.contains { $0.cause == .missingSequence })
  }

  @Test func `A header is read back as it was written`() throws {
    for seed in seeds(50, campaign: 5000) {
      var random = SeededRandom(seed: seed)
      let header = SegmentHeader(
        compatible: .init(rawValue: UInt32(truncatingIfNeeded: random.next())), nonce: random.next(),
        number: .random(in: 0 ... .max, using: &random), previous: .random(in: 0 ... .max, using: &random),
        boot: BootID(high: random.next(), low: random.next()), launch: LaunchID(high: random.next(), low: random.next()),
        clocks: ClockReading(
          monotonic: .random(in: .min ... .max, using: &random), boottime: .random(in: .min ... .max, using: &random),
          wall: .random(in: .min ... .max, using: &random)),
        pid: .random(in: 0 ... .max, using: &random), processStart: random.next(), processNamespace: random.next(),
        role: WriterRole.allCases.randomElement(using: &random)!,
        captureMode: CaptureMode.allCases.randomElement(using: &random)!,
        lowestLevel: Level.allCases.randomElement(using: &random)!, vocabularyVersion: .random(in: 0 ... .max, using: &random),
        vocabularyDigest: .random(in: 0 ... .max, using: &random),
        chunkCapacity: .random(in: 0 ... .max, using: &random),
        executable: random.text(characters: Int.random(in: 0...60, using: &random)),
        toolVersion: random.text(characters: Int.random(in: 0...60, using: &random)))
      var bytes = [UInt8](repeating: 0, count: SegmentFormat.headerSize)
      bytes.withUnsafeMutableBytes { header.encode(to: $0) }
      let decoded = try bytes.withUnsafeBytes { try SegmentHeader.decode($0).get() }
      #expect(decoded == header, "seed \(seed)")
    }
  }

  @Test func `Names too long for the header are truncated at a character boundary`() throws {
    var header = try written().withUnsafeBytes { try SegmentHeader.decode($0).get() }
    header.executable = String(repeating: "本", count: 200)
    header.toolVersion = "v"
    var bytes = [UInt8](repeating: 0, count: SegmentFormat.headerSize)
    bytes.withUnsafeMutableBytes { header.encode(to: $0) }
    let decoded = try bytes.withUnsafeBytes { try SegmentHeader.decode($0).get() }
    #expect(decoded.executable == String(repeating: "本", count: 85))
    #expect(decoded.toolVersion == "v")
  }

  @Test func `A thread killed while it begins a chunk loses no event, whatever part of the header and its copy was written`()
    throws
  {
    let bytes = try #require(FormatSample.named("killed").committed["000001.seg"])
    let claimed: UInt32 = bytes.number(at: SegmentHeader.claimedChunks)
    let whole = LogContents([.segment(try test.write(bytes))])
    #expect(claimed == 2 && whole.gaps.isEmpty && whole.events.count > 3)
    let header = bytes[SegmentFormat.chunkOffset(1)..<SegmentFormat.chunkOffset(1) + ChunkHeader.size]
    let (start, copy) = (SegmentFormat.chunkOffset(2), SegmentFormat.chunkOffset(3) - ChunkHeader.size)
    // Another thread may have moved on to the next segment meanwhile.
    for state in [0, 2] as [UInt32] {
      // Write the header up to any byte without its magic, which is stored last. A compiler may also move stores of the
      // copy.
      for (place, other) in [(start, nil), (copy, start)] as [(Int, Int?)] {
        for count in stride(from: 4, through: ChunkHeader.size, by: 4) {
          var killed = bytes
          killed.put(claimed + 1, at: SegmentHeader.claimedChunks)
          killed.put(state, at: SegmentHeader.state)
          if let other { killed.replaceSubrange(other + 4..<other + 64, with: header.dropFirst(4)) }
          killed.replaceSubrange(place + 4..<place + count, with: header.dropFirst(4).prefix(count - 4))
          let read = LogContents([.segment(try test.write(killed))])
          #expect(read.gaps.isEmpty && read.events.count == whole.events.count, "\(count) bytes at \(place), state \(state)")
        }
      }
    }
  }

  // MARK: Other vocabularies

  @Test func `An event that a newer writer defines is kept under its name`() throws {
    let log = try test.open()
    log.emit(AppBeatSent(name: "before"))
    log.emit(TaskResumed(task: Workload.task(4), by: .user))
    log.emit(NetworkPathChanged(up: true, name: "wlan0"))
    log.close()
    var bytes = try contents(of: path)
    try redefine("app.beatSent", as: "app.teaTaken", in: &bytes)
    // Rename a field of a known event.
    try redefine("expensive", as: "excessive", in: &bytes)
    forge(EventLayout.knownDigest ^ 1, at: 128, in: &bytes)
    try write(bytes, to: path)
    let read = test.read()
    #expect(read.gaps.isEmpty)
    #expect(read.problems.isEmpty)
    let tea = try #require(read.events.first { $0.layout.name == "app.teaTaken" })
    #expect(tea.kind == nil)
    #expect(tea.values.map(\.name) == ["name"])
    #expect(tea.name == "before")
    let resumed = try #require(read.events(.taskResumed).first)
    #expect(resumed.task == Workload.task(4) && resumed.by == .user)
    let network = try #require(read.events(.networkPathChanged).first)
    #expect(network.layout.fields.map(\.name).contains("excessive"))
    #expect(network.name == "wlan0" && network.up == true)
  }

  @Test func `A task whose session name is lost keeps its uid and number`() throws {
    let log = try test.open()
    log.emit(TaskResumed(task: Workload.task(1)))
    log.close()
    var bytes = try contents(of: path)
    let name = Array("session 1".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes[place] ^= 1
    try write(bytes, to: path)
    let read = test.read()
    let task = try #require(read.events(.taskResumed).first?.task)
    #expect(task.uid == Workload.task(1).uid && task.number == 1)
    #expect(task.session == "?")
    #expect(read.gaps.map(\.cause) == [.damaged(problem: "definitions of names or tasks cannot be read")])
  }

  // MARK: Missing segments

  /// Writes a log of one lane in several segments and returns the positions in each segment.
  private func severalSegments() throws -> [(number: UInt32, sequences: ClosedRange<UInt64>)] {
    let log = try test.open()
    Workload.emit(0, numbers: 0..<30_000, to: log)
    log.close()
    var ranges: [UInt32: ClosedRange<UInt64>] = [:]
    for event in test.read().events {
      guard case .record(let segment, 1, let sequence, _) = event.reference else { continue }
      ranges[segment] = (ranges[segment]?.lowerBound ?? sequence)...sequence
    }
    return ranges.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  @Test func `A missing segment in the middle is a gap of exactly its positions`() throws {
    let segments = try severalSegments()
    #expect(segments.count >= 4)
    let removed = segments[1]
    unlink(test.segment(removed.number))
    let read = test.read()
    #expect(read.problems.isEmpty)
    let missing = removed.number...removed.number
    #expect(read.gaps.map(\.cause) == [.missingSequence, .missingSegments(missing)])
    let gap = try #require(read.gaps.first)
    #expect(gap.sequences == removed.sequences.lowerBound..<removed.sequences.upperBound + 1)
    #expect(gap.lane == 1)
    #expect(gap.segment == segments[2].number)
    #expect(gap.bytes == nil)
    #expect(gap.launch == read.events.first?.source.writer.launch)
    // The monotonic times of the events on both sides of the gap.
    let before = try #require(read.events.last { $0.reference < .record(segment: removed.number, lane: 1, sequence: 0) })
    #expect(gap.after?.monotonic == before.monotonic)
    let next = try #require(read.events.first { $0.reference > .record(segment: removed.number, lane: .max, sequence: .max) })
    #expect(try #require(gap.before?.monotonic) <= (try #require(next.monotonic)))
    #expect(read.wrong == [])
  }

  @Test func `A missing first segment is reported as a missing head`() throws {
    let segments = try severalSegments()
    unlink(test.segment(segments[0].number))
    unlink(test.segment(segments[1].number))
    let read = test.read()
    #expect(read.gaps.map(\.cause) == [.missingHead, .missingSegments(segments[0].number...segments[1].number)])
    #expect(read.gaps.first?.sequences == 0..<segments[1].sequences.upperBound + 1)
    #expect(read.gaps.first?.after == nil)
    #expect(read.wrong == [])
  }

  @Test func `A truncated segment reports where it ends`() throws {
    let segments = try severalSegments()
    let path = test.segment(segments[1].number)
    let size = try contents(of: path).count
    truncate(path, off_t(size - 100_000))
    let read = test.read()
    #expect(read.wrong == [])
    let cut = try #require(read.gaps.first { $0.cause == .truncated })
    #expect(cut.bytes == UInt64(size - 100_000)..<UInt64(size - 100_000) + 1)
    #expect(cut.name == LogDirectory.name(of: segments[1].number))
    let missing = try #require(read.gaps.first { $0.sequences != nil })
    #expect(missing.sequences?.upperBound == segments[2].sequences.lowerBound)
    #expect(missing.sequences?.contains(segments[1].sequences.upperBound) == true)
  }

  @Test func `A chunk with a damaged header is read through the header's second copy`() throws {
    let segments = try severalSegments()
    let path = test.segment(segments[2].number)
    let bytes = try contents(of: path)
    let whole = test.read().events.map(\.reference)
    for chunk in stride(from: SegmentFormat.headerSize, to: bytes.count, by: SegmentFormat.chunkSize) {
      var damaged = bytes
      for place in chunk..<chunk + ChunkHeader.size { damaged[place] = 0 }
      try write(damaged, to: path)
      let read = test.read()
      #expect(read.events.map(\.reference) == whole && read.gaps.isEmpty, "chunk at \(chunk)")
    }
  }

  @Test func `A damaged chunk reports the missing positions`() throws {
    let segments = try severalSegments()
    let path = test.segment(segments[2].number)
    var bytes = try contents(of: path)
    // Damage both headers of the segment's third chunk, so that its lane is unknown.
    let start = SegmentFormat.chunkOffset(2)
    bytes[start + 10] ^= 1
    bytes[start + SegmentFormat.recordsEnd(span: 1) + 10] ^= 1
    try write(bytes, to: path)
    let read = test.read()
    #expect(read.wrong == [])
    let lost = try #require(read.gaps.first { $0.sequences != nil })
    #expect(lost.cause == .damaged(problem: "the preceding chunk cannot be read"))
    let chunk = try #require(read.gaps.first { $0.bytes != nil })
    #expect(chunk.cause == .damaged(problem: "the chunk's header is damaged"))
    #expect(chunk.bytes == UInt64(start)..<UInt64(start + SegmentFormat.chunkSize))
    let present = Set(read.numbers[0] ?? [])
    #expect(30_000 - present.count == lost.sequences?.count)
  }
}
