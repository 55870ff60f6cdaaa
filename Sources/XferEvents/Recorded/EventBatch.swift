/// Members of a log in their order, lent out by their reader: they lie where they are until the batch is emptied.
package struct EventBatch {
  /// Appended to where they are read, which a call for each would slow down.
  package var events: ContiguousArray<EventView> = []
  /// Each stands before the event of its place.
  package private(set) var gaps: [(place: Int, gap: LogGap)] = []
  /// Memory of events whose reader has gone on.
  private var kept: [RecordPage] = []

  package init() { events.reserveCapacity(Self.capacity) }

  /// How many events a reader puts in at a time.
  package static let capacity = 1024

  @inline(__always)
  package mutating func append(_ event: EventView) { events.append(event) }

  package mutating func append(_ gap: LogGap) { gaps.append((events.count, gap)) }

  package mutating func append(_ member: LogMember) {
    switch member {
    case .event(let event):
      keep(event.view.page)
      append(event.view)
    case .gap(let gap): append(gap)
    }
  }

  package mutating func keep(_ page: RecordPage) {
    if kept.last !== page { kept.append(page) }
  }

  package mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
  }

  /// Puts an event before another one, and before the gaps that stand there.
  package mutating func move(_ place: Int, before other: Int) {
    let event = events.remove(at: place)
    events.insert(event, at: other)
    for index in gaps.indices where gaps[index].place >= other && gaps[index].place <= place { gaps[index].place += 1 }
  }
}
