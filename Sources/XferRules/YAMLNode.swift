/// A place in a rule file.
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  /// The line, counted from 1.
  package let line: Int
  package let column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(file):\(line):\(column)" }
}

/// A value of a YAML file with its place.
struct YAMLNode: Sendable {
  let content: Content
  let place: SourcePlace

  enum Content: Sendable {
    /// A scalar. A quoted scalar is always a text.
    case scalar(String, isPlain: Bool)
    case list([YAMLNode])
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  func failure(_ code: RuleError.Code, _ problem: String, _ advice: String) -> RuleError {
    RuleError(code: code, place: place, problem: problem, advice: advice)
  }

  func failure(_ problem: String, _ advice: String) -> RuleError { failure(.badValue, problem, advice) }

  // MARK: Values

  /// Whether the value is empty or an explicit null.
  var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { ["", "~", "null"].contains(text) } else { false }
  }

  var scalar: String? { if case .scalar(let text, _) = content { text } else { nil } }

  func text(_ what: String) throws(RuleError) -> String {
    guard let text = scalar, !isNull else { throw failure("expected \(what)", "Write a single value.") }
    return text
  }

  /// The elements of a list, or the value itself as the only element.
  var members: [YAMLNode] { if case .list(let members) = content { members } else { [self] } }

  func flag() throws(RuleError) -> Bool {
    switch scalar {
    case "true", "yes": return true
    case "false", "no": return false
    default: throw failure("`\(scalar ?? "…")` is not a Boolean", "Write `true` or `false`.")
    }
  }

  func choice<Word: RawRepresentable<String> & CaseIterable>(_ what: String, _: Word.Type) throws(RuleError) -> Word {
    let text = try text(what)
    guard let word = Word(rawValue: text) else {
      throw failure("`\(text)` is not a valid \(what)", .near(text, Word.allCases.map(\.rawValue)))
    }
    return word
  }

  /// Returns the values of a mapping by key, and rejects keys that are not among `known`.
  func fields(_ what: String, _ known: [String]) throws(RuleError) -> YAMLFields {
    guard case .mapping(let pairs) = content else {
      throw failure("\(what) must be a mapping", "Write keys with values. The keys are \(known.joined(separator: ", ")).")
    }
    var values: [String: YAMLNode] = [:]
    for (key, value) in pairs {
      guard let name = key.scalar, known.contains(name) else {
        throw key.failure(
          .unknownKey, "\(what) has no key `\(key.scalar ?? "…")`", .near(key.scalar ?? "", known))
      }
      values[name] = value
    }
    return YAMLFields(owner: self, what: what, values: values)
  }
}

/// A mapping whose keys are all known.
struct YAMLFields: Sendable {
  let owner: YAMLNode
  let what: String
  fileprivate let values: [String: YAMLNode]

  fileprivate init(owner: YAMLNode, what: String, values: [String: YAMLNode]) {
    (self.owner, self.what, self.values) = (owner, what, values)
  }

  subscript(key: String) -> YAMLNode? { values[key] }

  func required(_ key: String, _ advice: String) throws(RuleError) -> YAMLNode {
    guard let value = values[key] else { throw owner.failure(.missingKey, "\(what) lacks `\(key)`", advice) }
    return value
  }
}
