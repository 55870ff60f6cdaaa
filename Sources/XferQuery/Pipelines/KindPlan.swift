package import XferEvents
import XferPredicate

/// The kinds of events that a query reads.
package struct KindPlan: Sendable {
  private let condition: EventTest
  private let use: Use
  /// Whether the query needs the last event of the log, whatever its kind.
  package let needsEnd: Bool

  /// The events that the first stage uses, among those that meet the condition.
  private enum Use {
    case all
    /// Events that meet one of several conditions.
    case some([EventTest])
    case withTask
  }

  /// - Returns: `nil` if the query uses all events.
  package init?(_ query: Query) {
    switch query.stages.first {
    case .context: return nil
    case .filter(let predicate): use = .some([EventTest(predicate)])
    case .sequence(let steps, _, _): use = .some(steps.map(EventTest.init))
    case .absence(let expected, _, let trigger, _): use = .some([EventTest(expected), EventTest(trigger)])
    case .tasks: use = .withTask
    case .statistics, .top, .sort, .fields, .limit, .findings, nil: use = .all
    }
    condition = EventTest(query.predicate)
    needsEnd = query.stages.contains { if case .absence = $0 { true } else { false } }
  }

  package func choice(of layout: UnsafePointer<LayoutTable>) -> KindChoice {
    switch condition.truth(of: layout) {
    case .no: .count
    case .yes where !uses(layout): .countAsMatch
    case .yes, .unknown, nil: .read
    }
  }

  private func uses(_ layout: UnsafePointer<LayoutTable>) -> Bool {
    switch use {
    case .all: true
    case .withTask: layout.pointee.has(.task)
    case .some(let tests):
      tests.contains { test in
        switch test.truth(of: layout) {
        case .yes, nil: true
        case .no, .unknown: false
        }
      }
    }
  }
}
