import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// A segment in its undamaged form, with a comparison to what is read after damage.
struct PristineSegment {
  let log: WrittenLog
  var bytes: [UInt8] { log.bytes }
  /// The events' records with their byte ranges, positions and chunk indexes.
  let events: [(bytes: Range<Int>, place: WrittenLog.Place, chunk: Int)]

  init(_ form: WrittenLog.Form) throws {
    log = try WrittenLog(form)
    var events: [(bytes: Range<Int>, place: WrittenLog.Place, chunk: Int)] = []
    for (index, chunk) in log.draft.chunks.enumerated() where !chunk.isDictionary {
      for (place, record) in chunk.records.enumerated() where record.isEvent {
        events.append((record.bytes, .init(lane: chunk.lane, sequence: chunk.firstSequence + UInt64(place)), index))
      }
    }
    self.events = events
    precondition(Set(events.map(\.place)) == Set(log.statements.keys), "the walk must find every written event")
  }

  /// The byte ranges in which every bit matters: records. Headers have a second copy.
  var meaningful: [Range<Int>] { log.draft.chunks.flatMap { $0.records.map(\.bytes) } }

  /// The chunk headers without a second copy, which exist in appended files for chunks that are not full.
  var loneHeaders: [Range<Int>] {
    var start = SegmentFormat.headerSize
    return log.draft.chunks.compactMap { chunk in
      defer { start += chunk.slots * SegmentFormat.chunkSize }
      return start + chunk.slots * SegmentFormat.chunkSize > bytes.count ? start..<start + ChunkHeader.size : nil
    }
  }

  // MARK: Undamaged parts

  struct Undamaged {
    var places: Set<WrittenLog.Place> = []
    /// The number of records whose own bytes are unchanged, whether or not their chunk's header is.
    var ownBytes = 0
    /// Whether all definitions are unchanged.
    var hasDictionary = true
  }

  func undamaged(in damaged: [UInt8]) -> Undamaged {
    func isSame(_ range: Range<Int>) -> Bool { range.upperBound <= damaged.count && damaged[range] == bytes[range] }
    var undamaged = Undamaged()
    let hasHeader = isSame(0..<1024)
    let heads = log.draft.chunks.map { chunk in
      chunk.records.first.map { isSame($0.bytes.lowerBound - 64..<$0.bytes.lowerBound) } ?? false
    }
    for event in events where isSame(event.bytes) {
      undamaged.ownBytes += 1
      if hasHeader, heads[event.chunk] { undamaged.places.insert(event.place) }
    }
    for (index, chunk) in log.draft.chunks.enumerated() where chunk.isDictionary {
      if !heads[index] || !chunk.records.allSatisfy({ isSame($0.bytes) }) { undamaged.hasDictionary = false }
    }
    return undamaged
  }

  // MARK: Reading

  struct Reading {
    var places: Set<WrittenLog.Place> = []
    var same = 0
    /// The number of events with an unreadable name.
    var unreadable = 0
    var gaps: [LogGap] = []
    var problems: [LogReader.Problem] = []
    /// The damaged bytes without which no event is lost.
    var repaired: [Range<UInt64>] = []
    var events: Int { places.count }

    /// Returns whether a gap or a repair covers the byte, or a gap has no byte range.
    func reports(_ byte: Int) -> Bool {
      repaired.contains { $0.contains(UInt64(byte)) } || gaps.contains { gap in gap.bytes?.contains(UInt64(byte)) ?? false }
        || gaps.contains { $0.bytes == nil }
    }
  }

  /// Reads damaged bytes and records an issue for every event that is wrong, duplicated or was never written.
  @discardableResult
  func read(_ bytes: [UInt8], _ trial: String) throws -> Reading {
    let directory = TemporaryDirectory()
    return read(try directory.write(bytes, to: "000001.seg"), trial)
  }

  func read(_ path: String, _ trial: String, comparesValues: Bool = true) -> Reading {
    var reading = Reading()
    let reader = LogReader([.segment(path)])
    while let member = reader.next() {
      switch member {
      case .gap(let gap): reading.gaps.append(gap)
      case .event(let event):
        let place = WrittenLog.place(of: event)
        if !reading.places.insert(place).inserted { Issue.record("\(trial): \(event.reference) twice") }
        if !comparesValues {
          if log.statements[place] == nil { Issue.record("\(trial): \(event.reference) was never written") }
          continue
        }
        switch log.compare(event) {
        case .same: reading.same += 1
        case .unreadable: reading.unreadable += 1
        case .wrong: Issue.record("\(trial): \(event.reference) wrongly reads \(event.layout.name) \(event.values)")
        }
      }
    }
    reading.problems = reader.problems
    reading.repaired = reader.examinations.flatMap { $0.flaws.compactMap(\.bytes) }
    if reading.unreadable > 0, reading.gaps.isEmpty { Issue.record("\(trial): names are lost without a gap") }
    return reading
  }
}
