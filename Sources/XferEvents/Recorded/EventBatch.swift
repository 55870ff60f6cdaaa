/// A batch of a log's events and gaps in their order. The events are views of memory that their reader keeps until the batch is
/// emptied.
package struct EventBatch {
  /// The events. The reader appends to the array directly, because a function call for each event would be slower.
  package var events: ContiguousArray<EventView> = []
  /// The gaps. Each one precedes the event at the index `place`.
  package private(set) var gaps: [(place: Int, gap: LogGap)] = []
  /// Pages that events of this batch point into. The batch keeps them, because the reader may release them earlier.
  private var kept: [RecordPage] = []
  /// The sources whose last event is in this batch or an earlier one.
  package private(set) var endedSources: [RecordSource] = []

  package init() { events.reserveCapacity(Self.capacity) }

  /// The maximum number of events that a reader appends in one call.
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

  package mutating func noteEnd(of source: RecordSource) { endedSources.append(source) }

  package mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    gaps.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    endedSources.removeAll(keepingCapacity: true)
  }

  /// Moves the event at index `place` before the event at index `other`, and before the gaps directly in front of that event.
  package mutating func move(_ place: Int, before other: Int) {
    let event = events.remove(at: place)
    events.insert(event, at: other)
    for index in gaps.indices where gaps[index].place >= other && gaps[index].place <= place { gaps[index].place += 1 }
  }
}
