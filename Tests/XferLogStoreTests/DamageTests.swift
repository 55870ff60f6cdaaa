import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// A segment after something happened to its bytes: what is read is what was written, and what is missing is reported.
struct DamageTests {
  /// More events than any chunk holds.
  private static let chunkfull = 1000

  /// One segment of each form, for all trials.
  private static func pristine(_ form: WrittenLog.Form) throws -> PristineSegment { try PristineSegment(form) }

  @Test(arguments: WrittenLog.Form.allCases)
  func `An undamaged segment gives what was written`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let read = try pristine.read(pristine.bytes, "undamaged")
    #expect(read.same == pristine.events.count && read.unreadable == 0)
    #expect(read.gaps.map(\.cause) == (form == .open ? [.torn] : []))
    #expect(form == .appended || pristine.bytes.count == SegmentFormat.fileSize(chunks: SegmentFormat.firstChunks))
  }

  // MARK: Cuts

  @Test(arguments: WrittenLog.Form.allCases)
  func `A segment cut anywhere gives every record before the cut`(form: WrittenLog.Form) throws {
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
      // What a record says is looked at now and then; that it is there, and no other, always.
      let comparesValues = cut % 97 == 0
      compared += comparesValues ? 1 : 0
      let read = pristine.read(path, "cut at \(cut)", comparesValues: comparesValues)
      let expected = ends.count { $0 <= cut }
      if read.events != expected { Issue.record("cut at \(cut): \(read.events) events of \(expected)") }
      if expected < ends.count, read.gaps.isEmpty { Issue.record("cut at \(cut): nothing is said to be missing") }
      #expect(read.problems.isEmpty)
      // Every place where a record ends is one where the cut could go unnoticed.
      cut = max(cut - step, ends.last { $0 < cut && $0 > pristine.bytes.count - 2000 } ?? 0)
    }
    print("cuts of a segment \(form): \(cuts), all values compared at \(compared)")
    // Within the header there is nothing to read, and it says so.
    for cut in [4095, 1024, 100, 9, 8] {
      truncate(path, off_t(cut))
      let read = pristine.read(path, "cut at \(cut)")
      #expect(read.events == 0)
      #expect(read.problems.map(\.error.code) == [.damagedHeader], "cut at \(cut)")
    }
  }

  // MARK: One flip

  @Test(arguments: WrittenLog.Form.allCases)
  func `A flipped bit never changes what is read, and costs at most its chunk`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let ranges = pristine.meaningful
    var (inMeaning, worst) = (0, 0)
    let seeds = seeds(60, campaign: 2000)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      var bytes = pristine.bytes
      let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let trial = "\(form), seed \(seed), bit \(bit % 8) of byte \(bit / 8)"
      let read = try pristine.read(bytes, trial)
      let missing = pristine.events.count - read.events
      #expect(read.problems.isEmpty, "\(trial)")
      #expect(missing <= Self.chunkfull, "\(trial): \(missing) events lost")
      worst = max(worst, missing)
      if ranges.contains(where: { $0.contains(bit / 8) }) {
        inMeaning += 1
        #expect(read.reports(bit / 8), "\(trial): not reported")
      } else if pristine.loneHeaders.contains(where: { $0.contains(bit / 8) }) {
        #expect(missing == 0 || !read.gaps.isEmpty, "\(trial): not reported")
      } else {
        // Headers are there twice, and room that is not used says nothing.
        #expect(missing == 0, "\(trial): \(missing) events lost to a header or unused room")
      }
    }
    print("flips in a segment \(form): \(seeds.count), \(inMeaning) in records; at most \(worst) events lost")
    #expect(inMeaning > 0 || seeds.count < 10)
  }

  // MARK: Much damage

  /// A record is undamaged when its own bytes, those of its chunk's header and those of the segment's header that the
  /// checksum covers are as they were. Its names are compared where the dictionary is untouched, too; else they may be unreadable.
  @Test(arguments: WrittenLog.Form.allCases)
  func `Of much damage the undamaged records are salvaged, and nothing else`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    var (undamaged, salvaged, whole, found) = (0, 0, 0, 0)
    let seeds = seeds(40, campaign: 1000)
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
        #expect(!read.gaps.isEmpty || !read.problems.isEmpty, "\(trial): events lost in silence")
      }
      if expected.hasDictionary { #expect(read.unreadable == 0, "\(trial): names cannot be read") }
    }
    print(
      "much damage to a segment \(form): \(seeds.count) files, \(salvaged) of \(undamaged) undamaged records read; "
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

  // MARK: What belongs elsewhere

  @Test func `Chunks of another place or segment are recognised, even under a header that fits`() throws {
    let (pristine, other) = (try Self.pristine(.closed), try Self.pristine(.closed))
    for left in 0..<SegmentFormat.firstChunks {
      for (source, right) in (0..<SegmentFormat.firstChunks).map({ (pristine, $0) }) + [(other, left)] {
        var bytes = pristine.bytes
        bytes.replaceSubrange(Self.slot(left), with: source.bytes[Self.slot(right)])
        // The end of a large text is the same in both segments, but for the copy of a header that is whole.
        if bytes[Self.slot(left).dropLast(64)] == pristine.bytes[Self.slot(left).dropLast(64)] { continue }
        let read = try pristine.read(bytes, "chunk \(right) at \(left)")
        #expect(!read.gaps.isEmpty, "chunk \(right) at \(left)")
        #expect(pristine.events.count - read.events <= Self.chunkfull, "chunk \(right) at \(left)")
        bytes.replaceSubrange(Self.slot(left).prefix(64), with: pristine.bytes[Self.slot(left).prefix(64)])
        try pristine.read(bytes, "records of chunk \(right) at \(left)")
      }
    }
  }

  @Test func `Random bytes under a right header give nothing`() throws {
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
  func `Without its definitions an event is whole, and says what it cannot name`(form: WrittenLog.Form) throws {
    let pristine = try Self.pristine(form)
    let definitions = pristine.log.draft.chunks.filter(\.isDictionary).flatMap(\.records)
    var unreadable = 0
    for seed in seeds(10, campaign: 1000) {
      var random = SeededRandom(seed: 60_000 + seed)
      var bytes = pristine.bytes
      for _ in 0..<20 { bytes[definitions.randomElement(using: &random)!.bytes.lowerBound + 9] ^= 0x10 }
      let read = try pristine.read(bytes, "\(form), seed \(seed)")
      #expect(read.events == pristine.events.count, "\(form), seed \(seed): the events themselves are whole")
      #expect(!read.gaps.isEmpty, "\(form), seed \(seed)")
      unreadable += read.unreadable
    }
    #expect(unreadable > 0)
  }
}
