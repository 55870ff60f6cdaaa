import XferEvents

/// The rules of one kind, by the events that they watch.
struct Watchers<Rule>: Sendable where Rule: Sendable {
  struct Watcher: Sendable {
    /// The rule's place in the catalogue.
    let index: Int
    let rule: Rule
    /// Numbers of the signs of which one must have been seen; `nil` when any task may be looked at.
    var presupposed: NumberSet?
  }

  let all: [Watcher]
  let indexes: NumberSet
  private let byKind: [[Watcher]]
  private let byKindOnceCompleted: [[Watcher]]
  private let byKindUnlessWaiting: [[Watcher]]
  private let byRule: [Int: Watcher]

  init(_ rules: [any DiagnosisRule]) {
    all = rules.enumerated().compactMap { index, rule in
      let signs = (rule as? any TaskRule).flatMap { type(of: $0).presupposes }
      return (rule as? Rule).map { Watcher(index: index, rule: $0, presupposed: signs.map { NumberSet($0.map(\.number)) }) }
    }
    indexes = NumberSet(all.map(\.index))
    byRule = Dictionary(uniqueKeysWithValues: all.map { ($0.index, $0) })
    byKind = Self.table(all) { type(of: rules[$0.index]).watches }
    byKindOnceCompleted = Self.table(all) { watcher in
      (rules[watcher.index] as? any TaskRule).map { type(of: $0).watchesOnceCompleted } ?? []
    }
    byKindUnlessWaiting = Self.table(all) { watcher in
      (rules[watcher.index] as? any TaskRule).map { type(of: $0).watchesUnlessWaiting } ?? []
    }
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

  @inline(__always)
  func watchingOnceCompleted(_ kind: EventKind) -> [Watcher] { byKindOnceCompleted[Int(kind.rawValue)] }

  @inline(__always)
  func watchingUnlessWaiting(_ kind: EventKind) -> [Watcher] { byKindUnlessWaiting[Int(kind.rawValue)] }

  func watcher(_ index: Int) -> Watcher? { byRule[index] }
}
