package import XferEvents

/// What a process's log keeps over time: what is missing from it proves something only where it would have been written.
package struct LevelHistory: Sendable {
  private var spans: [Span] = []

  private struct Span {
    /// Monotonic nanoseconds; the first is from the beginning on.
    let since: Int64
    let levels: LevelsInForce
  }

  /// - Parameter lowest: what the segment's header says; `nil` when that is not known.
  package init(lowest: Level?) {
    if let lowest { spans = [Span(since: .min, levels: LevelsInForce(lowest: lowest))] }
  }

  /// The log says which levels it has from here on.
  package mutating func note(_ text: String?, _ fact: Fact) {
    // A list that is cut, or that a newer version wrote, is taken for the highest: nothing is claimed by mistake.
    let levels = text.flatMap(LevelsInForce.init) ?? LevelsInForce(lowest: .default)
    if fact.kind == .logOpened {
      // The header's level is the same in a word; what the log says when it is opened holds from the first event on.
      spans = [Span(since: .min, levels: levels)]
    } else {
      spans.append(Span(since: fact.monotonic ?? .max, levels: levels))
    }
  }

  /// The levels that left out an event, if they did so all the time.
  package func leavingOutAlways(_ kind: EventKind) -> LevelsInForce? {
    guard let layout = EventLayout.known[Int(kind.rawValue)], !spans.contains(where: { $0.levels.keeps(layout) }) else {
      return nil
    }
    return spans.first?.levels
  }

  /// The levels under which an event would not have been written at some moment between two; `nil` when it would always.
  ///
  /// - Parameter end: `nil` for whatever comes after `start`.
  package func leavingOut(_ kind: EventKind, from start: Int64?, to end: Int64?) -> LevelsInForce? {
    guard let layout = EventLayout.known[Int(kind.rawValue)] else { return nil }
    // Some rules name a moment at which it was due already when they began to wait.
    let first = min(start ?? .min, end ?? .max)
    let last = end.map { max($0, start ?? .min) } ?? .max
    for (place, span) in spans.enumerated() where !span.levels.keeps(layout) {
      let next = place + 1 < spans.count ? spans[place + 1].since : .max
      if span.since <= last, next > first { return span.levels }
    }
    return nil
  }
}
