import XferEvents

/// The lines of a group in the order in which `xferlog` itself reads a log, without duplicates.
///
/// The order depends only on the lines and not on their arrival: by position within a lane, and by monotonic time between the lanes of one
/// boot. Boots are ordered by their first wall-clock time. If a boot is unknown, all lanes are ordered by the wall clock.
struct GroupOrder {
  /// The places of the lines in their group.
  private(set) var places: [Int] = []
  /// The number of lines that another line repeats.
  private(set) var duplicates = 0
  /// Why the lines contradict each other; `nil` if they do not.
  private(set) var contradiction: String?

  private struct Entry {
    let place: Int
    /// The rank of the boot, or 0 for all if the wall clock decides.
    let boot: Int
    let clock: Int64
    let segment: UInt64
    let lane: EventLineFacts.Writer
    let position: Int

    static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
      if left.boot != right.boot { return left.boot < right.boot }
      if left.clock != right.clock { return left.clock < right.clock }
      if left.segment != right.segment { return left.segment < right.segment }
      if left.lane != right.lane { return left.lane < right.lane }
      return left.position < right.position
    }
  }

  /// - Parameter places: the places of the lines to put in order.
  init(_ group: LineGroup, _ places: [Int]) {
    var (heads, ends, lanes): ([Int], [Int], [EventLineFacts.Writer: [Int]]) = ([], [], [:])
    for place in places {
      let facts = group.facts[place]
      switch facts.kind {
      // Findings follow from the events again.
      case .finding: break
      case .writer: heads.append(place)
      case .incompleteness: ends.append(place)
      case .event, .gap:
        // Lines without a place of their own are ordered by time alone.
        let writer = facts.writer ?? .init(high: facts.launch.high, low: facts.launch.low, lane: .max)
        lanes[writer, default: []].append(place)
      }
    }
    var ordered: [EventLineFacts.Writer: [Int]] = [:]
    for (writer, places) in lanes { ordered[writer] = arrange(places, of: group) }
    self.places = unique(heads.sorted { group.precedes($0, $1) }, of: group)
    self.places += Self.merged(ordered, of: group, heads: heads)
    self.places += unique(ends.sorted { group.precedes($0, $1) }, of: group)
  }

  // MARK: One lane

  private mutating func arrange(_ places: [Int], of group: LineGroup) -> [Int] {
    let facts = group.facts
    let sorted = places.sorted { left, right in
      let (one, other) = (facts[left], facts[right])
      if one.sequence != other.sequence { return one.sequence < other.sequence }
      // A gap stands before the event that follows it.
      if one.kind != other.kind { return one.kind == .gap }
      let (early, late) = (one.monotonic ?? one.wall ?? .min, other.monotonic ?? other.wall ?? .min)
      if early != late { return early < late }
      return group.precedes(left, right)
    }
    let kept = unique(sorted, of: group)
    for (left, right) in zip(kept, kept.dropFirst()) {
      guard contradiction == nil, let place = facts[left].place, place == facts[right].place else { continue }
      let launch = LaunchID(high: place.writer.high, low: place.writer.low)
      contradiction =
        "two different events are number \(place.sequence) of lane \(place.writer.lane) of the launch \(launch); ship each event once, or "
        + "unchanged"
    }
    return kept
  }

  /// Removes lines that equal the line before them.
  private mutating func unique(_ sorted: [Int], of group: LineGroup) -> [Int] {
    var kept: [Int] = []
    for place in sorted {
      if let last = kept.last, group.isSame(last, place) { duplicates += 1 } else { kept.append(place) }
    }
    return kept
  }

  // MARK: Between lanes

  private static func merged(
    _ lanes: [EventLineFacts.Writer: [Int]], of group: LineGroup, heads: [Int]
  ) -> [Int] {
    let facts = group.facts
    let ranks = bootRanks(lanes, facts, heads)
    var entries: [Entry] = []
    for (lane, places) in lanes {
      func clock(_ place: Int) -> Int64? { ranks == nil ? facts[place].wall : facts[place].monotonic }
      let boot = ranks?[Launch(lane)] ?? 0
      let segment = places.lazy.compactMap { facts[$0].kind == .event ? facts[$0].segment : nil }.first ?? 0
      // A line without a time follows the one before it, or stands before the first one with a time.
      var last = places.lazy.compactMap(clock).first ?? .min
      for (position, place) in places.enumerated() {
        last = max(last, facts[place].kind == .gap ? last : clock(place) ?? last)
        entries.append(Entry(place: place, boot: boot, clock: last, segment: segment, lane: lane, position: position))
      }
    }
    entries.sort(by: Entry.isBefore)
    return entries.map(\.place)
  }

  private struct Launch: Hashable {
    let high: UInt64
    let low: UInt64

    init(_ lane: EventLineFacts.Writer) { (high, low) = (lane.high, lane.low) }
    init(_ pair: (high: UInt64, low: UInt64)) { (high, low) = pair }
  }

  /// Returns the rank of each launch's boot; `nil` if a boot, or a monotonic time, is unknown.
  private static func bootRanks(
    _ lanes: [EventLineFacts.Writer: [Int]], _ facts: [EventLineFacts], _ heads: [Int]
  ) -> [Launch: Int]? {
    var boots: [Launch: Launch] = [:]
    for place in heads + lanes.values.joined() where facts[place].boot != (0, 0) {
      boots[Launch(facts[place].launch)] = Launch(facts[place].boot)
    }
    var firsts: [Launch: Int64] = [:]
    for (lane, places) in lanes {
      guard let boot = boots[Launch(lane)] else { return nil }
      for place in places where facts[place].kind == .event {
        if facts[place].monotonic == nil { return nil }
        firsts[boot] = min(firsts[boot] ?? .max, facts[place].wall ?? .max)
      }
    }
    let order = firsts.sorted { ($0.value, $0.key.high, $0.key.low) < ($1.value, $1.key.high, $1.key.low) }
    let ranks = Dictionary(order.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    return boots.mapValues { ranks[$0] ?? 0 }
  }
}
