import XferEvents

/// Leaves out events by their kind while a log is read, and counts them.
///
/// Only the thread that reads the log uses the filter.
final class KindFilter {
  /// The numbers of events that were left out.
  struct Counts {
    var events = 0
    /// The events of `events` that count as matches.
    var matches = 0
  }

  private let selection: KindSelection
  fileprivate(set) var counts = Counts()
  private var ofSource: [Int: Choices] = [:]

  init(_ selection: KindSelection) { self.selection = selection }

  /// The choices for the kinds of one source.
  final class Choices {
    /// Whether the last event of each lane is returned whatever its kind.
    let keepsEnds: Bool
    /// Whoever has the choices has the filter, which keeps them.
    private unowned let filter: KindFilter
    private let source: RecordSource
    private var known: [KindChoice?] = []

    init(_ filter: KindFilter, _ source: RecordSource) {
      (self.filter, self.source, keepsEnds) = (filter, source, filter.selection.keepsEnds)
    }

    /// Whether an event of this kind is left out. Counts the event in this case.
    @inline(__always)
    func leavesOut(_ kind: UInt16) -> Bool {
      let choice = Int(kind) < known.count ? known[Int(kind)] ?? find(kind) : find(kind)
      switch choice {
      case .read: return false
      case .count: filter.counts.events += 1
      case .countAsMatch:
        filter.counts.events += 1
        filter.counts.matches += 1
      }
      return true
    }

    /// Takes back the count of an event that is returned after all.
    func takeBack(_ event: EventView) {
      filter.counts.events -= 1
      if case .countAsMatch = find(event.layout.number) { filter.counts.matches -= 1 }
    }

    @inline(never)
    private func find(_ kind: UInt16) -> KindChoice {
      // The caller has decoded the event, so its layout is defined.
      guard let table = source.definedTable(Int(kind)) else { return .read }
      let choice = filter.selection.choice(table)
      while known.count <= Int(kind) { known.append(nil) }
      known[Int(kind)] = choice
      return choice
    }
  }

  func choices(of source: RecordSource) -> Choices {
    if let choices = ofSource[source.index] { return choices }
    let choices = Choices(self, source)
    ofSource[source.index] = choices
    return choices
  }
}
