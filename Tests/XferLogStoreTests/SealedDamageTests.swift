import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of damaged sealed segments: all returned events are as written, and everything missing is reported.
struct SealedDamageTests {
  /// An upper bound of the number of events in a chunk.
  private static let maximumChunkEvents = 1000

  private struct Sealed {
    let pristine: PristineSegment
    let bytes: [UInt8]
    /// The blocks, with the byte ranges of the block and its stored bytes, and the numbers of its positions and events.
    private(set) var blocks: [(extent: Range<Int>, stored: Range<Int>, positions: Int, events: Int)] = []

    init(_ form: WrittenLog.Form) throws {
      pristine = try PristineSegment(form)
      bytes = try sealedSegment(pristine.bytes, compresses: true)
      let index = try #require(bytes.withUnsafeBytes { SealedBlocks.index(of: SegmentBytes(viewing: $0), nonce: nil) })
      for entry in index.entries {
        let start = Int(entry.offset)
        let chunk = entry.block.chunk
        let events = (0..<UInt64(entry.block.positions)).count {
          pristine.log.statements[.init(lane: chunk.lane, sequence: chunk.firstSequence + $0)] != nil
        }
        let stored = start + BlockHeader.size..<start + BlockHeader.size + Int(entry.block.storedSize)
        let isDictionary = chunk.kind == .dictionary
        blocks.append((start..<stored.upperBound, stored, Int(entry.block.positions), isDictionary ? 0 : events))
      }
      precondition(blocks.reduce(0) { $0 + $1.events } == pristine.events.count)
    }
  }

  @Test(arguments: WrittenLog.Form.allCases)
  func `A sealed segment truncated anywhere returns every block before the end`(form: WrittenLog.Form) throws {
    let sealed = try Sealed(form)
    let directory = TemporaryDirectory()
    let path = try directory.write(sealed.bytes, to: "000001.seg")
    var cuts = 0
    for cut in stride(from: sealed.bytes.count - 1, through: 8, by: isCampaign ? -1 : -397) {
      truncate(path, off_t(cut))
      cuts += 1
      let read = sealed.pristine.read(path, "cut at \(cut)", comparesValues: cut % 97 == 0)
      let expected = sealed.blocks.reduce(0) { $1.extent.upperBound <= cut ? $0 + $1.events : $0 }
      if read.events != expected { Issue.record("cut at \(cut): \(read.events) events of \(expected)") }
      if read.gaps.isEmpty, read.problems.isEmpty { Issue.record("cut at \(cut): no gap is reported") }
    }
    print("truncations of a sealed segment \(form): \(cuts)")
  }

  @Test(arguments: WrittenLog.Form.allCases)
  func `A flipped bit in a sealed segment never changes an event and loses at most one chunk`(form: WrittenLog.Form) throws {
    let sealed = try Sealed(form)
    var (inBlocks, worst) = (0, 0)
    let seeds = seeds(30, campaign: 2000)
    for seed in seeds {
      var random = SeededRandom(seed: 80_000 + seed)
      var bytes = sealed.bytes
      let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let trial = "\(form), seed \(seed), bit \(bit % 8) of byte \(bit / 8)"
      let read = try sealed.pristine.read(bytes, trial)
      let missing = sealed.pristine.events.count - read.events
      #expect(read.problems.isEmpty, "\(trial)")
      #expect(missing <= Self.maximumChunkEvents, "\(trial): \(missing) events lost")
      worst = max(worst, missing)
      if let hit = sealed.blocks.first(where: { $0.stored.contains(bit / 8) }) {
        inBlocks += 1
        // A lane may have left the chunk without writing to it.
        #expect(!read.gaps.isEmpty || hit.positions == 0, "\(trial): not reported")
        #expect(missing == hit.events, "\(trial): \(missing) events lost of a block with \(hit.events)")
      } else {
        // The contents of headers, index and trailer are stored twice.
        #expect(missing == 0 && read.unreadable == 0, "\(trial): \(missing) events lost")
      }
    }
    print("flips in a segment \(form), sealed: \(seeds.count), \(inBlocks) in blocks; at most \(worst) events lost")
    #expect(inBlocks > 0 || seeds.count < 10)
  }

  @Test(arguments: WrittenLog.Form.allCases)
  func `After extensive damage to a sealed segment, exactly its undamaged blocks are read`(form: WrittenLog.Form) throws {
    let sealed = try Sealed(form)
    var (undamaged, found) = (0, 0)
    let seeds = seeds(20, campaign: 1000)
    for seed in seeds {
      var damage = SegmentDamage(seed: 90_000 + seed)
      var bytes = sealed.bytes
      let what = damage.apply(to: &bytes)
      let trial = "\(form), seed \(seed), \(what)"
      let read = try sealed.pristine.read(bytes, trial)
      func isSame(_ range: Range<Int>) -> Bool {
        range.upperBound <= bytes.count && bytes[range] == sealed.bytes[range]
      }
      let whole = isSame(0..<SegmentHeader.fixedSize) ? sealed.blocks.reduce(0) { isSame($1.extent) ? $0 + $1.events : $0 } : 0
      undamaged += whole
      found += min(whole, read.events)
      if read.events < sealed.pristine.events.count {
        #expect(!read.gaps.isEmpty || !read.problems.isEmpty, "\(trial): events lost without a gap")
      }
    }
    print(
      "extensive damage, sealed \(form): \(seeds.count) files, \(found) of \(undamaged) events in undamaged blocks read")
    #expect(undamaged > 0 && found * 100 >= undamaged * 99, "\(form): \(found) of \(undamaged)")
  }

  // MARK: Forged segments

  @Test func `Retention may have removed as many consecutive records as a block can hold`() {
    var encoder = ColumnEncoder()
    for _ in 0..<100_000 {
      var one: UInt32 = 1
      encoder.append(thinned: &one, time: 0)
    }
    encoder.append(kind: 1, time: 7, payload: .init(start: nil, count: 0))
    encoder.finish().withUnsafeBytes { bytes in
      var walker = ColumnWalker(bytes, firstSequence: 5)!
      let records = walker.rest()
      #expect(records.map(\.sequence) == [100_005] && records.map(\.time) == [7])
    }
  }

  @Test func `A position beyond the limit of lane positions is rejected`() throws {
    let bytes = try sealedSegment(PristineSegment(.closed).bytes, compresses: false)
    var draft = SealedDraft(bytes)
    let place = try #require(draft.blocks.lastIndex { !$0.isDictionary })
    draft.blocks[place].header.put(UInt64.max - 3, at: 24)
    let directory = TemporaryDirectory()
    let read = LogContents([.segment(try directory.write(draft.bytes(), to: "000001.seg"))])
    #expect(!read.gaps.isEmpty && read.gaps.allSatisfy { ($0.sequences?.upperBound ?? 0) < 1 << 62 })
  }

  @Test func `A chunk index beyond the limit is rejected in every recovery mode`() throws {
    let bytes = try sealedSegment(PristineSegment(.closed).bytes, compresses: false)
    var draft = SealedDraft(bytes)
    let place = try #require(draft.blocks.lastIndex { !$0.isDictionary })
    draft.blocks[place].header.put(UInt32.max, at: 8)
    let directory = TemporaryDirectory()
    let path = try directory.write(draft.bytes(), to: "000001.seg")
    for mode in RecoveryMode.allCases where mode != .strict {
      let reader = LogReader([.segment(path)], recovery: mode)
      #expect(reader.contains { if case .gap = $0 { true } else { false } }, "\(mode)")
    }
  }
}
