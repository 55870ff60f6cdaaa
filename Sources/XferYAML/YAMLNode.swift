/// A value of a YAML file, with its place.
package struct YAMLNode: Sendable {
  package let content: Content
  package let place: SourcePlace

  package enum Content: Sendable {
    /// A scalar. A quoted scalar is not plain, and is always a text.
    case scalar(String, isPlain: Bool)
    case list([YAMLNode])
    /// The pairs are in the order of the file, and no scalar is the key of two pairs.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  package init(content: Content, place: SourcePlace) {
    self.content = content
    self.place = place
  }

  /// Whether the value is empty or an explicit null.
  package var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { ["", "~", "null"].contains(text) } else { false }
  }

  /// The text of a scalar; `nil` for a list and a mapping.
  package var scalar: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// The elements of a list, or the value itself as the only element.
  package var members: [YAMLNode] { if case .list(let members) = content { members } else { [self] } }
}
