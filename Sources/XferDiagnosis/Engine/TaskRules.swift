import XferEvents
import XferLifecycle
import XferReplay

/// The rules about tasks, by their indexes in the catalogue.
///
/// Nearly every event is about a task, so the rules that watch an event are looked up as bit sets, and other rules cost nothing.
struct TaskRules: Sendable {
  private(set) var all = RulePlaces()
  /// The rules with presuppositions.
  private(set) var presupposing = RulePlaces()
  private var byKind = [RulePlaces](repeating: RulePlaces(), count: 256)
  private var byKindOnceCompleted = [RulePlaces](repeating: RulePlaces(), count: 256)
  private var byKindUnlessWaiting = [RulePlaces](repeating: RulePlaces(), count: 256)
  /// The rules whose presupposition an event fulfils, by the event's kind.
  private var fulfilledByKind = [RulePlaces](repeating: RulePlaces(), count: 256)
  private var fulfilledByTrait: [(trait: TaskLifecycle.Traits, rules: RulePlaces)] = []
  /// The rules that learn from events of a kind; see `RememberingTaskRule`.
  private var rememberingByKind = [RulePlaces](repeating: RulePlaces(), count: 256)
  /// The rules that learn from events of a kind only while a rule remembers something of the task.
  private var updatingByKind = [RulePlaces](repeating: RulePlaces(), count: 256)
  /// The closures that ask the rules, by the rule's index.
  private var askers: [TaskAsker]

  init(_ rules: [any DiagnosisRule]) {
    askers = [TaskAsker](repeating: TaskAsker(ask: { _, _, _, _ in nil }), count: rules.count)
    for (index, rule) in rules.enumerated() {
      if let rule = rule.taskRule { add(rule, index) }
    }
  }

  private mutating func add(_ rule: some TaskRule, _ index: Int) {
    all.insert(index)
    // A closure is called directly; a rule of type `any TaskRule` would be unwrapped first.
    askers[index] = rule.asker(at: index)
    let rules = type(of: rule)
    for kind in rules.remembers { rememberingByKind[Int(kind.rawValue)].insert(index) }
    for kind in rules.updates { updatingByKind[Int(kind.rawValue)].insert(index) }
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

  /// Returns the rules that learn from an event of a task.
  ///
  /// - Parameter isKnown: whether a rule remembers something of the task.
  @inline(__always)
  func remembering(_ kind: EventKind, isKnown: Bool) -> RulePlaces {
    let remembering = rememberingByKind[Int(kind.rawValue)]
    return isKnown ? remembering.union(updatingByKind[Int(kind.rawValue)]) : remembering
  }

  /// Shows an event to rules that learn from it.
  ///
  /// - Returns: the rules that remember something of the task.
  @inline(never)
  func remember(
    _ event: EventView, _ fact: Fact, rules: RulePlaces, of task: TaskLifecycle, _ memories: inout RuleMemories
  ) -> RulePlaces {
    var (rules, remembering) = (rules, RulePlaces())
    while let rule = rules.popFirst() {
      if askers[rule].remember?(event, fact, task, &memories) ?? false { remembering.insert(rule) }
    }
    return remembering
  }

  /// Returns the rules that watch an event of a task.
  ///
  /// - Parameter waiting: the rules that wait for a deadline.
  @inline(__always)
  func watching(_ kind: EventKind, isCompleted: Bool, waiting: RulePlaces) -> RulePlaces {
    let watching = byKind[Int(kind.rawValue)].union(byKindUnlessWaiting[Int(kind.rawValue)].subtracting(waiting))
    return isCompleted ? watching.union(byKindOnceCompleted[Int(kind.rawValue)]) : watching
  }

  /// Returns the rules whose presupposition an event of a kind fulfils.
  @inline(__always)
  func fulfilled(by kind: EventKind) -> RulePlaces { fulfilledByKind[Int(kind.rawValue)] }

  /// Returns the rules whose presupposition one of the traits fulfils.
  func fulfilled(by traits: TaskLifecycle.Traits) -> RulePlaces {
    fulfilledByTrait.reduce(RulePlaces()) { $1.trait.isDisjoint(with: traits) ? $0 : $0.union($1.rules) }
  }

  /// Asks rules about a task and notes their answers.
  ///
  /// Both the task and the world are large. The task is copied once for all rules; the world is not copied.
  @inline(never)
  func ask(
    _ rules: RulePlaces, on task: Int, _ memories: RuleMemories, in world: World, _ occasion: Occasion,
    _ answers: inout RuleAnswers
  ) {
    let lifecycle = world.tasks.lifecycles[task]
    var rules = rules
    while let rule = rules.popFirst() { answers.note(askers[rule].ask(lifecycle, memories, world, occasion), of: rule) }
  }
}
