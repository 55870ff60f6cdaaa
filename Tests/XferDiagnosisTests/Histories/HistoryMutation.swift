import XferEvents

/// A change of one event of a history.
enum HistoryMutation: String, CaseIterable {
  case deleted, doubled, swapped
}

/// A history with its recorded events, one of which can be changed.
struct MutableHistory {
  let history: History
  let members: [LogMember]
  /// The subject of each event; `nil` if that is the event's writer.
  private let subjects: [String?]
  /// The archives for events that are recorded a second time.
  private let spares: [EventArchive]

  init(_ history: History) {
    self.history = history
    members = history.members()
    subjects = history.tellings.map(HistoryTally.subject)
    spares = history.writers.enumerated().map { place, writer in
      EventArchive(number: UInt32(1000 + place), name: "more of \(place)", writer: writer.context, index: 1000 + place)
    }
  }

  /// Returns the changed history from the place of an event to the end.
  ///
  /// - Returns: `nil` if there is no event to swap with.
  func rest(_ mutation: HistoryMutation, at place: Int) -> [LogMember]? {
    switch mutation {
    case .deleted: return Array(members[(place + 1)...])
    case .doubled: return [members[place], record(place, at: place)] + members[(place + 1)...]
    case .swapped:
      guard let next = neighbour(of: place) else { return nil }
      // Each event takes the time and the thread of the other.
      return [record(next, at: place)] + members[(place + 1)..<next] + [record(place, at: next)] + members[(next + 1)...]
    }
  }

  private func record(_ event: Int, at place: Int) -> LogMember {
    let pen = history.tellings[place].pen
    let moment = history.moment(history.tellings[place].time)
    return .event(
      History.record(history.tellings[event].event, in: spares[pen.writer], at: moment, lane: pen.lane))
  }

  /// Returns the next event of the same writer about the same subject in the same family; `nil` if its kind is the same.
  private func neighbour(of place: Int) -> Int? {
    guard let subject = subjects[place] else { return nil }
    let next = history.tellings.indices[(place + 1)...].first {
      subjects[$0] == subject && history.tellings[$0].pen.writer == history.tellings[place].pen.writer
    }
    // Swapping events of the same kind is covered by deleting and doubling one.
    guard let next, kind(of: next) != kind(of: place) else { return nil }
    return next
  }

  /// Returns the gap that a reader reports for a missing event, from the sequence numbers around it.
  func gap(at place: Int) -> LogGap {
    let telling = history.tellings[place]
    let moment = history.moment(telling.time)
    return LogGap(
      cause: .missingSequence, segment: 1, name: "segment 1", launch: history.writers[telling.pen.writer].launch,
      lane: telling.pen.lane, sequences: UInt64(place)..<UInt64(place + 1), after: moment, before: moment)
  }

  func kind(of place: Int) -> EventKind { type(of: history.tellings[place].event).kind }
}
