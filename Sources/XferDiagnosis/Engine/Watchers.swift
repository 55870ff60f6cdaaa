import XferEvents

/// The rules of one kind, by the events that they watch.
struct Watchers<Rule>: Sendable where Rule: Sendable {
  struct Watcher: Sendable {
    /// The rule's place in the catalogue.
    let index: Int
    let rule: Rule
  }

  let all: [Watcher]
  let indexes: NumberSet
  private let byKind: [[Watcher]]
  private let byRule: [Int: Watcher]

  init(_ rules: [any DiagnosisRule]) {
    all = rules.enumerated().compactMap { index, rule in (rule as? Rule).map { Watcher(index: index, rule: $0) } }
    indexes = NumberSet(all.map(\.index))
    byRule = Dictionary(uniqueKeysWithValues: all.map { ($0.index, $0) })
    var byKind = [[Watcher]](repeating: [], count: 256)
    for watcher in all {
      for kind in type(of: rules[watcher.index]).watches { byKind[Int(kind.rawValue)].append(watcher) }
    }
    self.byKind = byKind
  }

  @inline(__always)
  func watching(_ kind: EventKind) -> [Watcher] { byKind[Int(kind.rawValue)] }

  func watcher(_ index: Int) -> Watcher? { byRule[index] }
}
