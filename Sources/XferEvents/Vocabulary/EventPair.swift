/// An activity that one event opens and another closes, and that may hang in between. The replay counts the opening and closing
/// events of each process.
@usableFromInline package enum EventPair: Int, Sendable, CaseIterable {
  case attempt, callback, challenge, redirect, delay, connection, query, assertion, work

  /// Whether a completed task proves that all its pairs of this kind were closed.
  package var isOfTask: Bool {
    switch self {
    case .attempt, .callback, .challenge, .redirect, .delay: true
    case .connection, .query, .assertion, .work: false
    }
  }
}

/// An event's part in a pair.
@usableFromInline package enum EventPairing: Hashable, Sendable {
  case opens(EventPair)
  case closes(EventPair)
}
