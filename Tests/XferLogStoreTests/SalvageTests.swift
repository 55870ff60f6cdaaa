import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of salvaging damaged segments: every record that is undamaged is returned exactly once, and nothing else.
struct SalvageTests {
  struct Place: Hashable {
    let lane: UInt32
    let sequence: UInt64

    init(_ event: RecordedEvent) {
      guard case .record(_, let lane, let sequence, _) = event.reference else { preconditionFailure("a record of a segment") }
      (self.lane, self.sequence) = (lane, sequence)
    }

    init(lane: UInt32, sequence: UInt64) { (self.lane, self.sequence) = (lane, sequence) }
  }

  enum Form: CaseIterable { case closed, open, appended, sealed }

  /// An undamaged segment, with the byte range of each event. A sealed log uses its second segment, which has many blocks.
  struct Original {
    let bytes: [UInt8]
    var statements: [Place: String] = [:]
    var ranges: [Place: [Range<Int>]] = [:]

    init(_ form: Form) throws {
      let test = TestLog()
      let log = try test.open { $0.forcesAppending = form == .appended }
      // Two nested threads write two lanes, whose chunks alternate.
      Workload.emit(0, numbers: 0..<300, to: log)
      SystemThread {
        Workload.emit(1, numbers: 0..<300, to: log)
        SystemThread { Workload.emit(2, numbers: 0..<300, to: log) }.join()
        Workload.emit(1, numbers: 300..<500, to: log)
      }.join()
      if form == .sealed { Workload.emit(0, numbers: 300..<3600, to: log) }
      log.emit(AppNoted(intent: "large", message: String(repeating: "large ", count: 5600)))
      if form != .open { log.close() }
      let path = test.segment(form == .sealed ? 2 : 1)
      precondition(test.segments.count == 1 || form == .sealed, "one segment must hold all events")
      let live = try contents(of: path)
      let read = LogContents([.segment(path)])
      precondition(read.gaps.allSatisfy(Self.precedes) && read.wrong.isEmpty, "all written events must be read")
      for event in read.events { statements[Place(event)] = Self.statement(event) }
      let chunks = Self.walk(live)
      if form == .sealed {
        _ = LogSealer(directory: test.directory).seal()
        bytes = try contents(of: path)
        for (place, range) in Self.blocks(bytes, chunks.mapValues(\.chunk)) { ranges[place] = [range] }
      } else {
        bytes = live
        for (place, record) in chunks { ranges[place] = [record.bytes] }
      }
      precondition(Set(ranges.keys) == Set(statements.keys), "the walk must find every event that was read")
      withExtendedLifetime(log) {}
    }

    /// Whether a gap is due to the first segment, without which the sealed one is read.
    static func precedes(_ gap: LogGap) -> Bool { gap.cause == .missingHead || gap.cause == .missingSegments(1...1) }

    static func statement(_ event: RecordedEvent) -> String {
      "\(event.layout.name) \(event.level) \(event.values.map { "\($0.name)=\($0.value)" })"
    }

    /// Finds all events with the numbers from the format article.
    private static func walk(_ bytes: [UInt8]) -> [Place: (bytes: Range<Int>, chunk: UInt32)] {
      func word(_ offset: Int) -> UInt32 {
        (0..<4).reduce(0) { offset + $1 < bytes.count ? $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) : $0 }
      }
      var places: [Place: (bytes: Range<Int>, chunk: UInt32)] = [:]
      var (chunk, index) = (4096, UInt32(0))
      while chunk + 64 < bytes.count {
        let (kind, span) = (word(chunk + 4), max(1, word(chunk + 20)))
        var sequence = UInt64(word(chunk + 24)) | UInt64(word(chunk + 28)) << 32
        var offset = chunk + 64
        while offset + 16 <= bytes.count, word(offset) != 0, word(offset) != 0xFFFF_FFFF, word(chunk) != 0,
          offset < chunk + Int(span) * 32_768 - 64
        {
          let length = kind == 3 ? Int(word(offset + 16)) : Int(word(offset) & 0xFFFF) * 4
          let isEvent = kind != 2 && word(offset + 12) >> 16 < 0xFFF0
          if isEvent { places[Place(lane: word(chunk + 12), sequence: sequence)] = (offset..<offset + length, index) }
          sequence += 1
          offset += length
        }
        chunk += Int(span) * 32_768
        index += span
      }
      return places
    }

    /// Returns the byte ranges of the events' blocks, including header and stored bytes.
    private static func blocks(_ bytes: [UInt8], _ chunks: [Place: UInt32]) -> [Place: Range<Int>] {
      func word(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) } }
      var blocks: [UInt32: Range<Int>] = [:]
      var offset = 4096
      while word(offset) == 0x4B4C_4258 {
        let stored = Int(word(offset + 68))
        blocks[word(offset + 8)] = offset..<offset + 128 + stored
        offset += (128 + stored + 7) & ~7
      }
      return chunks.compactMapValues { blocks[$0] }
    }
  }

  struct Reading {
    var places: Set<Place> = []
    var gaps: [LogGap] = []
    var problems: [LogReader.Problem] = []
  }

  /// Reads a segment and records an issue for every event that is wrong, duplicated or was never written.
  static func read(_ path: String, of original: Original, _ trial: String, recovery: RecoveryMode = .salvage) -> Reading {
    var reading = Reading()
    let reader = LogReader([.segment(path)], recovery: recovery)
    while let member = reader.next() {
      switch member {
      case .gap(let gap): reading.gaps.append(gap)
      case .event(let event):
        let place = Place(event)
        if !reading.places.insert(place).inserted { Issue.record("\(trial): \(event.reference) twice") }
        guard let statement = original.statements[place] else {
          Issue.record("\(trial): \(event.reference) was never written")
          continue
        }
        if Original.statement(event) == statement { continue }
        let isMarked = event.values.contains { $0.value == .unreadable } || event.task?.session == "?"
        if !isMarked { Issue.record("\(trial): \(event.reference) reads \(Original.statement(event)), expected \(statement)") }
      }
    }
    reading.problems = reader.problems
    return reading
  }

  @Test(arguments: [Form.closed, .open, .sealed])
  func `After extensive damage, every undamaged record is salvaged, and nothing else`(form: Form) throws {
    let original = try Original(form)
    let directory = TemporaryDirectory()
    var (whole, salvaged) = (0, 0)
    for kind in DamagedCopy.Kind.allCases {
      var (expected, found, tail, headless) = (0, 0, 0, (0, 0))
      let seeds = seeds(6, campaign: 56)
      for seed in seeds {
        let copy = DamagedCopy(of: original.bytes, kind, seed: seed)
        let path = try directory.write(copy.bytes, to: "000001.seg")
        let trial = "\(form), \(copy.trial)"
        let reading = Self.read(path, of: original, trial)
        let places = original.ranges.filter { $0.value.allSatisfy(copy.has) }.keys
        // Without the segment's header, the result depends on copies of it that may be damaged.
        if copy.has(0..<1024) {
          expected += places.count
          found += places.count { reading.places.contains($0) }
        } else {
          headless.0 += places.count { reading.places.contains($0) }
          headless.1 += places.count
        }
        let usual = Self.read(path, of: original, trial, recovery: .tail)
        tail += usual.places.count
        #expect(reading.places.isSuperset(of: usual.places), "\(trial): fewer events than without salvaging")
        // A loss at the end of a lane cannot be detected here, so only losses before the end must be reported.
        let ends = reading.places.reduce(into: [:]) { $0[$1.lane] = max($0[$1.lane] ?? 0, $1.sequence) }
        let inside = original.statements.keys.filter { !reading.places.contains($0) && $0.sequence < ends[$0.lane] ?? .max }
        #expect(
          inside.isEmpty || !reading.gaps.isEmpty || !reading.problems.isEmpty, "\(trial): events lost without a gap")
      }
      print(
        "\(form), \(kind): \(seeds.count) files, \(found) of \(expected) whole records salvaged, "
          + "\(headless.0) of \(headless.1) in segments without their header (\(tail) read without salvaging)")
      #expect(found * 100 >= expected * 99, "\(form), \(kind): \(found) of \(expected)")
      whole += expected
      salvaged += found
    }
    #expect(whole > 0 && salvaged * 100 >= whole * 99)
  }

  @Test(arguments: Form.allCases)
  func `Salvaging an undamaged segment returns the same events as reading it`(form: Form) throws {
    let original = try Original(form)
    let directory = TemporaryDirectory()
    let reading = Self.read(try directory.write(original.bytes, to: "000001.seg"), of: original, "\(form)")
    #expect(reading.places == Set(original.statements.keys))
    #expect(reading.gaps.allSatisfy(Original.precedes) && reading.problems.isEmpty)
  }

  @Test func `Chunks that were swapped are read at their original positions`() throws {
    let original = try Original(.closed)
    let directory = TemporaryDirectory()
    for (one, other) in [(1, 2), (0, 3), (0, 1), (2, 4)] {
      var bytes = original.bytes
      let slots = [one, other].map { SegmentFormat.chunkOffset($0)..<SegmentFormat.chunkOffset($0 + 1) }
      bytes.replaceSubrange(slots[0], with: original.bytes[slots[1]])
      bytes.replaceSubrange(slots[1], with: original.bytes[slots[0]])
      let path = try directory.write(bytes, to: "000001.seg")
      let trial = "chunks \(one) and \(other)"
      #expect(Self.read(path, of: original, trial).places.count == original.statements.count, "\(trial)")
      #expect(Self.read(path, of: original, trial, recovery: .tail).places.count < original.statements.count, "\(trial)")
    }
  }

  @Test func `A chunk without headers is assigned to the matching lane, without times, or to none`() throws {
    let original = try Original(.closed)
    let directory = TemporaryDirectory()
    var placed = 0
    for slot in 0..<6 {
      var bytes = original.bytes
      let start = SegmentFormat.chunkOffset(slot)
      for place in [start, start + SegmentFormat.recordsEnd(span: 1)] {
        for byte in place..<place + ChunkHeader.size { bytes[byte] = 0xA5 }
      }
      let path = try directory.write(bytes, to: "000001.seg")
      let reading = Self.read(path, of: original, "chunk \(slot)")
      if reading.places.count == original.statements.count { placed += 1 }
      let reader = LogReader([.segment(path)], recovery: .salvage)
      while let member = reader.next() {
        guard case .event(let event) = member else { continue }
        #expect(event.monotonic.map { $0 > 0 } ?? true)
      }
    }
    print("\(placed) of 6 chunks without headers were placed")
    #expect(placed >= 2)
  }

  @Test(arguments: [1, 3, 2000] as [UInt32])
  func `A large record is salvaged completely, whatever span its chunk's header states`(span: UInt32) throws {
    let sample = try FormatSample.named("everything")
    let bytes = try #require(sample.committed["000001.seg"])
    var draft = SegmentDraft(bytes)
    let place = try #require(draft.chunks.firstIndex { $0.isLarge })
    draft.chunks[place].header.put(span, at: 20)
    let directory = TemporaryDirectory()
    let path = try directory.write(draft.bytes(), to: "000001.seg")
    let large = LogReader([.segment(path)], recovery: .salvage).compactMap { member in
      if case .event(let event) = member, case .plain(let text)? = event.intent, text.utf8.count > 40_000 { event } else { nil }
    }
    #expect(large.count == 1)
  }

  @Test func `A header with an impossible chunk count does not hinder salvaging`() throws {
    let sample = try FormatSample.named("everything")
    var bytes = try #require(sample.committed["000001.seg"])
    forge(UInt32.max, at: 120, in: &bytes)
    // Damage a record inside a chunk, so that the chunk becomes several blocks.
    let chunk = try #require(SegmentDraft(bytes).chunks.first { !$0.isDictionary })
    bytes[chunk.records[6].bytes.lowerBound + 20] ^= 0x10
    let directory = TemporaryDirectory()
    let path = try directory.write(bytes, to: "000001.seg")
    for mode in [RecoveryMode.tail, .salvage] {
      let events = LogReader([.segment(path)], recovery: mode).count { if case .event = $0 { true } else { false } }
      #expect(events == 51, "\(mode)")
    }
  }

  @Test func `A segment that has lost its header and all copies still yields its events`() throws {
    for form in [Form.closed, .sealed] {
      let original = try Original(form)
      let directory = TemporaryDirectory()
      var bytes = original.bytes
      for place in 0..<1100 { bytes[place] = 0x3C }
      if form == .sealed {
        for place in bytes.count - 400..<bytes.count { bytes[place] = 0x3C }
      }
      // Damage the copies too: the dictionary begins with one, and a sealed segment's index has another.
      if form == .closed {
        for slot in 0..<SegmentFormat.firstChunks where bytes[SegmentFormat.chunkOffset(slot) + 4] == 2 {
          for place in 0..<20 { bytes[SegmentFormat.chunkOffset(slot) + 84 + place] ^= 0x55 }
        }
      }
      let path = try directory.write(bytes, to: "000001.seg")
      let reading = Self.read(path, of: original, "\(form)")
      #expect(reading.places.count == original.statements.count, "\(form)")
    }
  }

  @Test func `The seed of a record is computed from its checksum`() {
    var random = SeededRandom(seed: 7)
    for count in [8, 9, 100, 4000, 40_000] {
      let bytes = random.bytes(count)
      let seed = UInt32.random(in: .min ... .max, using: &random)
      bytes.withUnsafeBytes { bytes in
        #expect(Checksum.seed(of: Checksum.crc32c(bytes, seed: seed), over: bytes) == seed)
      }
    }
  }
}
