import XferEvents

/// The rules of one kind, by the events that they watch.
struct Watchers<Rule>: Sendable where Rule: Sendable {
  struct Watcher: Sendable {
    /// The rule's place in the catalogue.
    let index: Int
    let rule: Rule
  }

  let all: [Watcher]
  private let byKind: [[Watcher]]
  private let byRule: [Int: Watcher]

  init(_ rules: [any DiagnosisRule]) {
    all = rules.enumerated().compactMap { index, rule in (rule as? Rule).map { Watcher(index: index, rule: $0) } }
    byRule = Dictionary(uniqueKeysWithValues: all.map { ($0.index, $0) })
    byKind = Self.table(all) { type(of: rules[$0.index]).watches }
  }

  private static func table(_ watchers: [Watcher], _ kinds: (Watcher) -> Set<EventKind>) -> [[Watcher]] {
    var table = [[Watcher]](repeating: [], count: 256)
    for watcher in watchers {
      for kind in kinds(watcher) { table[Int(kind.rawValue)].append(watcher) }
    }
    return table
  }

  @inline(__always)
  func watching(_ kind: EventKind) -> [Watcher] { byKind[Int(kind.rawValue)] }

  func watcher(_ index: Int) -> Watcher? { byRule[index] }
}
