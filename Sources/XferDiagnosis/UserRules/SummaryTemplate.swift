package import XferEvents

/// A summary with placeholders for values of events, such as `{task} asked {host} for too much`.
package struct SummaryTemplate: Sendable, Hashable {
  package let text: String
  package let pieces: [Piece]

  package enum Piece: Sendable, Hashable {
    case text(String)
    /// The task as `session/number`, its session, or its request's host or method.
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

  /// The text for a value that the log does not have.
  static let unknown = "(unknown)"

  /// Returns the summary with its placeholders filled in. A masked value stays masked.
  ///
  /// - Parameter steps: the matched steps. A field's value is taken from the first step that has one.
  func text(_ about: Finding.About, _ steps: [RuleStep]) -> String {
    pieces.map { piece -> String in
      switch piece {
      case .text(let text): text
      case .task: about.identity?.label ?? Self.unknown
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
  /// The value as quoted in a summary.
  fileprivate var quoted: String {
    // The format only: each argument of a message has its own privacy.
    if case .message(let message) = self { return message.format ?? SummaryTemplate.unknown }
    return valueText ?? SummaryTemplate.unknown
  }
}
