import XferEvents

/// `| context`: adds the events around each event, of the same scope.
///
/// The stage is always the first one. `Pipeline` hands it all events of the log, and says which of them match.
final class ContextStage: Stage {
  private let count: Int
  private let scope: QueryScope
  private var number = 0
  private var before: [ScopeKey: Recent] = [:]
  /// The number of following events of each scope that are still wanted.
  private var wanted: [ScopeKey: Int] = [:]
  private var chosen: [(number: Int, event: RecordedEvent)] = []

  private struct Recent {
    var events: [(number: Int, event: RecordedEvent)] = []
  }

  init(_ count: Int, _ scope: QueryScope, _ next: any QuerySink) {
    (self.count, self.scope) = (count, scope)
    super.init(next)
  }

  override var isFull: Bool { false }

  /// Notes the next event of the log.
  func take(_ event: RecordedEvent, isMatch: Bool) {
    number += 1
    guard let key = ScopeKey(event.view, scope) else {
      if isMatch { chosen.append((number, event)) }
      return
    }
    if isMatch {
      chosen += before.removeValue(forKey: key)?.events ?? []
      chosen.append((number, event))
      wanted[key] = count
    } else if let rest = wanted[key], rest > 0 {
      chosen.append((number, event))
      wanted[key] = rest - 1
    } else {
      var recent = before.removeValue(forKey: key) ?? Recent()
      recent.events.append((number, event))
      if recent.events.count > count { recent.events.removeFirst() }
      before[key] = recent
    }
  }

  override func finish() throws {
    for (_, event) in chosen.sorted(by: { $0.number < $1.number }) { try next.take(event) }
    try next.finish()
  }
}
