package import XferEvents
import XferPredicate

/// One thread's part of a query that begins with `| stats`: it takes events in any order and computes their groups.
package final class StatisticsScan: ScanReceiver {
  private let test: EventTest
  /// The parts of the condition that the layouts of the current source leave open, by number of the layout.
  @exclusivity(unchecked) private var tests: [EventTest] = []
  /// The fields that the groups and figures read.
  private let fields: [QueryField]
  private let hasSlices: Bool
  let groups: GroupTable
  @exclusivity(unchecked) package private(set) var counts = Pipeline.Counts()

  /// - Returns: `nil` if the query must read the events in their order.
  package init?(_ query: Query) {
    guard query.allowsScan, case .statistics(let aggregates, let keys, let slice)? = query.stages.first else { return nil }
    test = EventTest(query.predicate)
    fields = aggregates.compactMap(\.field) + keys
    hasSlices = slice != nil
    groups = GroupTable(aggregates, keys, slice)
  }

  package func begin(_ source: RecordSource) { tests = [] }

  package func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts {
    let number = Int(layout.pointee.number)
    if number >= tests.count { tests += repeatElement(test, count: number + 1 - tests.count) }
    tests[number] = test.rest(for: layout)
    return switch tests[number].truth(of: layout) {
    case .no: []
    case .unknown: .kind
    case .yes, nil:
      fields.reduce(tests[number].parts(of: layout).union(hasSlices ? .time : .kind)) { $0.union($1.parts(of: layout)) }
    }
  }

  package func take(_ event: EventView, count: Int) {
    counts.events += count
    switch truth(of: event) {
    case .no: break
    case .unknown: counts.undecided += count
    case .yes:
      counts.matched += count
      groups.note(event, count: count, nil)
    }
  }

  private func truth(of event: EventView) -> Truth {
    let number = Int(event.layoutNumber)
    guard number < tests.count else { return test.truth(of: event) }
    // Not `tests[number]`, which copies the test and thereby changes reference counts.
    return tests.withUnsafeBufferPointer { $0[number].truth(of: event) }
  }

  package func ignore(_ count: Int) { counts.events += count }
}

extension Query {
  /// Whether the result is the same for every order of the events, apart from the exceptions that `Pipeline.dependsOnOrder` reports.
  package var allowsScan: Bool {
    guard case .statistics(let aggregates, _, _)? = stages.first, !needsReplay else { return false }
    return GroupTable.allowsAnyOrder(aggregates)
  }
}
