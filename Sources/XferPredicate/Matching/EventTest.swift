package import XferEvents

/// A condition that is ready to be asked about events.
package struct EventTest: Sendable {
  package let predicate: Predicate
  private let root: Node

  private indirect enum Node: Sendable {
    case constant(Truth)
    case all([Node])
    case any([Node])
    case not(Node)
    case level(ClosedRange<UInt8>)
    case kind(EventKind)
    case task(TaskTest, negated: Bool)
    /// A test of a choice, with its answers by the stored number.
    case choice(FieldID, [Truth], missing: Truth)
    /// A test of the event's name, with its answers by the number of the kind.
    case name([Truth], FieldTest)
    case field(FieldTest)
    case search(SearchTest)
    case exists(QueryField)
  }

  /// A comparison of one field. A class, because copying its parts for every event takes longer than the comparison.
  private final class FieldTest: Sendable {
    let field: QueryField
    let test: ValueTest

    init(_ field: QueryField, _ test: ValueTest) { (self.field, self.test) = (field, test) }

    func truth(of event: EventView, _ subjects: (any SubjectValues)?) -> Truth {
      test.truth(of: field.reading(of: event, subjects))
    }
  }

  package init(_ predicate: Predicate) { self.init(predicate, Self.node(predicate)) }

  private init(_ predicate: Predicate, _ root: Node) { (self.predicate, self.root) = (predicate, root) }

  /// The fields of subjects that only a replay of the whole log gives.
  package var subjectFields: [SubjectField] { predicate.fields.ofReplay }

  /// Whether an event meets the condition.
  ///
  /// - Parameter subjects: the values of subjects' fields, as the replay gives them.
  @inline(__always)
  package func truth(of event: EventView, _ subjects: (any SubjectValues)? = nil) -> Truth {
    Self.truth(root, event, subjects)
  }

  // MARK: Preparation

  private static func node(_ predicate: Predicate) -> Node {
    switch predicate {
    case .everything: return .constant(.yes)
    case .and(let members): return .all(members.map(node))
    case .or(let members): return .any(members.map(node))
    case .not(let member): return .not(node(member))
    case .search(let text): return .search(SearchTest(text))
    case .exists(let field): return .exists(field)
    case .comparison(let comparison): return node(comparison)
    }
  }

  private static func node(_ comparison: Comparison) -> Node {
    let test = ValueTest(comparison)
    switch (comparison.field.source, comparison.test) {
    case (.property(.level), _):
      if let range = test.levels { return .level(range) }
    case (.property(.event), .equal(.text(let name))) where comparison.options.isEmpty:
      if let kind = EventKind.named(name) { return .kind(kind) }
    case (.property(.task), .equal(.text(let text))) where comparison.options.isEmpty:
      return .task(TaskTest(text), negated: false)
    case (.property(.task), .notEqual(.text(let text))) where comparison.options.isEmpty:
      return .task(TaskTest(text), negated: true)
    case (.property(.event), _):
      let answers = EventKind.allCases.map { (number: $0.rawValue, truth: test.truth(of: .text($0.name))) }
      return .name(Self.answers(answers), FieldTest(comparison.field, test))
    case (.vocabulary(let id), _):
      guard case .choice(let list) = id.type else { break }
      let answers = (0...UInt8.max).map { test.truth(of: .text(Vocabulary.caseName($0, of: list))) }
      return .choice(id, answers, missing: test.truth(of: .missing))
    default: break
    }
    return .field(FieldTest(comparison.field, test))
  }

  /// Returns the answers by number.
  private static func answers(_ known: [(number: UInt16, truth: Truth)]) -> [Truth] {
    var answers = [Truth](repeating: .unknown, count: Int(known.map(\.number).max() ?? 0) + 1)
    for (number, truth) in known { answers[Int(number)] = truth }
    return answers
  }

  // MARK: Events

  private static func truth(_ node: Node, _ event: EventView, _ subjects: (any SubjectValues)?) -> Truth {
    switch node {
    case .constant(let truth): return truth
    case .all(let members):
      var truth = Truth.yes
      for member in members {
        switch self.truth(member, event, subjects) {
        case .no: return .no
        case .unknown: truth = .unknown
        case .yes: break
        }
      }
      return truth
    case .any(let members):
      var truth = Truth.no
      for member in members {
        switch self.truth(member, event, subjects) {
        case .yes: return .yes
        case .unknown: truth = .unknown
        case .no: break
        }
      }
      return truth
    case .not(let member): return self.truth(member, event, subjects).negated
    case .level(let range): return Truth(range.contains(event.level.rawValue))
    case .kind(let kind): return Truth(event.kind == kind)
    case .task(let test, let isNegated):
      guard event.taskSymbol != nil else { return .no }
      guard let task = event.task else { return .unknown }
      return Truth(test.matches(task) != isNegated)
    case .choice(let id, let answers, let missing): return event.byte(id).map { answers[Int($0)] } ?? missing
    case .name(let answers, let test): return event.kind.map { answers[Int($0.rawValue)] } ?? test.truth(of: event, subjects)
    case .field(let test): return test.truth(of: event, subjects)
    case .search(let test): return Truth(test.finds(event))
    case .exists(let field): return Truth(field.reading(of: event, subjects) != .missing)
    }
  }
}

extension EventTest {
  /// Returns the answer to the condition for all events with a layout; `nil` if the answer depends on the event.
  package func truth(of layout: UnsafePointer<LayoutTable>) -> Truth? { Self.truth(root, layout) }

  /// Returns the parts of events with a layout that the condition reads.
  package func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts {
    truth(of: layout) == nil ? predicate.parts(of: layout) : .kind
  }

  /// Returns a condition that gives the same answers for events with a layout, without the members whose answers the layout decides.
  package func rest(for layout: UnsafePointer<LayoutTable>) -> EventTest { EventTest(predicate, Self.rest(root, layout)) }

  private static func rest(_ node: Node, _ layout: UnsafePointer<LayoutTable>) -> Node {
    if let truth = truth(node, layout) { return .constant(truth) }
    /// Leaves out members that decide nothing.
    func open(_ members: [Node], without truth: Truth) -> [Node] {
      members.map { rest($0, layout) }.filter { if case .constant(truth) = $0 { false } else { true } }
    }
    switch node {
    case .all(let members):
      let open = open(members, without: .yes)
      return open.count == 1 ? open[0] : .all(open)
    case .any(let members):
      let open = open(members, without: .no)
      return open.count == 1 ? open[0] : .any(open)
    case .not(let member): return .not(rest(member, layout))
    default: return node
    }
  }

  private static func truth(_ node: Node, _ layout: UnsafePointer<LayoutTable>) -> Truth? {
    switch node {
    case .constant(let truth): return truth
    case .all(let members): return joined(members.map { truth($0, layout) }, deciding: .no)
    case .any(let members): return joined(members.map { truth($0, layout) }, deciding: .yes)
    case .not(let member): return truth(member, layout)?.negated
    case .level(let range): return Truth(range.contains(layout.pointee.level.rawValue))
    case .kind(let kind): return Truth(layout.pointee.kind == kind)
    case .task: return layout.pointee.has(.task) ? nil : .no
    case .choice(let id, _, let missing): return layout.pointee.has(id) ? nil : missing
    case .name(_, let test), .field(let test): return test.field.reading(of: layout).map(test.test.truth)
    case .search: return nil
    case .exists(let field): return field.reading(of: layout).map { Truth($0 != .missing) }
    }
  }

  /// - Parameter deciding: the answer of a single member that decides.
  private static func joined(_ answers: [Truth?], deciding: Truth) -> Truth? {
    if answers.contains(deciding) { return deciding }
    if answers.contains(nil) { return nil }
    return answers.contains(.unknown) ? .unknown : deciding.negated
  }
}

extension Predicate {
  /// Returns the parts of events with a layout that the condition may read.
  fileprivate func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts {
    switch self {
    case .everything: .kind
    case .and(let members), .or(let members): members.reduce(.kind) { $0.union($1.parts(of: layout)) }
    case .not(let member): member.parts(of: layout)
    case .comparison(let comparison): comparison.field.parts(of: layout)
    case .exists(let field): field.parts(of: layout)
    case .search: .whole
    }
  }
}

extension [QueryField] {
  /// The fields of subjects that only a replay of the whole log gives.
  package var ofReplay: [SubjectField] {
    compactMap { field in
      if case .subject(let subject) = field.source, !field.isKnownAtOnce { subject } else { nil }
    }
  }
}

extension EventTest: Hashable {
  package static func == (left: EventTest, right: EventTest) -> Bool { left.predicate == right.predicate }
  package func hash(into hasher: inout Hasher) { hasher.combine(predicate) }
}

/// A task as a query names it: by session and number, by number, or by uid.
package struct TaskTest: Sendable {
  private let label: String
  /// The number in the label, or the number that alone names the task.
  private let number: UInt32?
  private let isNumberAlone: Bool
  private let uid: TaskUID?

  package init(_ text: String) {
    label = text
    let last = text.utf8.lastIndex(of: UInt8(ascii: "/"))
    number = UInt32(last.map { text[text.utf8.index(after: $0)...] } ?? text[...])
    isNumberAlone = last == nil && number != nil
    uid = TaskUID(text).flatMap { "\($0)" == text.lowercased() ? $0 : nil }
  }

  /// The number that every matching task has; `nil` if matching tasks may have several numbers.
  var onlyNumber: UInt32? { uid == nil ? number : nil }

  package func matches(_ task: TaskIdentity) -> Bool {
    // Comparing numbers is faster than making texts, and excludes most tasks.
    if let number, task.number == number, isNumberAlone ? label == "\(number)" : task.label == label { return true }
    return uid.map { $0 == task.uid } ?? false
  }
}
