/// Several sources as one, merged by the wall clock.
///
/// The order within a source never changes. An event or gap without a wall-clock time follows the one before it.
package final class MergedSource: EventSource {
  private var heads: [Head]
  private let sources: [any EventSource]

  private struct Head {
    var member: LogMember?
    /// The wall-clock time of the source's last event or gap that has one.
    var wall = WallTime(nanoseconds: .min)
  }

  /// - Parameter sources: sources whose record sources have consecutive indexes, in this order.
  package init(_ sources: [any EventSource]) {
    self.sources = sources
    heads = sources.map { _ in Head() }
    for place in sources.indices { advance(place) }
  }

  package var origins: [SourceOrigin] { sources.flatMap(\.origins) }
  package var unreadable: [UnreadablePart] { sources.flatMap(\.unreadable) }
  package var incompleteness: [SourceIncompleteness] { sources.flatMap(\.incompleteness) }
  package func alterations() -> [SourceIncompleteness] { sources.flatMap { $0.alterations() } }
  package func original(_ reference: EventReference) -> String? {
    sources.lazy.compactMap { $0.original(reference) }.first
  }
  package func prepareQuotes(of references: [EventReference]) {
    for source in sources { source.prepareQuotes(of: references) }
  }
  package var figures: [SourceFigures] { sources.flatMap(\.figures) }
  package var remarks: [String] { sources.flatMap(\.remarks) }
  package var blocks: BlockCounts { sources.reduce(BlockCounts()) { $0 + $1.blocks } }
  package var passedOver: Int { sources.reduce(0) { $0 + $1.passedOver } }

  package func next() -> LogMember? {
    var first: Int?
    for place in heads.indices where heads[place].member != nil {
      if first.map({ heads[place].wall < heads[$0].wall }) ?? true { first = place }
    }
    guard let first else { return nil }
    defer { advance(first) }
    return heads[first].member
  }

  private func advance(_ place: Int) {
    heads[place].member = sources[place].next()
    switch heads[place].member {
    case .event(let event): heads[place].wall = event.wall ?? heads[place].wall
    case .gap(let gap): heads[place].wall = gap.after?.wall ?? heads[place].wall
    case nil: break
    }
  }
}
