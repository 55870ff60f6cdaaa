import XferEvents
import XferLifecycle
import XferReplay

/// The rules about tasks, by their places in the catalogue.
///
/// Nearly every event is about a task, so whom it concerns is told by sets: what one asks costs nothing for the others.
struct TaskRules: Sendable {
  typealias Asking = @Sendable (_ task: TaskLifecycle, _ world: World, _ asked: Occasion) -> Verdict?

  private(set) var all = RulePlaces()
  /// Those that presuppose something.
  private(set) var presupposing = RulePlaces()
  private var byKind = [RulePlaces](repeating: RulePlaces(), count: 256)
  private var byKindOnceCompleted = [RulePlaces](repeating: RulePlaces(), count: 256)
  private var byKindUnlessWaiting = [RulePlaces](repeating: RulePlaces(), count: 256)
  /// Those whose presupposition an event fulfils.
  private var fulfilledByKind = [RulePlaces](repeating: RulePlaces(), count: 256)
  private var fulfilledByTrait: [(trait: TaskLifecycle.Traits, rules: RulePlaces)] = []
  /// By the rule's place.
  private var askers: [Asker]

  /// A closure that stands in an array by itself is called by way of another, which copies what it is given.
  private struct Asker: Sendable {
    let ask: Asking
  }

  init(_ rules: [any DiagnosisRule]) {
    askers = [Asker](repeating: Asker { _, _, _ in nil }, count: rules.count)
    for (index, rule) in rules.enumerated() {
      if let rule = rule.taskRule { add(rule, index) }
    }
  }

  private mutating func add(_ rule: some TaskRule, _ index: Int) {
    all.insert(index)
    // A call of a closure is one step, where a rule of a type that is not known is unwrapped first.
    askers[index] = Asker { task, world, asked in rule.verdict(on: task, in: world, asked: asked) }
    let rules = type(of: rule)
    for kind in rules.watches { byKind[Int(kind.rawValue)].insert(index) }
    for kind in rules.watchesOnceCompleted { byKindOnceCompleted[Int(kind.rawValue)].insert(index) }
    for kind in rules.watchesUnlessWaiting { byKindUnlessWaiting[Int(kind.rawValue)].insert(index) }
    guard let signs = rules.presupposes else { return }
    presupposing.insert(index)
    for sign in signs {
      switch sign {
      case .event(let kind): fulfilledByKind[Int(kind.rawValue)].insert(index)
      case .trait(let trait): fulfilledByTrait.append((trait, RulePlaces([index])))
      }
    }
  }

  /// Those that watch an event of a task.
  ///
  /// - Parameter waiting: those that have asked for a deadline.
  @inline(__always)
  func watching(_ kind: EventKind, isCompleted: Bool, waiting: RulePlaces) -> RulePlaces {
    let watching = byKind[Int(kind.rawValue)].union(byKindUnlessWaiting[Int(kind.rawValue)].subtracting(waiting))
    return isCompleted ? watching.union(byKindOnceCompleted[Int(kind.rawValue)]) : watching
  }

  /// Those whose presupposition an event of this kind fulfils.
  @inline(__always)
  func fulfilled(by kind: EventKind) -> RulePlaces { fulfilledByKind[Int(kind.rawValue)] }

  /// Those whose presupposition one of these fulfils.
  func fulfilled(by traits: TaskLifecycle.Traits) -> RulePlaces {
    fulfilledByTrait.reduce(RulePlaces()) { $1.trait.isDisjoint(with: traits) ? $0 : $0.union($1.rules) }
  }

  /// What each of some rules says of a task.
  ///
  /// A task is large, and so is the world: the one is copied once for all rules, the other is read where it stands.
  @inline(never)
  func ask(_ rules: RulePlaces, on task: Int, in world: World, _ occasion: Occasion, _ answers: inout TaskAnswers) {
    let lifecycle = world.tasks.lifecycles[task]
    var rules = rules
    while let rule = rules.popFirst() { answers.note(askers[rule].ask(lifecycle, world, occasion), of: rule) }
  }
}

/// What rules said of a task: most say nothing, for which a bit is enough.
struct TaskAnswers {
  private(set) var open = RulePlaces()
  private(set) var silent = RulePlaces()
  private(set) var silentSoFar = RulePlaces()
  private(set) var others: [(rule: Int, verdict: Verdict)] = []

  @inline(__always)
  mutating func note(_ verdict: Verdict?, of rule: Int) {
    switch verdict {
    case nil: open.insert(rule)
    case .silent: silent.insert(rule)
    case .silentSoFar: silentSoFar.insert(rule)
    case let verdict?: others.append((rule, verdict))
    }
  }

  mutating func removeAll() {
    (open, silent, silentSoFar) = (RulePlaces(), RulePlaces(), RulePlaces())
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }
}
