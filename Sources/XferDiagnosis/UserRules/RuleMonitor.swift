import XferEvents
import XferLifecycle
import XferReplay

/// A state machine that matches one user rule: the steps matched so far, and the triggers that wait for an answer.
struct RuleMonitor: Sendable {
  let rule: UserRule
  let answers: [EventPattern]
  /// The fields whose values are kept with each step, for joins and the summary.
  private let kept: [FieldID]
  /// The scopes by which waits are indexed.
  private let scopes: [UserRule.Scope]

  /// The latest partial match up to each step but the last, by the key of the rule's scope.
  private var partials: [ScopeKey: [Partial?]] = [:]
  private(set) var waits: [Int: RuleWait] = [:]
  private var waitsOfKey: [ScopeKey: [Int]] = [:]
  private var lastID = 0
  /// The events that excuse a trigger which follows them, by the index of the pattern that they match and by their values of the scope's fields.
  private var excuses: [Excuse: [RuleStep]] = [:]

  private struct Partial: Sendable {
    var steps: [RuleStep]
    var keys: ScopeKeys
    var doubt: String?
  }

  private struct Excuse: Hashable {
    let pattern: Int
    let key: ScopeKey
  }

  /// The result of an event for the rule.
  enum Outcome {
    /// A trigger was matched and waits for its answer.
    case waits(Int)
    case silent
    case undecidable(needs: String)
    /// A forbidden event came, or the last step of a rule that forbids its own steps.
    case met(RuleWait, RuleStep)
    /// The expected event came after the time limit.
    case late(RuleWait)
  }

  init(_ rule: UserRule) {
    self.rule = rule
    answers = rule.answers
    scopes = UserRule.Scope.allCases.filter { scope in (rule.answers + rule.unless).contains { $0.scope == scope } }
    let joined = rule.patterns.flatMap(\.joins).flatMap { [$0.field, $0.other] }
    kept = (joined + rule.summary.fields).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  var kinds: Set<EventKind> { Set(rule.patterns.flatMap(\.kinds)) }

  // MARK: Taking events

  /// Matches an event against the rule.
  ///
  /// - Parameter isLate: a closure that returns whether an event came after the wait's time limit.
  mutating func take(_ event: SeenEvent, in world: World, isLate: (RuleWait, SeenEvent) -> Bool) -> [Outcome] {
    var outcomes: [Outcome] = []
    excuse(event, &outcomes)
    switch rule.demand {
    case .expect: answer(event, isLate: isLate, &outcomes)
    case .never(let pattern): meet(event, pattern, isLate: isLate, &outcomes)
    case .nothing: break
    }
    advance(event, in: world, &outcomes)
    return outcomes
  }

  private mutating func excuse(_ event: SeenEvent, _ outcomes: inout [Outcome]) {
    for (place, pattern) in rule.unless.enumerated() {
      let match = pattern.matches(event.view, event.kind, by: event.role)
      guard match != .no, let key = event.keys[pattern.scope] else { continue }
      for id in waitsOfKey[key] ?? [] {
        guard let wait = waits[id] else { continue }
        switch match && pattern.joins(event.view, event.kind, to: wait.steps) {
        case .no: break
        case .unknown(let needs): waits[id]?.doubt = wait.doubt ?? needs
        case .yes: settle(id, &outcomes)
        }
      }
      forget(pattern, event, key, match)
      if pattern.mayComeBefore { remember(step(event), match, Excuse(pattern: place, key: key)) }
    }
  }

  /// Removes the partial matches that an excuse applies to.
  private mutating func forget(_ pattern: EventPattern, _ event: SeenEvent, _ key: ScopeKey, _ match: Match) {
    guard rule.steps.count > 1 else { return }
    for (scope, list) in partials where pattern.scope != rule.scope || scope == key {
      for (place, partial) in list.enumerated() {
        guard let partial, partial.keys[pattern.scope] == key,
          pattern.joins.allSatisfy({ $0.step < partial.steps.count })
        else { continue }
        switch match && pattern.joins(event.view, event.kind, to: partial.steps) {
        case .no: break
        case .unknown(let needs):
          var doubtful = partial
          doubtful.doubt = partial.doubt ?? needs
          partials[scope]![place] = doubtful
        case .yes: partials[scope]![place] = nil
        }
      }
    }
  }

  /// Keeps an excuse for later triggers, unless one with the same kept values is known.
  private mutating func remember(_ step: RuleStep, _ match: Match, _ excuse: Excuse) {
    guard match == .yes, !(excuses[excuse] ?? []).contains(where: { $0.values == step.values }) else { return }
    excuses[excuse, default: []].append(step)
  }

  private func hasExcuse(_ steps: [RuleStep], _ keys: ScopeKeys) -> Bool {
    rule.unless.enumerated().contains { place, pattern in
      guard pattern.mayComeBefore, let key = keys[pattern.scope] else { return false }
      return (excuses[Excuse(pattern: place, key: key)] ?? []).contains { earlier in
        pattern.joins.allSatisfy { join in
          Match.equal(earlier.values[join.field], steps[join.step].values[join.other], needs: "") == .yes
        }
      }
    }
  }

  private mutating func answer(_ event: SeenEvent, isLate: (RuleWait, SeenEvent) -> Bool, _ outcomes: inout [Outcome]) {
    for (place, pattern) in answers.enumerated() {
      let match = pattern.matches(event.view, event.kind, by: event.role)
      guard match != .no, let key = event.keys[pattern.scope] else { continue }
      for id in waitsOfKey[key] ?? [] {
        guard let wait = waits[id], wait.answers.count == place, wait.answers.last?.fact != event.fact else { continue }
        switch match && pattern.joins(event.view, event.kind, to: wait.steps) {
        case .no: break
        case .unknown(let needs): waits[id]?.doubt = wait.doubt ?? needs
        case .yes:
          if !rule.acceptsLate, wait.finding == nil, isLate(wait, event) {
            outcomes.append(.late(wait))
            remove(id)
            continue
          }
          let answer = step(event)
          waits[id]?.answers.append(answer)
          if place + 1 == answers.count { settle(id, &outcomes) }
        }
      }
    }
  }

  private mutating func meet(
    _ event: SeenEvent, _ pattern: EventPattern, isLate: (RuleWait, SeenEvent) -> Bool, _ outcomes: inout [Outcome]
  ) {
    let match = pattern.matches(event.view, event.kind, by: event.role)
    guard match != .no, let key = event.keys[pattern.scope] else { return }
    for id in waitsOfKey[key] ?? [] {
      guard let wait = waits[id] else { continue }
      if isLate(wait, event) {
        settle(id, &outcomes)
        continue
      }
      switch match && pattern.joins(event.view, event.kind, to: wait.steps) {
      case .no: break
      case .unknown(let needs): waits[id]?.doubt = wait.doubt ?? needs
      case .yes:
        outcomes.append(.met(wait, step(event)))
        remove(id)
      }
    }
  }

  private mutating func advance(_ event: SeenEvent, in world: World, _ outcomes: inout [Outcome]) {
    // The last step first, so that one event matches at most one step of a partial match.
    for place in rule.steps.indices.reversed() {
      let pattern = rule.steps[place]
      let match = pattern.matches(event.view, event.kind, by: event.role)
      guard match != .no, let key = event.keys[rule.scope] else { continue }
      guard place > 0 else {
        begin(event, match, key, in: world, &outcomes)
        continue
      }
      guard var partial = partials[key]?[place - 1] else { continue }
      let joined = match && pattern.joins(event.view, event.kind, to: partial.steps)
      guard joined != .no, Self.isInTime(event, after: partial.steps[place - 1], pattern.within, in: world) else { continue }
      if case .unknown(let needs) = joined { partial.doubt = partial.doubt ?? needs }
      partials[key]![place - 1] = nil
      partial.steps.append(step(event))
      partial.keys = event.keys.filled(from: partial.keys)
      reach(place, partial, event, key, in: world, &outcomes)
    }
  }

  private mutating func begin(
    _ event: SeenEvent, _ match: Match, _ key: ScopeKey, in world: World, _ outcomes: inout [Outcome]
  ) {
    var partial = Partial(steps: [step(event)], keys: event.keys)
    if case .unknown(let needs) = match { partial.doubt = needs }
    reach(0, partial, event, key, in: world, &outcomes)
  }

  private mutating func reach(
    _ place: Int, _ partial: Partial, _ event: SeenEvent, _ key: ScopeKey, in world: World, _ outcomes: inout [Outcome]
  ) {
    guard place + 1 == rule.steps.count else {
      // The latest partial match replaces an earlier one, because it is nearest to the next step.
      if partials[key] == nil { partials[key] = [Partial?](repeating: nil, count: rule.steps.count - 1) }
      partials[key]![place] = partial
      return
    }
    if hasExcuse(partial.steps, partial.keys) { return outcomes.append(.silent) }
    let wait = RuleWait(
      steps: partial.steps, keys: partial.keys, task: event.task, about: Finding.About(event, in: world), doubt: partial.doubt)
    if case .nothing = rule.demand { return outcomes.append(.met(wait, wait.trigger)) }
    // If several triggers precede the forbidden event, only the latest counts.
    if case .never(let pattern) = rule.demand { forget(like: wait, pattern) }
    lastID += 1
    waits[lastID] = wait
    for scope in scopes { if let key = wait.keys[scope] { waitsOfKey[key, default: []].append(lastID) } }
    outcomes.append(.waits(lastID))
  }

  private mutating func forget(like wait: RuleWait, _ pattern: EventPattern) {
    guard let key = wait.keys[pattern.scope] else { return }
    for id in waitsOfKey[key] ?? [] {
      let isSame = pattern.joins.allSatisfy { join in
        waits[id]?.steps[join.step].values[join.other] == wait.steps[join.step].values[join.other]
      }
      if isSame { remove(id) }
    }
  }

  // MARK: Waits

  /// Ends a wait. If the wait has no finding, its outcome is `silent`, or `undecidable` if a value is missing.
  private mutating func settle(_ id: Int, _ outcomes: inout [Outcome]) {
    guard let wait = waits[id] else { return }
    if wait.finding == nil { outcomes.append(doubt(of: wait).map { .undecidable(needs: $0) } ?? .silent) }
    remove(id)
  }

  /// Returns the missing value that makes a wait undecidable at its end; `nil` if there is none. An expected event that came leaves no
  /// doubt. An event whose values the log does not hold may have been the forbidden one.
  private func doubt(of wait: RuleWait) -> String? {
    if case .never = rule.demand { wait.doubt } else { nil }
  }

  mutating func remove(_ id: Int) {
    guard let wait = waits.removeValue(forKey: id) else { return }
    for scope in scopes {
      guard let key = wait.keys[scope], var ids = waitsOfKey[key] else { continue }
      ids.removeAll { $0 == id }
      waitsOfKey[key] = ids.isEmpty ? nil : ids
    }
  }

  mutating func note(finding: Int, of id: Int) { waits[id]?.finding = finding }
  mutating func note(queuedOn process: Int?, _ id: Int) { waits[id]?.queuedOn = process }

  private func step(_ event: SeenEvent) -> RuleStep {
    var values: [FieldID: RecordedValue] = [:]
    for field in kept { values[field] = event.view.value(of: field) }
    return RuleStep(fact: event.fact, process: event.process, values: values)
  }

  /// Returns whether an event came within a time limit after a step, by the monotonic clock within one boot, else by the wall clock;
  /// `true` if neither time is known.
  static func isInTime(_ event: SeenEvent, after step: RuleStep, _ limit: Duration?, in world: World) -> Bool {
    guard let limit else { return true }
    let hasOneClock = world.processes[event.process].boot == world.processes[step.process].boot
    if hasOneClock, let start = step.fact.monotonic, let end = event.fact.monotonic {
      return end.subtractingClamped(start) <= limit.nanoseconds
    }
    guard let start = step.fact.wall, let end = event.fact.wall else { return true }
    return end.nanoseconds.subtractingClamped(start.nanoseconds) <= limit.nanoseconds
  }
}
