import XferYAML

extension YAMLNode {
  func failure(_ code: RuleError.Code, _ problem: String, _ advice: String) -> RuleError {
    RuleError(code: code, place: place, problem: problem, advice: advice)
  }

  func failure(_ problem: String, _ advice: String) -> RuleError { failure(.badValue, problem, advice) }

  func text(_ what: String) throws(RuleError) -> String {
    guard let text = scalar, !isNull else { throw failure("expected \(what)", "Write a single value.") }
    return text
  }

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
