package import XferEvents

/// The levels that a process's log kept over time. The absence of an event proves something only if its level was kept.
package struct LevelHistory: Sendable {
  private var spans: [Span] = []

  private struct Span {
    /// The beginning of the span, in monotonic nanoseconds. The first span begins at `Int64.min`.
    let since: Int64
    let levels: LevelsInForce
  }

  /// - Parameter lowest: the level in the segment's header; `nil` if unknown
  package init(lowest: Level?) {
    if let lowest { spans = [Span(since: .min, levels: LevelsInForce(lowest: lowest))] }
  }

  /// Notes the levels that the log states from here on.
  package mutating func note(_ text: String?, _ fact: Fact) {
    // Levels that cannot be parsed, because the text is truncated or written by a newer version, count as the highest threshold.
    // Otherwise a rule could take a missing event for proof although the event was not kept.
    let levels = text.flatMap(LevelsInForce.init) ?? LevelsInForce(lowest: .default)
    if fact.kind == .logOpened {
      // The levels that a log states when it is opened apply from its first event on.
      spans = [Span(since: .min, levels: levels)]
    } else {
      spans.append(Span(since: fact.monotonic ?? .max, levels: levels))
    }
  }

  /// Returns the first levels of the process life if an event was excluded during the whole life; `nil` if it was kept at any
  /// time.
  package func leavingOutAlways(_ kind: EventKind) -> LevelsInForce? {
    spans.contains { $0.levels.keeps(kind) } ? nil : spans.first?.levels
  }

  /// Returns levels that excluded an event at some moment from `start` to `end`; `nil` if the event was kept all the time.
  ///
  /// - Parameter end: `nil` for the whole time after `start`
  package func leavingOut(_ kind: EventKind, from start: Int64?, to end: Int64?) -> LevelsInForce? {
    // Some rules pass an end before the start: the event was already overdue when they began to wait.
    let first = min(start ?? .min, end ?? .max)
    let last = end.map { max($0, start ?? .min) } ?? .max
    for (place, span) in spans.enumerated() where !span.levels.keeps(kind) {
      let next = place + 1 < spans.count ? spans[place + 1].since : .max
      if span.since <= last, next > first { return span.levels }
    }
    return nil
  }
}
