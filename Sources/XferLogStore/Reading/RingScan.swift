import XferEvents

/// Copies a consistent set of detail ring pages while their writers continue.
///
/// A ring begins a new page when the previous one is full, and reuses its oldest page first. A first scan determines the
/// newest page of each ring. A second scan therefore finds all existing pages up to that one, and copying them from newest
/// to oldest yields a contiguous run.
struct RingScan {
  private struct Lane: Hashable {
    let launch: LaunchID
    let lane: UInt32
  }

  private struct Page {
    let lane: Lane
    let segment: Int
    let header: ChunkHeader
  }

  /// Whether to include pages of tasks that have not ended.
  private let everything: Bool
  /// The first position of each ring's newest page in the first scan.
  private var newest: [Lane: UInt64] = [:]
  /// The pages to copy, oldest first; copying takes them from the end.
  private var rest: [Page] = []
  private var taken: Set<Lane> = []

  /// Performs the first scan.
  ///
  /// - Parameters:
  ///   - segments: The segments to scan.
  ///   - everything: Whether to include pages of tasks that have not ended, which their writers may still discard.
  ///   - meanwhile: Called before each page is read, so that tests can let writers continue.
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

  /// Performs the second scan, which includes all chunks found until now.
  mutating func rescan(_ segments: [SegmentReader], meanwhile: () -> Void = {}) {
    rest = standing(segments, meanwhile).filter { page in newest[page.lane].map { page.header.firstSequence <= $0 } ?? false }
    rest.sort { $0.header.firstSequence < $1.header.firstSequence }
  }

  /// Copies the next page; returns `nil` if no page is left.
  mutating func next(_ segments: [SegmentReader]) -> (segment: Int, page: RingSnapshot)? {
    while let page = rest.popLast() {
      guard let copy = segments[page.segment].ringPage(page.header) else { continue }
      taken.insert(page.lane)
      return (page.segment, copy)
    }
    return nil
  }

  // MARK: Complete copies

  /// The maximum number of attempts for a ring that keeps moving on to other pages.
  private static let maximumAttempts = 16

  /// Copies all ring pages.
  ///
  /// - Parameters:
  ///   - segments: The segments known so far.
  ///   - everything: Whether to include pages of tasks that have not ended.
  ///   - find: Finds new chunks and returns all segments.
  /// - Returns: The pages in file order.
  static func pages(
    of segments: [SegmentReader], everything: Bool, find: () -> [SegmentReader]
  ) -> [(segment: Int, page: RingSnapshot)] {
    var (segments, found) = (segments, [(segment: Int, page: RingSnapshot)]())
    var missed: Set<Lane>?
    for _ in 0..<maximumAttempts {
      var scan = RingScan(segments, everything: everything)
      if let missed { scan.newest = scan.newest.filter { missed.contains($0.key) } }
      if scan.newest.isEmpty { break }
      segments = find()
      scan.rescan(segments)
      while let next = scan.next(segments) { found.append(next) }
      missed = Set(scan.newest.keys).subtracting(scan.taken)
    }
    return found.sorted {
      ($0.segment, $0.page.header.index, $0.page.header.span) < ($1.segment, $1.page.header.index, $1.page.header.span)
    }
  }
}
