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
    // A message's arguments have a privacy of their own, each.
    if case .message(let message) = self { return message.format ?? SummaryTemplate.unknown }
    return valueText ?? SummaryTemplate.unknown
  }
}
