package import XferEvents

/// A summary that quotes what events say: `{task} asked {host} for too much`.
package struct SummaryTemplate: Sendable, Hashable {
  package let text: String
  package let pieces: [Piece]

  package enum Piece: Sendable, Hashable {
    case text(String)
    /// The task as `session/number`, its session, or where it goes, as far as the log tells.
    case task, session, host, method
    case field(FieldID)
  }

  package init(_ text: String, _ pieces: [Piece]) {
    self.text = text
    self.pieces = pieces
  }

  package var fields: [FieldID] {
    pieces.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  /// What stands for a value that the log does not have.
  static let unknown = "(unknown)"

  /// - Parameter steps: the first that has a value gives it. What is masked stays so.
  func text(_ about: Finding.About, _ steps: [RuleStep]) -> String {
    pieces.map { piece -> String in
      switch piece {
      case .text(let text): text
      case .task: about.identity?.text ?? Self.unknown
      case .session: about.session ?? Self.unknown
      case .host: about.host ?? Self.unknown
      case .method: about.method ?? Self.unknown
      case .field(let field): steps.lazy.compactMap { $0.values[field] }.first.map(\.quoted) ?? Self.unknown
      }
    }
    .joined()
  }
}

extension RecordedValue {
  /// As it stands in a summary.
  fileprivate var quoted: String {
    switch self {
    case .task(let task): task.text
    case .tasks(let tasks): tasks.map(\.text).joined(separator: " ")
    case .launch(let id): String(id.description.prefix(8))
    case .boot(let id): String(id.description.prefix(8))
    case .identifier(let id): String(id)
    case .digest(let digest): "#\(String(digest, radix: 16))"
    case .bytes(let count): ByteCount(count).description
    case .integer(let number): String(number)
    case .duration(let duration): duration.short
    case .time(let time): time.description
    case .flag(let flag): flag ? "yes" : "no"
    case .choice(let name): name
    case .text(let text): text.description
    // Its arguments have a privacy of their own, each.
    case .message(let message): message.format ?? SummaryTemplate.unknown
    case .unreadable: SummaryTemplate.unknown
    }
  }
}
