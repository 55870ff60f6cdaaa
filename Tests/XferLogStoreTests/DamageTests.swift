import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of damaged segments: all returned events are as written, and everything missing is reported.
struct DamageTests {
  /// An upper bound of the number of events in a chunk.
  private static let maximumChunkEvents = 1000

  /// Returns an undamaged segment of the form, which all trials copy.
  private static func pristine(_ form: WrittenLog.Form) throws -> PristineSegment { try PristineSegment(form) }

  @Test(arguments: WrittenLog.Form.allCases)
  func `An undamaged segment returns the events that were written`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let read = try pristine.read(pristine.bytes, "undamaged")
    #expect(read.same == pristine.events.count && read.unreadable == 0)
    #expect(read.gaps.map(\.cause) == (form == .open ? [.torn] : []))
    #expect(form == .appended || pristine.bytes.count == SegmentFormat.fileSize(chunks: SegmentFormat.firstChunks))
  }

  // MARK: Truncation

  @Test(arguments: WrittenLog.Form.allCases)
  func `A segment truncated anywhere returns every record before the end`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let ends = pristine.events.map(\.bytes.upperBound).sorted()
    let step = isCampaign ? 1 : 397
    var (cuts, compared) = (0, 0)
    let directory = TemporaryDirectory()
    let path = try directory.write(pristine.bytes, to: "000001.seg")
    var cut = pristine.bytes.count - 1
    while cut >= SegmentFormat.headerSize {
      truncate(path, off_t(cut))
      cuts += 1
      // The values of records are compared only in some trials. That the right records exist is checked in every trial.
      let comparesValues = cut % 97 == 0
      compared += comparesValues ? 1 : 0
      let read = pristine.read(path, "cut at \(cut)", comparesValues: comparesValues)
      let expected = ends.count { $0 <= cut }
      if read.events != expected { Issue.record("cut at \(cut): \(read.events) events of \(expected)") }
      if expected < ends.count, read.gaps.isEmpty { Issue.record("cut at \(cut): no gap is reported") }
      #expect(read.problems.isEmpty)
      // Truncating exactly at the end of a record could go unnoticed, so try each such offset near the end of the file.
      cut = max(cut - step, ends.last { $0 < cut && $0 > pristine.bytes.count - 2000 } ?? 0)
    }
    print("truncations of a segment \(form): \(cuts), all values compared at \(compared)")
    // A file truncated within its header contains no events and reports a damaged header.
    for cut in [4095, 1024, 100, 9, 8] {
      truncate(path, off_t(cut))
      let read = pristine.read(path, "cut at \(cut)")
      #expect(read.events == 0)
      #expect(read.problems.map(\.error.code) == [.damagedHeader], "cut at \(cut)")
    }
  }

  // MARK: Single bit flips

  @Test(arguments: WrittenLog.Form.allCases)
  func `A flipped bit never changes an event and loses at most one chunk`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let ranges = pristine.meaningful
    var (inMeaning, worst) = (0, 0)
    let seeds = seeds(30, campaign: 2000)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      var bytes = pristine.bytes
      let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let trial = "\(form), seed \(seed), bit \(bit % 8) of byte \(bit / 8)"
      let read = try pristine.read(bytes, trial)
      let missing = pristine.events.count - read.events
      #expect(read.problems.isEmpty, "\(trial)")
      #expect(missing <= Self.maximumChunkEvents, "\(trial): \(missing) events lost")
      worst = max(worst, missing)
      if ranges.contains(where: { $0.contains(bit / 8) }) {
        inMeaning += 1
        #expect(read.reports(bit / 8), "\(trial): not reported")
      } else if pristine.loneHeaders.contains(where: { $0.contains(bit / 8) }) {
        #expect(missing == 0 || !read.gaps.isEmpty, "\(trial): not reported")
      } else {
        // Headers have a second copy, and unused space carries no information.
        #expect(missing == 0, "\(trial): \(missing) events lost to a header or unused room")
      }
    }
    print("flips in a segment \(form): \(seeds.count), \(inMeaning) in records; at most \(worst) events lost")
    #expect(inMeaning > 0 || seeds.count < 10)
  }

  // MARK: Extensive damage

  /// A record counts as undamaged if its own bytes, its chunk's header and the checksummed part of the segment's header are
  /// unchanged. Names are compared only if the dictionary is undamaged as well; otherwise they may be unreadable.
  @Test(arguments: WrittenLog.Form.allCases)
  func `After extensive damage, all undamaged records are read, and no others`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    var (undamaged, salvaged, whole, found) = (0, 0, 0, 0)
    let seeds = seeds(20, campaign: 1000)
    for seed in seeds {
      var damage = SegmentDamage(seed: 10_000 + seed)
      var bytes = pristine.bytes
      let what = damage.apply(to: &bytes)
      let trial = "\(form), seed \(seed), \(what)"
      let read = try pristine.read(bytes, trial)
      let expected = pristine.undamaged(in: bytes)
      undamaged += expected.places.count
      salvaged += expected.places.count { read.places.contains($0) }
      whole += expected.ownBytes
      found += read.events
      if read.events < pristine.events.count {
        #expect(!read.gaps.isEmpty || !read.problems.isEmpty, "\(trial): events lost without a gap")
      }
      if expected.hasDictionary { #expect(read.unreadable == 0, "\(trial): some names are unreadable") }
    }
    print(
      "extensive damage to a segment \(form): \(seeds.count) files, \(salvaged) of \(undamaged) undamaged records read; "
        + "\(found) of \(whole) whose own bytes are whole")
    #expect(undamaged > 0 && salvaged * 100 >= undamaged * 99, "\(form): \(salvaged) of \(undamaged)")
  }

  @Test func `Every zeroed chunk is reported`() throws {
    let pristine = try Self.pristine(.closed)
    for index in 0..<SegmentFormat.firstChunks {
      var bytes = pristine.bytes
      for place in Self.slot(index) { bytes[place] = 0 }
      #expect(!(try pristine.read(bytes, "chunk \(index)").gaps.isEmpty), "chunk \(index)")
    }
  }

  private static func slot(_ index: Int) -> Range<Int> {
    SegmentFormat.chunkOffset(index)..<SegmentFormat.chunkOffset(index + 1)
  }

  // MARK: Misplaced chunks

  @Test func `A chunk from another position or segment is detected, even under a valid header`() throws {
    let (pristine, other) = (try Self.pristine(.closed), try Self.pristine(.closed))
    for left in 0..<SegmentFormat.firstChunks {
      for (source, right) in (0..<SegmentFormat.firstChunks).map({ (pristine, $0) }) + [(other, left)] {
        var bytes = pristine.bytes
        bytes.replaceSubrange(Self.slot(left), with: source.bytes[Self.slot(right)])
        // The end of a large text is the same in both segments, except for the second copy of the header, which is intact.
        if bytes[Self.slot(left).dropLast(64)] == pristine.bytes[Self.slot(left).dropLast(64)] { continue }
        let read = try pristine.read(bytes, "chunk \(right) at \(left)")
        #expect(!read.gaps.isEmpty, "chunk \(right) at \(left)")
        #expect(pristine.events.count - read.events <= Self.maximumChunkEvents, "chunk \(right) at \(left)")
        bytes.replaceSubrange(Self.slot(left).prefix(64), with: pristine.bytes[Self.slot(left).prefix(64)])
        try pristine.read(bytes, "records of chunk \(right) at \(left)")
      }
    }
  }

  @Test func `Random bytes after a valid header yield no events`() throws {
    let pristine = try Self.pristine(.closed)
    for seed in seeds(10, campaign: 500) {
      var random = SeededRandom(seed: 40_000 + seed)
      let bytes = pristine.bytes[..<SegmentFormat.headerSize] + random.bytes(pristine.bytes.count - SegmentFormat.headerSize)
      let read = try pristine.read(Array(bytes), "seed \(seed)")
      #expect(read.events == 0, "seed \(seed)")
      #expect(read.gaps.count == SegmentFormat.firstChunks, "seed \(seed)")
    }
  }

  @Test(arguments: WrittenLog.Form.allCases)
  func `An event without its definitions is returned and marked as unreadable`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let definitions = pristine.log.draft.chunks.filter(\.isDictionary).flatMap(\.records)
    var unreadable = 0
    for seed in seeds(10, campaign: 1000) {
      var random = SeededRandom(seed: 60_000 + seed)
      var bytes = pristine.bytes
      for _ in 0..<20 { bytes[definitions.randomElement(using: &random)!.bytes.lowerBound + 9] ^= 0x10 }
      let read = try pristine.read(bytes, "\(form), seed \(seed)")
      #expect(read.events == pristine.events.count, "\(form), seed \(seed): the events themselves are undamaged")
      #expect(!read.gaps.isEmpty, "\(form), seed \(seed)")
      unreadable += read.unreadable
    }
    #expect(unreadable > 0)
  }
}
