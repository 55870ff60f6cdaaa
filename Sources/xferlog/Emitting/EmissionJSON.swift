import XferEvents
import XferReport

/// Reads emissions from JSON objects.
///
/// An object is a message, `{"message": …}`, with optional members `level`, `subsystem`, `category` and `private` that override the
/// options, or an event of an app: `{"event": "app.noted", "fields": {…}}`.
struct EmissionJSON {
  let defaults: EmissionDefaults

  /// The reason why an object is not a valid emission, with suggested names.
  struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private static let messageKeys = ["message", "level", "subsystem", "category", "private"]
  private static let eventKeys = ["event", "fields"]

  func emission(_ bytes: [UInt8]) throws(Problem) -> Emission {
    let result: Result<JSONValue, JSONValue.Problem> = bytes.withUnsafeBytes { bytes in
      do throws(JSONValue.Problem) { return .success(try JSONValue(bytes)) } catch { return .failure(error) }
    }
    switch result {
    case .failure(let problem): throw Problem("not JSON: \(problem.problem), at byte \(problem.offset + 1)")
    case .success(.object(let members)):
      return try members.contains { $0.key == "event" } ? event(members) : message(members)
    case .success(let other): throw Problem("it is \(other.kind) instead of an object")
    }
  }

  private func message(_ members: [JSONValue.Member]) throws(Problem) -> Emission {
    let fields = try Fields(members, of: "a message", known: Self.messageKeys)
    guard let text = try fields.text("message") else { throw Problem("it has neither a message nor an event") }
    let level = try fields.text("level").map { name throws(Problem) in
      guard let level = Level(name: name) else {
        throw Problem("'\(name)' is not a level; levels are debug, info, default, error, fault")
      }
      return level
    }
    return Emission(
      content: .message(
        defaults.message(text, isPrivate: try fields.flag("private")), level ?? defaults.level,
        subsystem: try fields.text("subsystem") ?? defaults.subsystem,
        category: try fields.text("category") ?? defaults.category))
  }

  private func event(_ members: [JSONValue.Member]) throws(Problem) -> Emission {
    let outer = try Fields(members, of: "an event", known: Self.eventKeys)
    let name = try outer.text("event") ?? ""
    guard let kind = Self.kinds.first(where: { $0.name == name }), let layout = EventLayout.known[Int(kind.rawValue)] else {
      throw Problem("there is no event '\(name)' to write. \(Self.advice(name, Self.kinds.map(\.name)))")
    }
    let known = layout.fields.map(\.name).filter { $0 != "task" }
    let fields = try Fields(outer.members("fields"), of: name, known: known)
    switch kind {
    case .appIntentDeclared:
      return Emission(
        content: .intentDeclared(
          AppIntentDeclared(
            intent: try fields.required("intent"), step: try fields.text("step"), durable: try fields.flag("durable"))
        ))
    case .appOutcomeRecorded:
      let word = try fields.required("outcome")
      guard let outcome = Outcome.allCases.first(where: { $0.name == word }) else {
        throw Problem("'\(word)' is not an outcome. \(Self.advice(word, Outcome.allCases.map(\.name)))")
      }
      return Emission(
        content: .outcomeRecorded(
          AppOutcomeRecorded(intent: try fields.text("intent"), outcome: outcome, message: try fields.text("message"))))
    default:
      return Emission(content: .noted(AppNoted(intent: try fields.text("intent"), message: try fields.required("message"))))
    }
  }

  /// The events that an app may write itself. All other events are written by the component that caused them.
  private static let kinds: [EventKind] = [.appNoted, .appIntentDeclared, .appOutcomeRecorded]

  static func advice(_ name: String, _ names: [String]) -> String {
    let near = NearNames.of(name, among: names)
    return near.isEmpty ? "Known names: \(names.joined(separator: ", "))." : "Did you mean \(near.joined(separator: " or "))?"
  }

  /// The members of an object. An unknown member is an error.
  private struct Fields {
    private let what: String
    private let values: [String: JSONValue]

    init(_ members: [JSONValue.Member], of what: String, known: [String]) throws(Problem) {
      self.what = what
      for member in members where !known.contains(member.key) {
        throw Problem("\(what) has no '\(member.key)'. \(EmissionJSON.advice(member.key, known))")
      }
      values = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    }

    func text(_ key: String) throws(Problem) -> String? {
      switch values[key] {
      case .string(let text): return text
      case nil, .null: return nil
      case let other?: throw Problem("'\(key)' is \(other.kind) instead of a string")
      }
    }

    /// Returns the value of a member without which the event says nothing.
    func required(_ key: String) throws(Problem) -> String {
      guard let text = try text(key) else { throw Problem("\(what) needs the field '\(key)'") }
      return text
    }

    func flag(_ key: String) throws(Problem) -> Bool? {
      switch values[key] {
      case .boolean(let flag): return flag
      case nil, .null: return nil
      case let other?: throw Problem("'\(key)' is \(other.kind) instead of a boolean")
      }
    }

    func members(_ key: String) throws(Problem) -> [JSONValue.Member] {
      switch values[key] {
      case .object(let members): return members
      case nil, .null: return []
      case let other?: throw Problem("'\(key)' is \(other.kind) instead of an object")
      }
    }
  }
}
