import XferEvents

/// One event of a history, changed.
enum HistoryMutation: String, CaseIterable {
  case deleted, doubled, swapped
}

/// A history and its events as recorded, of which one may be changed.
struct MutableHistory {
  let history: History
  let members: [LogMember]
  /// What each event is about; `nil` where that is its writer.
  private let subjects: [String?]
  /// For what is recorded once more.
  private let spares: [EventArchive]

  init(_ history: History) {
    self.history = history
    members = history.members()
    subjects = history.tellings.map(HistoryTally.subject)
    spares = history.writers.enumerated().map { place, writer in
      EventArchive(number: UInt32(1000 + place), name: "more of \(place)", writer: writer.context, index: 1000 + place)
    }
  }

  /// What stands where an event stood, and behind it up to the end.
  ///
  /// - Returns: `nil` where nothing can be swapped.
  func rest(_ mutation: HistoryMutation, at place: Int) -> [LogMember]? {
    switch mutation {
    case .deleted: return Array(members[(place + 1)...])
    case .doubled: return [members[place], record(place, at: place)] + members[(place + 1)...]
    case .swapped:
      guard let next = neighbour(of: place) else { return nil }
      // Each takes the other's time and thread.
      return [record(next, at: place)] + members[(place + 1)..<next] + [record(place, at: next)] + members[(next + 1)...]
    }
  }

  private func record(_ event: Int, at place: Int) -> LogMember {
    let pen = history.tellings[place].pen
    let moment = history.moment(history.tellings[place].time)
    return .event(
      History.record(history.tellings[event].event, in: spares[pen.writer], at: moment, lane: pen.lane))
  }

  /// The next that the same writer says of the same subject in the same family.
  private func neighbour(of place: Int) -> Int? {
    guard let subject = subjects[place] else { return nil }
    let next = history.tellings.indices[(place + 1)...].first {
      subjects[$0] == subject && history.tellings[$0].pen.writer == history.tellings[place].pen.writer
    }
    // Where both are of a kind they are the same kind of change as one that is lost and one that is doubled.
    guard let next, kind(of: next) != kind(of: place) else { return nil }
    return next
  }

  /// What a reader says of an event that it cannot find, by the numbers around it.
  func gap(at place: Int) -> LogGap {
    let telling = history.tellings[place]
    let moment = history.moment(telling.time)
    return LogGap(
      cause: .missingSequence, segment: 1, name: "segment 1", launch: history.writers[telling.pen.writer].launch,
      lane: telling.pen.lane, sequences: UInt64(place)..<UInt64(place + 1), after: moment, before: moment)
  }

  func kind(of place: Int) -> EventKind { type(of: history.tellings[place].event).kind }
}
