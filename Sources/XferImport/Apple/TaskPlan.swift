import XferEvents

/// What all lines about one task tell about it together. Some lines precede the line that names the task's session or number.
struct TaskPlan {
  var identity: TaskIdentity
  var type: TaskType?
  var sessionKind: SessionKind?
  /// The members of the line "summary for task", as far as they are numbers or words.
  var summary: [String: String] = [:]
  var hasSummary = false
  /// The numbers of body bytes that the daemon received and sent; `nil` if unknown.
  var received: Int64?
  var sent: Int64?
  /// The error with which the task ended; `nil` if no line has one.
  var error: AppleError?

  func milliseconds(_ key: String) -> Duration? { summary[key].flatMap { Int64($0) }.map { .milliseconds($0) } }
}

/// The plans of all tasks of a log.
struct TaskPlans {
  private(set) var all: [TaskUID: TaskPlan] = [:]
  /// The names of sessions whose identifier a line tells.
  private(set) var sessionNames: [SessionUID: String] = [:]

  init(_ log: AppleLog) {
    for entry in log.entries where entry.meaning == .sessionNamed {
      if let session = entry.message.session, let name = Self.name(entry.message.text("ident")) { sessionNames[session] = name }
    }
    var drafts: [TaskUID: Draft] = [:]
    var order: [TaskUID] = []
    for entry in log.entries {
      guard let uid = entry.message.task else { continue }
      if drafts[uid] == nil { order.append(uid) }
      drafts[uid, default: Draft()].note(entry, log.writers[entry.writer], sessionNames)
    }
    var taken: Set<Name> = []
    for uid in order {
      guard let draft = drafts[uid] else { continue }
      all[uid] = draft.plan(uid) { taken.insert($0).inserted }
    }
  }

  /// The session and the number of a task, which belong to one task only.
  private struct Name: Hashable {
    let session: String
    let number: UInt32
  }

  /// Returns a text unless a part of it is hidden.
  static func name(_ text: String?) -> String? {
    guard let text, !text.isEmpty, !text.hasPrefix("<"), !text.contains("private>"), text != "(null)" else { return nil }
    return text
  }

  private struct Draft {
    var ownNumber: UInt32?
    var number: UInt32?
    var daemonNumber: UInt32?
    var session: String?
    var writer: String?
    var result = TaskPlan(identity: TaskIdentity(uid: TaskUID(high: 0, low: 0), session: "", number: 0))

    mutating func note(_ entry: AppleEntry, _ writer: AppleWriter, _ names: [SessionUID: String]) {
      let message = entry.message
      if writer.role == .app {
        ownNumber = ownNumber ?? message.number
        self.writer = self.writer ?? writer.name
      } else if entry.meaning == .taskNamed {
        // The daemon has a number of its own for the task.
        daemonNumber = daemonNumber ?? message.number
      } else {
        number = number ?? message.number
      }
      if let uid = message.session { session = names[uid] ?? session ?? uid.text }
      switch entry.meaning {
      case .taskNamed:
        session = TaskPlans.name(message.text("ident")) ?? session
        result.sessionKind = .background
      case .uploadCreated: (result.type, result.sessionKind) = (.upload, .background)
      case .downloadCreated: (result.type, result.sessionKind) = (.download, .background)
      case .bytes:
        let isDownload = message.text("down") == "Y"
        if isDownload { result.type = .download }
        // The answer to an upload has a body that nobody asked for, and a failed task counts none.
        result.received = isDownload ? message.integer("rx") : nil
        result.sent = message.integer("tx")
      case .summary:
        result.hasSummary = true
        result.summary = Self.members(message.text("kv") ?? "")
      case .finishedWithError, .loadFailed:
        if entry.meaning == .finishedWithError { result.error = TaskPlans.error(entry) ?? result.error }
        result.type = entry.error?.type ?? result.type
        result.sessionKind = entry.error?.sessionKind ?? result.sessionKind
      default: break
      }
      if writer.role == .daemon { result.sessionKind = .background }
    }

    /// Returns the members of `{a=1, b="h2"}`.
    private static func members(_ text: String) -> [String: String] {
      var members: [String: String] = [:]
      for part in text.split(separator: ",") {
        let pair = part.split(separator: "=", maxSplits: 1)
        guard pair.count == 2 else { continue }
        members[String(pair[0].drop { $0 == " " })] = String(pair[1].filter { $0 != "\"" })
      }
      return members
    }

    func plan(_ uid: TaskUID, isFree: (Name) -> Bool) -> TaskPlan {
      var plan = result
      let number = ownNumber ?? number ?? daemonNumber ?? 0
      let base = session ?? writer ?? "unknown"
      var name = Name(session: base, number: number)
      // Tasks of sessions that the log does not name may have equal numbers.
      var copy = 1
      while !isFree(name) {
        copy += 1
        name = Name(session: "\(base)-\(copy)", number: number)
      }
      plan.identity = TaskIdentity(uid: uid, session: name.session, number: number)
      return plan
    }
  }

  /// Returns the error of a line that tells how a task failed; `nil` if the line tells of a success.
  static func error(_ entry: AppleEntry) -> AppleError? {
    var error = entry.error ?? AppleError(domain: nil, code: nil)
    error.code = error.code ?? entry.message.integer("code").map { Int($0) }
    if error.code == 0, error.domain == nil { return nil }
    return error
  }
}
