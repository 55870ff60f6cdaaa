import XferEvents
import XferReplay

/// The rules about subjects other than tasks, by kind of subject and by watched event.
struct SubjectRules: Sendable {
  struct Watcher: Sendable {
    /// The rule's index in the catalogue.
    let index: Int
    let rule: any SubjectRule
    let asker: SubjectAsker

    init(index: Int, rule: any SubjectRule) { (self.index, self.rule, asker) = (index, rule, rule.asker) }
  }

  private var byKind = [[Watcher]](repeating: [], count: Subject.Kind.allCases.count)
  private var byEvent = [[Watcher]](repeating: [], count: Subject.Kind.allCases.count * Self.events)
  private var byRule: [Watcher?]
  private var placesByKind = [RulePlaces](repeating: RulePlaces(), count: Subject.Kind.allCases.count)

  private static let events = 256

  init(_ rules: [any DiagnosisRule]) {
    byRule = [Watcher?](repeating: nil, count: rules.count)
    for (index, rule) in rules.enumerated() {
      guard let rule = rule.subjectRule else { continue }
      let (watcher, kind) = (Watcher(index: index, rule: rule), type(of: rule).subject.rawValue)
      byRule[index] = watcher
      byKind[kind].append(watcher)
      placesByKind[kind].insert(index)
      for event in type(of: rule).watches { byEvent[kind * Self.events + Int(event.rawValue)].append(watcher) }
    }
  }

  func all(_ kind: Subject.Kind) -> [Watcher] { byKind[kind.rawValue] }

  func places(_ kind: Subject.Kind) -> RulePlaces { placesByKind[kind.rawValue] }

  @inline(__always)
  func watching(_ event: EventKind, of kind: Subject.Kind) -> [Watcher] {
    byEvent[kind.rawValue * Self.events + Int(event.rawValue)]
  }

  func watcher(_ index: Int) -> Watcher? { byRule[index] }

  /// Asks rules about a subject and notes their answers.
  ///
  /// Not inlined, so that the world, which is large, is not copied for each rule.
  ///
  /// - Parameters:
  ///   - settled: the rules that have given their final answer about the subject.
  ///   - place: the subject's index.
  @inline(never)
  static func ask(
    _ watchers: [Watcher], except settled: RulePlaces, about place: Int, in world: World, _ occasion: Occasion,
    _ answers: inout RuleAnswers
  ) {
    // By index, because a loop over the elements would copy each of them.
    for index in watchers.indices
    where !settled.contains(watchers[index].index) && watchers[index].asker.concerns(place, world) {
      answers.note(watchers[index].asker.ask(place, world, occasion), of: watchers[index].index)
    }
  }
}
