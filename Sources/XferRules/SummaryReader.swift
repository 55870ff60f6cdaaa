import XferDiagnosis
import XferEvents
import XferYAML

/// A reader for summaries with placeholders for fields, such as `{task} asked for {size}`. A doubled brace is a literal brace.
struct SummaryReader {
  private let node: YAMLNode
  init(_ node: YAMLNode) { self.node = node }

  func template(_ scope: UserRule.Scope, _ patterns: [EventPattern]) throws(RuleError) -> SummaryTemplate {
    let text = try node.text("a summary").split(whereSeparator: \.isNewline).joined(separator: " ")
    var pieces: [SummaryTemplate.Piece] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        literal.append(rest.removeFirst())
      } else if character == "{", let end = rest.firstIndex(of: "}") {
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        pieces.append(try piece(String(rest[..<end]), scope, patterns))
        rest = rest[rest.index(after: end)...]
      } else if character == "{" || character == "}" {
        throw node.failure("the summary has an unmatched brace", "Write {field}, or double the brace for a literal one.")
      } else {
        literal.append(character)
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    return SummaryTemplate(text, pieces)
  }

  private func piece(
    _ name: String, _ scope: UserRule.Scope, _ patterns: [EventPattern]
  ) throws(RuleError) -> SummaryTemplate.Piece {
    let fields = patterns.flatMap { $0.kinds.flatMap(\.fieldNames) }
    let isOfTask = scope == .task || fields.contains("task")
    let isOfSession = isOfTask || scope == .session || fields.contains("session")
    switch name {
    case "task" where isOfTask: return .task
    case "session" where isOfSession: return .session
    case "host" where isOfTask: return .host
    case "method" where isOfTask: return .method
    default: break
    }
    guard fields.contains(name), let field = FieldID(name: name) else {
      let known = fields + (isOfTask ? ["task", "host", "method"] : []) + (isOfSession ? ["session"] : [])
      throw node.failure(
        .unknownField, "the summary quotes `\(name)`, which no event of the rule has", .near(name, Set(known).sorted()))
    }
    return .field(field)
  }
}
