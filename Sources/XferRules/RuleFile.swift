package import XferDiagnosis
package import XferYAML

/// The contents of a rule file: user-defined rules, and limits for any rules. A configuration file also has queries and settings.
package struct RuleFile: Sendable {
  package let name: String
  package private(set) var rules: [WrittenRule] = []
  package private(set) var limits: [WrittenLimit] = []
  /// The saved queries of a configuration file.
  package private(set) var queries: [WrittenQuery] = []
  /// The settings of a configuration file.
  package private(set) var settings: [WrittenSetting] = []
  /// The names of other rule files that the file refers to.
  package private(set) var files: [(name: String, place: SourcePlace)] = []

  package struct WrittenRule: Sendable {
    package let rule: UserRule
    package let place: SourcePlace
  }

  /// A limit as written, such as `lost-completion: {patience: 30s}`.
  package struct WrittenLimit: Sendable {
    package let rule: String
    package let limit: String
    package let value: String
    package let place: SourcePlace?

    package init(rule: String, limit: String, value: String, place: SourcePlace?) {
      (self.rule, self.limit, self.value, self.place) = (rule, limit, value, place)
    }

    /// - Parameter text: a limit such as `lost-completion.patience=30s`.
    /// - Returns: `nil` if the text has another form.
    package init?(_ text: String) {
      guard let sign = text.firstIndex(of: "="), let point = text[..<sign].firstIndex(of: "."),
        point != text.startIndex, text.index(after: point) != sign, text.index(after: sign) != text.endIndex
      else { return nil }
      self.init(
        rule: String(text[..<point]), limit: String(text[text.index(after: point)..<sign]),
        value: String(text[text.index(after: sign)...]), place: nil)
    }

    /// The limit as typed.
    package var text: String { "\(rule).\(limit)=\(value)" }
  }

  /// A query as written, such as `slow: took>10s | tasks`.
  package struct WrittenQuery: Sendable {
    package let name: String
    package let text: String
    package let place: SourcePlace
  }

  /// A setting as written, such as `color: never`. The value is not checked.
  package struct WrittenSetting: Sendable {
    package let name: SettingName
    package let text: String
    package let place: SourcePlace
  }

  /// - Parameters:
  ///   - name: the file's name as the user typed it.
  ///   - namesFiles: whether the file may refer to other rule files.
  package init(name: String, bytes: [UInt8], namesFiles: Bool = false) throws(RuleErrors) {
    self.name = name
    var errors: [RuleError] = []
    do throws(RuleError) {
      let file = try Self.tree(bytes, name).fields(
        namesFiles ? "a configuration file" : "a rule file",
        ["rules", "limits"] + (namesFiles ? ["queries"] + SettingName.allCases.map(\.rawValue) : []))
      for node in file["rules"].flatMap({ $0.isNull ? nil : $0.members }) ?? [] {
        if namesFiles, case .scalar(let name, _) = node.content {
          files.append((name, node.place))
          continue
        }
        // An error in one rule must not hide errors in other rules.
        do throws(RuleError) { rules.append(try RuleReader(node).written()) } catch { errors.append(error) }
      }
      if let node = file["limits"], !node.isNull { limits = try Self.limits(node) }
      if let node = file["queries"], !node.isNull { queries = try Self.queries(node) }
      if namesFiles {
        for name in SettingName.allCases {
          guard let node = file[name.rawValue], !node.isNull else { continue }
          settings.append(WrittenSetting(name: name, text: try node.text("the value of `\(name.rawValue)`"), place: node.place))
        }
      }
    } catch {
      errors.append(error)
    }
    if !errors.isEmpty { throw RuleErrors(errors: errors) }
  }

  private static func tree(_ bytes: [UInt8], _ name: String) throws(RuleError) -> YAMLNode {
    do {
      return try YAMLReader.read(bytes, file: name)
    } catch {
      throw RuleError(
        code: .syntax, place: error.place, problem: error.text, advice: error.advice ?? "Write at least `rules:` or `limits:`.")
    }
  }

  private static func queries(_ node: YAMLNode) throws(RuleError) -> [WrittenQuery] {
    guard case .mapping(let pairs) = node.content else {
      throw node.failure("`queries` must map names to queries", "Write `slow: 'took>10s | tasks'` below `queries:`.")
    }
    var queries: [WrittenQuery] = []
    for (name, query) in pairs {
      queries.append(WrittenQuery(name: try name.text("a name"), text: try query.text("a query"), place: query.place))
    }
    return queries
  }

  static func limits(_ node: YAMLNode) throws(RuleError) -> [WrittenLimit] {
    guard case .mapping(let rules) = node.content else {
      throw node.failure("`limits` must map rules to limits", "Write `lost-completion: {patience: 30s}` below `limits:`.")
    }
    var limits: [WrittenLimit] = []
    for (rule, values) in rules {
      guard case .mapping(let pairs) = values.content else {
        throw values.failure(
          "a rule's limits must map names to values",
          "Write `\(rule.scalar ?? "rule"): {name: 30s}`. `xferlog rules explain` lists the names.")
      }
      for (limit, value) in pairs {
        limits.append(
          WrittenLimit(
            rule: try rule.text("a rule"), limit: try limit.text("a limit"), value: try value.text("a limit's value"),
            place: limit.place))
      }
    }
    return limits
  }
}

extension RuleSet {
  /// - Parameters:
  ///   - bundled: the rules and limits of bundles. Rules of a later file replace those of an earlier file with the same ids, and rules of
  ///     `files` replace both.
  ///   - limits: limits that override those of the files.
  package init(
    over bundled: [(file: RuleFile, limits: [RuleFile.WrittenLimit])] = [], _ files: [RuleFile],
    limits: [RuleFile.WrittenLimit] = []
  ) throws(RuleErrors) {
    self.init()
    var errors: [RuleError] = []
    var places: [String: SourcePlace] = [:]
    let replacing = Set(files.flatMap(\.rules).map(\.rule.description.id))
    var last: [String: Int] = [:]
    for (place, bundle) in bundled.enumerated() {
      for written in bundle.file.rules { last[written.rule.description.id] = place }
    }
    let kept = bundled.enumerated().flatMap { place, bundle in
      bundle.file.rules.filter { last[$0.rule.description.id] == place && !replacing.contains($0.rule.description.id) }
    }
    for written in kept + files.flatMap(\.rules) {
      let id = written.rule.description.id
      if RuleCatalogue.rule(id) != nil {
        errors.append(
          RuleError(
            code: .duplicateID, place: written.place, problem: "`\(id)` is the id of a built-in rule",
            advice: "Choose another id. To change the built-in rule's limits, write them below `limits:`."))
      } else if let first = places[id] {
        errors.append(
          RuleError(
            code: .duplicateID, place: written.place, problem: "duplicate rule id `\(id)`, first at \(first)",
            advice: "Give one of the rules another id."))
      } else {
        places[id] = written.place
        add(written.rule)
      }
    }
    for limit in bundled.flatMap({ $0.file.limits + $0.limits }) + files.flatMap(\.limits) + limits {
      do throws(RuleError) { try set(limit) } catch { errors.append(error) }
    }
    for (rule, place) in places.sorted(by: { $0.key < $1.key }) { errors += unknownCauses(of: rule, place) }
    if !errors.isEmpty { throw RuleErrors(errors: errors) }
  }

  private func unknownCauses(of rule: String, _ place: SourcePlace) -> [RuleError] {
    let ids = descriptions.map(\.id)
    return (description(rule)?.consequenceOf ?? []).filter { !ids.contains($0) }.map { cause in
      RuleError(
        code: .badValue, place: place, problem: "`\(rule)` follows from the unknown rule `\(cause)`",
        advice: .near(cause, ids, all: "`xferlog rules list` lists all rules."))
    }
  }

  private mutating func set(_ limit: RuleFile.WrittenLimit) throws(RuleError) {
    func failure(_ problem: String, _ advice: String, _ code: RuleError.Code = .badValue) -> RuleError {
      RuleError(code: code, place: limit.place, problem: problem, advice: advice)
    }
    guard let value = LimitValue(limit.value) else {
      throw failure("`\(limit.value)` is not a valid limit", "Write a duration such as 30s, or a whole number.")
    }
    do throws(Problem) {
      try set(limit.limit, of: limit.rule, to: value)
    } catch {
      switch error {
      case .noRule:
        let ids = descriptions.map(\.id)
        throw failure(
          "unknown rule `\(limit.rule)`", .near(limit.rule, ids, all: "`xferlog rules list` lists all rules."), .unknownLimit)
      case .noLimit(_, known: let known):
        throw failure(
          "`\(limit.rule)` has no limit `\(limit.limit)`",
          known.isEmpty ? "The rule has no limits." : .near(limit.limit, known), .unknownLimit)
      case .wrongKind(let usual):
        throw failure(
          "`\(limit.limit)` of `\(limit.rule)` cannot be a \(value.kind)",
          "Write a \(usual.kind) such as \(usual.example).")
      case .tooSmall:
        throw failure("`\(limit.limit)` of `\(limit.rule)` cannot be \(limit.value)", "Write a value greater than zero.")
      }
    }
  }
}

extension LimitValue {
  /// Creates a value from text. Digits alone are a count, other texts are durations. `nil` for an invalid text.
  fileprivate init?(_ text: String) {
    if let count = Int(text) {
      self = .count(count)
    } else if let nanoseconds = FieldValues.duration(text) {
      self = .duration(.nanoseconds(nanoseconds))
    } else {
      return nil
    }
  }

  fileprivate var kind: String { if case .duration = self { "duration" } else { "whole number" } }
  fileprivate var example: String { if case .duration = self { "30s" } else { "3" } }
}
