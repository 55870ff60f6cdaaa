import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// A file that cannot be read as a segment says what it is, where, and what to do.
struct SegmentErrorTests {
  private let test = TestLog()
  private var path: String { test.segment(1) }

  private func written() throws -> [UInt8] {
    let log = try test.open()
    log.emit(thread: 0, number: 0)
    log.close()
    return try contents(of: path)
  }

  /// The text of the one problem that reading the log meets; its events must be none.
  private func problem() -> String {
    let read = test.read()
    #expect(read.events.isEmpty)
    #expect(read.problems.count == 1)
    #expect(read.problems.first?.path == path)
    return read.problems.first?.error.description ?? ""
  }

  @Test(arguments: [0, 1, 8, 4095, 4096, 40_000])
  func `A segment of zeroes was begun and nothing more, or is lost`(zeroes: Int) throws {
    _ = try written()
    try write([UInt8](repeating: 0, count: zeroes), to: path)
    #expect(
      problem() == """
        \(path): the segment is empty: its writer ended before it wrote anything, or its bytes are lost.
        Remove the file if its writer was killed as it began. After a power cut or a failed disk, restore it from a copy.
        """)
  }

  @Test func `A header that is lost or damaged is found again in its copy`() throws {
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

  /// Spoils the copies of the header that stand in dictionaries.
  private func spoilCopies(in bytes: inout [UInt8]) {
    for chunk in stride(from: SegmentFormat.headerSize, to: bytes.count, by: SegmentFormat.chunkSize) where bytes[chunk + 4] == 2
    {
      bytes[chunk + 64 + 30] ^= 1
    }
  }

  @Test(arguments: [8, 500, 1024], [4096, 40_000])
  func `A writer that is killed before the magic leaves a segment that was begun and nothing more`(end: Int, size: Int) throws {
    let header = try written()[8..<end]
    try write([UInt8](repeating: 0, count: 8) + header + [UInt8](repeating: 0, count: size - end), to: path)
    _ = problem()
    #expect(test.read().problems.first?.error.code == .unfinished)
  }

  @Test func `A header that was lost is not taken for one that was never written`() throws {
    var bytes = try written()
    for place in 0..<SegmentFormat.headerSize { bytes[place] = 0 }
    spoilCopies(in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the header is empty though records were written behind it.
        Leave the segment out, or restore it from a copy.
        """)
  }

  @Test(arguments: [1, 100, 4096, 50_000])
  func `Random bytes are no segment`(count: Int) throws {
    _ = try written()
    var random = SeededRandom(seed: UInt64(count))
    try write([0xA5] + random.bytes(count - 1), to: path)
    #expect(
      problem() == """
        \(path): this is not a segment of an xferlog log: its first bytes are not the format's.
        Name a .xlog directory or one of its .seg files.
        """)
  }

  @Test func `A damaged header names both checksums`() throws {
    var bytes = try written()
    let stored = bytes[1020..<1024].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    bytes[200] ^= 0x40
    spoilCopies(in: &bytes)
    let computed = bytes[..<1020].withUnsafeBytes { Checksum.crc32c($0) }
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the header's checksum is \(String(stored, radix: 16)) but its bytes give \(String(computed, radix: 16)).
        Leave the segment out, or restore it from a copy.
        """)
    #expect(test.read().problems.first?.error.code.rawValue == "damaged-header")
  }

  @Test func `Every single damaged bit of the header is found`() throws {
    let bytes = try written()
    for byte in 0..<1024 {
      var damaged = bytes[..<SegmentFormat.headerSize]
      damaged[byte] ^= 1 << UInt8(byte % 8)
      let result = damaged.withUnsafeBytes { SegmentHeader.decode($0) }
      #expect(throws: SegmentHeader.Failure.self, "byte \(byte)") { try result.get() }
    }
  }

  @Test func `Another version of the format is named`() throws {
    var bytes = try written()
    forge(7 as UInt16, at: 8, in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the segment has format version 7, this reader knows 1.
        Read it with a newer xferlog.
        """)
  }

  @Test func `A feature without which nothing can be read is refused, others are not`() throws {
    var bytes = try written()
    forge(0xFFFF_FFF0 as UInt32, at: 16, in: &bytes)
    try write(bytes, to: path)
    #expect(test.read().events.count > 3)
    #expect(test.read().problems.isEmpty)
    forge(0x12 as UInt32, at: 20, in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the segment needs features that this reader lacks (flags 12).
        Read it with a newer xferlog.
        """)
  }

  @Test func `Sizes that are not the format's do not fit together`() throws {
    var bytes = try written()
    forge(65_536 as UInt32, at: 12, in: &bytes)
    try write(bytes, to: path)
    #expect(
      problem() == """
        \(path): the header's fields do not fit together.
        Leave the segment out, or restore it from a copy.
        """)
  }

  @Test func `A role, mode or level of a newer version does not keep the log from being read`() throws {
    var bytes = try written()
    for (offset, value) in [(124, 200), (125, 201), (126, 202)] as [(Int, UInt8)] { forge(value, at: offset, in: &bytes) }
    try write(bytes, to: path)
    let read = test.read()
    #expect(read.events.count > 3)
    #expect(read.problems.isEmpty)
    let writer = read.events.first?.source.writer
    #expect(writer?.role == .app && writer?.captureMode == .hashed && writer?.lowestLevel == .default)
  }

  @Test func `What is not a file, not there or not allowed says so`() throws {
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

  @Test func `A bad segment does not hide the others`() throws {
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

  @Test func `A header comes back as it was written`() throws {
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

  @Test func `Names too long for the header are cut at a character`() throws {
    var header = try written().withUnsafeBytes { try SegmentHeader.decode($0).get() }
    header.executable = String(repeating: "本", count: 200)
    header.toolVersion = "v"
    var bytes = [UInt8](repeating: 0, count: SegmentFormat.headerSize)
    bytes.withUnsafeMutableBytes { header.encode(to: $0) }
    let decoded = try bytes.withUnsafeBytes { try SegmentHeader.decode($0).get() }
    #expect(decoded.executable == String(repeating: "本", count: 85))
    #expect(decoded.toolVersion == "v")
  }

  @Test func `A thread that is killed while it begins a chunk loses nothing by it, whatever of the header and its copy is there`()
    throws
  {
    let bytes = try #require(FormatSample.named("killed").committed["000001.seg"])
    let claimed: UInt32 = bytes.number(at: SegmentHeader.claimedChunks)
    let whole = LogContents([.segment(try test.write(bytes))])
    #expect(claimed == 2 && whole.gaps.isEmpty && whole.events.count > 3)
    let header = bytes[SegmentFormat.chunkOffset(1)..<SegmentFormat.chunkOffset(1) + ChunkHeader.size]
    let (start, copy) = (SegmentFormat.chunkOffset(2), SegmentFormat.chunkOffset(3) - ChunkHeader.size)
    // Another thread may have gone on to the next segment meanwhile.
    for state in [0, 2] as [UInt32] {
      // Everything but the magic, which comes last, up to any byte; of the copy, too, as far as a compiler may have moved it.
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
    // A field of another name, in an event that is known.
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

  @Test func `A task whose session's name is lost keeps its uid and number`() throws {
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

  // MARK: Segments that are missing

  /// A log of one lane over several segments, the positions that each holds, and its lane.
  private func severalSegments() throws -> [(number: UInt32, sequences: ClosedRange<UInt64>)] {
    let log = try test.open()
    Workload.emit(0, numbers: 0..<30_000, to: log)
    log.close()
    var ranges: [UInt32: ClosedRange<UInt64>] = [:]
    for event in test.read().events {
      guard case .record(let segment, 1, let sequence) = event.reference else { continue }
      ranges[segment] = (ranges[segment]?.lowerBound ?? sequence)...sequence
    }
    return ranges.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  @Test func `A missing segment in the middle is a gap of just its positions`() throws {
    let segments = try severalSegments()
    #expect(segments.count >= 4)
    let removed = segments[1]
    unlink(test.segment(removed.number))
    let read = test.read()
    #expect(read.problems.isEmpty)
    #expect(read.gaps.map(\.cause) == [.missingSequence])
    let gap = try #require(read.gaps.first)
    #expect(gap.sequences == removed.sequences.lowerBound..<removed.sequences.upperBound + 1)
    #expect(gap.lane == 1)
    #expect(gap.segment == segments[2].number)
    #expect(gap.bytes == nil)
    #expect(gap.launch == read.events.first?.source.writer.launch)
    // What stood on both sides, by the clock.
    let before = try #require(read.events.last { $0.reference < .record(segment: removed.number, lane: 1, sequence: 0) })
    #expect(gap.after?.monotonic == before.monotonic)
    let next = try #require(read.events.first { $0.reference > .record(segment: removed.number, lane: .max, sequence: .max) })
    #expect(try #require(gap.before?.monotonic) <= (try #require(next.monotonic)))
    #expect(read.wrong == [])
  }

  @Test func `A missing first segment is a missing head`() throws {
    let segments = try severalSegments()
    unlink(test.segment(segments[0].number))
    unlink(test.segment(segments[1].number))
    let read = test.read()
    #expect(read.gaps.map(\.cause) == [.missingHead])
    #expect(read.gaps.first?.sequences == 0..<segments[1].sequences.upperBound + 1)
    #expect(read.gaps.first?.after == nil)
    #expect(read.wrong == [])
  }

  @Test func `A segment that is cut says where it ends`() throws {
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

  @Test func `A chunk whose header is damaged is read by the copy of it`() throws {
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

  @Test func `A damaged chunk says which positions it took`() throws {
    let segments = try severalSegments()
    let path = test.segment(segments[2].number)
    var bytes = try contents(of: path)
    // The third chunk of the segment, by its header and the copy of that: whose it was cannot be told any more.
    let start = SegmentFormat.chunkOffset(2)
    bytes[start + 10] ^= 1
    bytes[start + SegmentFormat.recordsEnd(span: 1) + 10] ^= 1
    try write(bytes, to: path)
    let read = test.read()
    #expect(read.wrong == [])
    let lost = try #require(read.gaps.first { $0.sequences != nil })
    #expect(lost.cause == .damaged(problem: "a chunk before it cannot be read"))
    let chunk = try #require(read.gaps.first { $0.bytes != nil })
    #expect(chunk.cause == .damaged(problem: "the chunk's header cannot be right"))
    #expect(chunk.bytes == UInt64(start)..<UInt64(start + SegmentFormat.chunkSize))
    let present = Set(read.numbers[0] ?? [])
    #expect(30_000 - present.count == lost.sequences?.count)
  }
}
