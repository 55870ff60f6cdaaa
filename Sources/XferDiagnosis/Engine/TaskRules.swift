import XferEvents
import XferLifecycle
import XferReplay

/// The rules about tasks, by their places in the catalogue.
///
/// Nearly every event is about a task, so whom it concerns is told by sets: what one asks costs nothing for the others.
struct TaskRules: Sendable {
  typealias Asking = @Sendable (_ task: TaskLifecycle, _ world: World, _ asked: Occasion) -> Verdict?

  private(set) var all = NumberSet()
  /// Those that presuppose something.
  private(set) var presupposing = NumberSet()
  private var byKind = [NumberSet](repeating: NumberSet(), count: 256)
  private var byKindOnceCompleted = [NumberSet](repeating: NumberSet(), count: 256)
  private var byKindUnlessWaiting = [NumberSet](repeating: NumberSet(), count: 256)
  /// Those whose presupposition an event fulfils.
  private var fulfilledByKind = [NumberSet](repeating: NumberSet(), count: 256)
  private var fulfilledByTrait: [(trait: TaskLifecycle.Traits, rules: NumberSet)] = []
  /// By the rule's place.
  private var asking: [Asking?]

  init(_ rules: [any DiagnosisRule]) {
    asking = [Asking?](repeating: nil, count: rules.count)
    for (index, rule) in rules.enumerated() {
      if let rule = rule as? any TaskRule { add(rule, index) }
    }
  }

  private mutating func add(_ rule: some TaskRule, _ index: Int) {
    all.insert(index)
    // A call of a closure is one step, where a rule of a type that is not known is unwrapped first.
    asking[index] = { task, world, asked in rule.verdict(on: task, in: world, asked: asked) }
    let rules = type(of: rule)
    for kind in rules.watches { byKind[Int(kind.rawValue)].insert(index) }
    for kind in rules.watchesOnceCompleted { byKindOnceCompleted[Int(kind.rawValue)].insert(index) }
    for kind in rules.watchesUnlessWaiting { byKindUnlessWaiting[Int(kind.rawValue)].insert(index) }
    guard let signs = rules.presupposes else { return }
    presupposing.insert(index)
    for sign in signs {
      switch sign {
      case .event(let kind): fulfilledByKind[Int(kind.rawValue)].insert(index)
      case .trait(let trait): fulfilledByTrait.append((trait, NumberSet([index])))
      }
    }
  }

  /// Those that watch an event of a task.
  ///
  /// - Parameter waiting: those that have asked for a deadline.
  @inline(__always)
  func watching(_ kind: EventKind, isCompleted: Bool, waiting: NumberSet) -> NumberSet {
    let watching = byKind[Int(kind.rawValue)].union(byKindUnlessWaiting[Int(kind.rawValue)].subtracting(waiting))
    return isCompleted ? watching.union(byKindOnceCompleted[Int(kind.rawValue)]) : watching
  }

  /// Those whose presupposition an event of this kind fulfils.
  @inline(__always)
  func fulfilled(by kind: EventKind) -> NumberSet { fulfilledByKind[Int(kind.rawValue)] }

  /// Those whose presupposition one of these fulfils.
  func fulfilled(by traits: TaskLifecycle.Traits) -> NumberSet {
    fulfilledByTrait.reduce(NumberSet()) { $1.trait.isDisjoint(with: traits) ? $0 : $0.union($1.rules) }
  }

  /// What each of some rules says of a task.
  ///
  /// A task is large, and so is the world: the one is copied once for all rules, the other is read where it stands.
  @inline(never)
  func verdicts(of rules: NumberSet, on task: Int, in world: World, _ occasion: Occasion, into answers: inout [Answer]) {
    let lifecycle = world.tasks.lifecycles[task]
    var rules = rules
    while let rule = rules.popFirst() { answers.append(Answer(rule: rule, verdict: asking[rule]?(lifecycle, world, occasion))) }
  }

  struct Answer {
    let rule: Int
    let verdict: Verdict?
  }
}
