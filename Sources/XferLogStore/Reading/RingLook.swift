import XferEvents

/// The pages of rings as they stood together, though their writers go on meanwhile.
///
/// A ring begins a page when the one before has its last record, and empties its oldest first. So of the pages up to the newest
/// that a first look finds, a second look finds all that still stand; and copied from the newest to the oldest they are a run
/// without a hole, as far back as they still stand.
struct RingLook {
  private struct Lane: Hashable {
    let launch: LaunchID
    let lane: UInt32
  }

  private struct Page {
    let lane: Lane
    let segment: Int
    let header: ChunkHeader
  }

  private let everything: Bool
  /// Where the newest page begins that the first look found.
  private var newest: [Lane: UInt64] = [:]
  /// What is to be copied, in reverse.
  private var rest: [Page] = []
  private var taken: Set<Lane> = []

  /// The first look.
  ///
  /// - Parameters:
  ///   - everything: pages of tasks that have not ended, too; otherwise only what stays in the log for good.
  ///   - meanwhile: called before each page is looked at, as writers may go on then.
  init(_ segments: [SegmentReader], everything: Bool, meanwhile: () -> Void = {}) {
    self.everything = everything
    for page in standing(segments, meanwhile) { newest[page.lane] = max(newest[page.lane] ?? 0, page.header.firstSequence) }
  }

  private func standing(_ segments: [SegmentReader], _ meanwhile: () -> Void) -> [Page] {
    segments.enumerated().flatMap { index, segment in
      segment.ringHeaders(everything: everything, meanwhile: meanwhile).map {
        Page(lane: Lane(launch: segment.header.launch, lane: $0.lane), segment: index, header: $0)
      }
    }
  }

  /// The second look, to which belongs every chunk that has come until now.
  mutating func lookAgain(_ segments: [SegmentReader], meanwhile: () -> Void = {}) {
    rest = standing(segments, meanwhile).filter { page in newest[page.lane].map { page.header.firstSequence <= $0 } ?? false }
    rest.sort { $0.header.firstSequence < $1.header.firstSequence }
  }

  /// Copies the next page.
  mutating func next(_ segments: [SegmentReader]) -> (segment: Int, page: RingSnapshot)? {
    while let page = rest.popLast() {
      guard let copy = segments[page.segment].ringPage(page.header) else { continue }
      taken.insert(page.lane)
      return (page.segment, copy)
    }
    return nil
  }

  // MARK: All at once

  /// How often a ring is looked at that has moved on to other pages each time.
  private static let looks = 16

  /// - Parameter find: looks for chunks that have come meanwhile, and gives all segments.
  /// - Returns: in the order in which they stand.
  static func pages(
    of segments: [SegmentReader], everything: Bool, find: () -> [SegmentReader]
  ) -> [(segment: Int, page: RingSnapshot)] {
    var (segments, found) = (segments, [(segment: Int, page: RingSnapshot)]())
    var missed: Set<Lane>?
    for _ in 0..<looks {
      var look = RingLook(segments, everything: everything)
      if let missed { look.newest = look.newest.filter { missed.contains($0.key) } }
      if look.newest.isEmpty { break }
      segments = find()
      look.lookAgain(segments)
      while let next = look.next(segments) { found.append(next) }
      missed = Set(look.newest.keys).subtracting(look.taken)
    }
    return found.sorted {
      ($0.segment, $0.page.header.index, $0.page.header.span) < ($1.segment, $1.page.header.index, $1.page.header.span)
    }
  }
}
