/// The last events and gaps of a log up to a limit, and the insets (findings) that follow the first of them.
struct RecentEntries<Member, Inset> {
  enum Entry {
    case member(Member)
    case inset(Inset)
  }

  private let limit: Int
  private var ring: [Member] = []
  private var next = 0
  private var appended = 0
  /// The insets, each with the number of events and gaps before it.
  private var insets: [(Inset, place: Int)] = []
  private var insetsToPrune = 64

  init(_ limit: Int) { self.limit = limit }

  /// Whether an earlier event would not be kept.
  var isFull: Bool { ring.count == limit }

  mutating func append(_ member: Member) {
    appended += 1
    if ring.count < limit {
      ring.append(member)
    } else if limit > 0 {
      ring[next] = member
      next = next + 1 == limit ? 0 : next + 1
    }
  }

  mutating func append(inset: Inset) {
    insets.append((inset, appended))
    guard insets.count > insetsToPrune else { return }
    insets = insets.filter { isShown($0.place) }
    insetsToPrune = max(64, 2 * insets.count)
  }

  /// Whether an inset comes after the first kept event or gap. Earlier insets belong to dropped events and gaps.
  private func isShown(_ place: Int) -> Bool {
    limit > 0 && (appended <= limit || place > appended - limit)
  }

  /// The events, gaps and insets, the oldest first.
  var entries: [Entry] {
    let members = ring[next...] + ring[..<next]
    var entries: [Entry] = []
    var rest = insets.filter { isShown($0.place) }[...]
    func shift(upTo place: Int) {
      while let first = rest.first, first.place <= place {
        entries.append(.inset(first.0))
        rest.removeFirst()
      }
    }
    var place = appended - members.count
    shift(upTo: place)
    for member in members {
      entries.append(.member(member))
      place += 1
      shift(upTo: place)
    }
    return entries
  }
}
