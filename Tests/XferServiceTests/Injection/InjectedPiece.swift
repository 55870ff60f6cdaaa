/// One to three tasks of an app, with the server's responses and the app's code for them, and at most one injected cause.
///
/// Without its cause, a piece differs in one place and is correct.
struct InjectedPiece {
  /// `nil` if the piece is correct.
  var cause: InjectedCause?
  /// The names of the tasks, in the order of their creation. The name is also the task's description.
  var tasks: [String] = []
  /// The tasks whose completion the app cannot receive.
  var lost: Set<String> = []
  /// The sessions that the cause concerns, by identifier.
  var concernedSessions: [String] = []
  /// The sessions that the tasks need.
  var sessions: [InjectedSession] = []
  var routes: [String] = []
  var files: [String] = []
  /// The app's steps that create the tasks.
  var creation: [String] = []
  var reactions: [Reaction] = []
  /// How far the device's clock must advance before the cause has an effect.
  var advance: Int?
  /// What the device waits for before the clock advances.
  var signs: [String] = []
  /// Whether the app is asked only a minute later, before the clock advances further.
  var isAskedLater = false
  /// The app's steps when its user returns after the clock has advanced.
  var endings: [String] = []
  var conditions: String?

  /// The app's reaction to a callback.
  struct Reaction {
    let callback: String
    /// `nil` for a callback that names no task.
    let task: String?
    var steps: [String]
    /// Further conditions.
    var condition = ""

    var text: String {
      let condition = condition.isEmpty ? "" : ", \(condition)"
      guard let task else { return "{ do: [\(steps.joined(separator: ", "))] }" }
      return "{ do: [\(steps.joined(separator: ", "))], when: { task: \(task)\(condition) } }"
    }
  }

  init(_ cause: InjectedCause?) { self.cause = cause }

  mutating func react(_ callback: String, _ task: String?, _ steps: String..., when condition: String = "") {
    reactions.removeAll { $0.callback == callback && $0.task == task && $0.condition == condition }
    reactions.append(Reaction(callback: callback, task: task, steps: steps, condition: condition))
  }

  mutating func use(_ session: InjectedSession) { if !sessions.contains(session) { sessions.append(session) } }

  mutating func route(_ path: String, _ response: String) { routes.append("{ path: \"\(path)\", respond: \(response) }") }

  /// Adds a download whose file is moved, and whose outcome is recorded.
  mutating func download(
    _ name: String, _ session: InjectedSession, _ response: String?, path: String? = nil, options: String = "", url: String? = nil
  ) {
    if let response { route(path ?? "/\(name)", response) }
    use(session)
    create("download", name, session, url ?? "$SERVER\(path ?? "/\(name)")", options)
    react("finished", name, "{ move: $FILES/\(name) }", when: "status: ok")
    react("completed", name, "{ outcome: auto }")
  }

  /// Adds an upload of a file.
  mutating func upload(
    _ name: String, _ session: InjectedSession, _ response: String?, path: String? = nil, size: Int, options: String = "",
    method: String = "PUT"
  ) {
    if let response { route(path ?? "/\(name)", response) }
    use(session)
    files.append("\(name).source: { size: \(size), seed: 3 }")
    create(
      "upload", name, session, "$SERVER\(path ?? "/\(name)")",
      ", file: $FILES/\(name).source, method: \(method)\(options)")
    react("completed", name, "{ outcome: auto }")
  }

  mutating func data(
    _ name: String, _ session: InjectedSession, _ response: String?, path: String? = nil, options: String = "", url: String? = nil
  ) {
    if let response { route(path ?? "/\(name)", response) }
    use(session)
    create("data", name, session, url ?? "$SERVER\(path ?? "/\(name)")", options)
    react("completed", name, "{ outcome: auto }")
  }

  private mutating func create(_ verb: String, _ name: String, _ session: InjectedSession, _ url: String, _ options: String) {
    tasks.append(name)
    creation.append("{ \(verb): { url: \"\(url)\", session: \(session.name), as: \(name)\(options) } }")
  }
}

/// A session of a scripted app.
struct InjectedSession: Hashable {
  /// The name by which steps refer to the session. Of a background session it is the identifier.
  let name: String
  var isBackground = false
  var settings = ""
  /// Whether the app invalidates the session after it has resumed all tasks.
  var isInvalidated = false

  static let background = InjectedSession(name: "com.example.a", isBackground: true)
  static let otherBackground = InjectedSession(name: "com.example.b", isBackground: true)
  static let work = InjectedSession(name: "work")

  static func own(_ name: String, _ settings: String) -> InjectedSession {
    InjectedSession(name: name, settings: settings, isInvalidated: true)
  }

  var creation: String {
    if isBackground, settings.isEmpty { return "{ session: \(name) }" }
    let kind = isBackground ? "identifier: \(name)" : "name: \(name), kind: default"
    return "{ session: { \(kind)\(settings.isEmpty ? "" : ", settings: { \(settings) }") } }"
  }
}
