import XferEvents

/// The rules of one kind, by the events that they watch.
struct Watchers<Rule>: Sendable where Rule: Sendable {
  struct Watcher: Sendable {
    /// The rule's place in the catalogue.
    let index: Int
    let rule: Rule
  }

  let all: [Watcher]
  let indexes: RuleSet
  private let byKind: [[Watcher]]
  private let byRule: [Int: Watcher]

  init(_ rules: [any DiagnosisRule]) {
    all = rules.enumerated().compactMap { index, rule in (rule as? Rule).map { Watcher(index: index, rule: $0) } }
    indexes = all.reduce(into: RuleSet()) { $0.insert($1.index) }
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

/// Rules by their place in the catalogue, as bits: up to 256.
struct RuleSet: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  @inline(__always)
  func contains(_ rule: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(rule & 63)
    return switch rule >> 6 {
    case 0: words.0 & bit != 0
    case 1: words.1 & bit != 0
    case 2: words.2 & bit != 0
    default: words.3 & bit != 0
    }
  }

  /// Whether all of the other set are in this one.
  func contains(_ other: RuleSet) -> Bool {
    words.0 & other.words.0 == other.words.0 && words.1 & other.words.1 == other.words.1
      && words.2 & other.words.2 == other.words.2 && words.3 & other.words.3 == other.words.3
  }

  mutating func insert(_ rule: Int) { change(rule) { $0 | $1 } }
  mutating func remove(_ rule: Int) { change(rule) { $0 & ~$1 } }

  private mutating func change(_ rule: Int, _ apply: (UInt64, UInt64) -> UInt64) {
    let bit: UInt64 = 1 << UInt64(rule & 63)
    switch rule >> 6 {
    case 0: words.0 = apply(words.0, bit)
    case 1: words.1 = apply(words.1, bit)
    case 2: words.2 = apply(words.2, bit)
    case 3: words.3 = apply(words.3, bit)
    default: preconditionFailure("the catalogue has at most 256 rules")
    }
  }
}
