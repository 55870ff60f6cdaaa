import XferEvents

/// What the lines about one task tell about it together. Some lines precede the line that names the task's session or number.
///
/// A plan knows the lines that were read, which are some thousand lines ahead of the line that is translated.
final class TaskPlan {
  let uid: TaskUID
  /// The session and the number. They are chosen when the first line is translated, and do not change afterwards.
  private(set) var identity: TaskIdentity
  private(set) var hasIdentity = false
  private(set) var type: TaskType?
  private(set) var sessionKind: SessionKind?
  /// The line "summary for task"; `nil` if there is none.
  private(set) var summary: TaskSummary?
  /// The numbers of body bytes that the daemon received and sent; `nil` if unknown.
  private(set) var received: Int64?
  private(set) var sent: Int64?
  /// The error with which the task ended; `nil` if no line has one. An error with a domain is preferred.
  private(set) var error: AppleError?
  /// The error of the task's last load; `nil` if no line has one.
  private(set) var loadError: AppleError?
  /// What was translated so far.
  var track = TaskTrack()

  private var ownNumber: UInt32?
  private var number: UInt32?
  private var daemonNumber: UInt32?
  private var writer: String?
  /// The sessions that lines name, in the order of the lines.
  private var sessions: [SessionMention] = []

  private enum SessionMention: Equatable {
    case uid(SessionUID)
    case name(String)
  }

  /// The maximum number of different mentions of sessions that are kept for a task.
  private static let mentionLimit = 16

  init(_ uid: TaskUID) {
    self.uid = uid
    identity = TaskIdentity(uid: uid, session: "", number: 0)
  }

  private func mention(_ session: SessionMention) {
    if sessions.last != session, sessions.count < Self.mentionLimit { sessions.append(session) }
  }

  /// The codes of `error` and of `loadError`; `nil` for an error that is missing or has no code.
  fileprivate var codes: (Int?, Int?) { (error?.code, loadError?.code) }

  func note(_ entry: AppleEntry, _ role: WriterRole, writer: () -> String?) {
    let message = entry.message
    if role == .app {
      ownNumber = ownNumber ?? message.number
      if self.writer == nil { self.writer = writer() }
    } else if entry.meaning == .taskNamed {
      // The daemon has a number of its own for the task.
      daemonNumber = daemonNumber ?? message.number
    } else {
      number = number ?? message.number
    }
    if let uid = message.session { mention(.uid(uid)) }
    switch entry.meaning {
    case .taskNamed:
      if let name = TaskPlans.name(entry.text(.ident)) { mention(.name(name)) }
      sessionKind = .background
    case .uploadCreated: (type, sessionKind) = (.upload, .background)
    case .downloadCreated: (type, sessionKind) = (.download, .background)
    case .bytes:
      let isDownload = entry.captured(.down) { $0.equals("Y") } ?? false
      if isDownload { type = .download }
      // The body of an upload's response is not a download, and the bytes of a failed task are not counted.
      received = isDownload ? entry.integer(.received) : nil
      sent = entry.integer(.sent)
    case .summary:
      summary = entry.captured(.kv, TaskSummary.init) ?? TaskSummary()
    case .finishedWithError, .loadFailed, .libraryFailed:
      if entry.meaning == .finishedWithError, let found = TaskPlans.error(entry), error?.domain == nil || found.domain != nil {
        error = found
      }
      if entry.meaning == .loadFailed { loadError = TaskPlans.loadError(entry) }
      type = entry.error?.type ?? type
      sessionKind = entry.error?.sessionKind ?? sessionKind
    default: break
    }
    if role == .daemon { sessionKind = .background }
  }

  /// Returns the error that the app received. The line may have only a number, and another line about the task the domain.
  func completed(_ error: AppleError) -> AppleError {
    if error.domain != nil { return error }
    if let known = self.error, known.domain != nil { return known }
    return loadError.flatMap { $0.code == error.code ? $0 : nil } ?? error
  }

  /// Chooses the session and the number.
  ///
  /// - Parameters:
  ///   - text: returns the text of a session's identifier.
  ///   - unused: returns a name that no other task has, made from the best name of this one.
  func choose(
    _ names: [SessionUID: String], text: (SessionUID) -> String, unused: (TaskPlans.Name) -> TaskPlans.Name
  ) {
    guard !hasIdentity else { return }
    hasIdentity = true
    var session: String?
    for mention in sessions {
      switch mention {
      case .uid(let uid): session = names[uid] ?? session ?? text(uid)
      case .name(let name): session = name
      }
    }
    let name = unused(.init(session: session ?? writer ?? "unknown", number: ownNumber ?? number ?? daemonNumber ?? 0))
    identity = TaskIdentity(uid: uid, session: name.session, number: name.number)
  }
}

/// The members of a line "summary for task" that the replay needs. A missing one is `nil`.
struct TaskSummary {
  private(set) var connection: Int64?
  private(set) var isReused: Bool?
  private(set) var `protocol`: String?
  /// The HTTP status; `nil` if there was no response.
  private(set) var status: Int?
  private(set) var nameLookupTime: Duration?
  private(set) var connectTime: Duration?
  private(set) var secureTime: Duration?

  init() {}

  /// - Parameter text: members such as `a=1, b="h2"`.
  init(_ text: UnsafeRawBufferPointer) {
    var start = 0
    while start < text.count {
      let end = text.first(0x2C, from: start) ?? text.count
      let member = text.slice(start, end).trimmed
      start = end + 1
      if let equals = member.first(0x3D, from: 0), equals > 0, equals + 1 < member.count { take(member, equals) }
    }
  }

  /// - Parameter equals: the place of the equals sign.
  private mutating func take(_ member: UnsafeRawBufferPointer, _ equals: Int) {
    let key = member.slice(0, equals)
    // Most members do not matter, so their values are not needed.
    var value: UnsafeRawBufferPointer { member.slice(equals + 1, member.count).trimmed(of: 0x22) }
    func number() -> Int64? {
      var scanner = ByteScanner(value)
      let number = scanner.takeInteger()
      return scanner.isAtEnd ? number : nil
    }
    func milliseconds() -> Duration? { number().map { .milliseconds($0) } }
    switch equals {
    case 6 where key.equals("reused"): isReused = value.equals("1")
    case 8 where key.equals("protocol"): self.protocol = value.text
    case 10 where key.equals("connection"): connection = number()
    case 15 where key.equals("response_status"): status = number().flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    case 19 where key.equals("connect_duration_ms"): connectTime = milliseconds()
    case 25 where key.equals("domain_lookup_duration_ms"): nameLookupTime = milliseconds()
    case 29 where key.equals("secure_connection_duration_ms"): secureTime = milliseconds()
    default: break
    }
  }
}

/// What was translated about a task so far.
struct TaskTrack {
  var isKnown = false
  var isResumed = false
  var attempt = 0
  var isAttemptOpen = false
  var transaction = 0
  var status: Int?
  var isTransferred = false
  var isCompleted = false
  var isCancelled = false
  var isHeld = false
}

/// The plans of the tasks of a log. Of a log with very many tasks, those that ended long ago are forgotten.
struct TaskPlans {
  private var all: [TaskUID: TaskPlan] = [:]
  /// Some of the plans in `all`, each at the place that the identifier of its task has. Most lines are about tasks of recent lines.
  private var recent: [TaskPlan?] = Array(repeating: nil, count: recentPlaces)
  /// How many of the plans' errors have a code.
  private var codes: [Int: Int] = [:]
  /// The tasks in the order in which they may be forgotten.
  private var order = FirstInFirstOut<TaskUID>()
  /// The names of sessions whose identifier a line tells.
  private(set) var sessionNames: [SessionUID: String] = [:]
  private let sessionTexts = SessionTexts()
  private var taken: Set<Name> = []
  /// The number of the last copy of a name that several tasks would have.
  private var copies: [Name: Int] = [:]

  /// The numbers of tasks that are remembered after they completed, and of names of sessions.
  private static let (taskLimit, nameLimit) = (1 << 12, 1 << 14)

  private static let recentPlaces = 256

  private static func recentPlace(_ uid: TaskUID) -> Int {
    Int(truncatingIfNeeded: uid.low ^ uid.low >> 32 ^ uid.high) & (recentPlaces - 1)
  }

  /// The session and the number of a task, which belong to one task only.
  struct Name: Hashable {
    let session: String
    let number: UInt32
  }

  /// Notes what a record tells about the names of sessions and about a task.
  ///
  /// - Parameter writer: the name of the process that wrote the record; `nil` if it is unknown.
  /// - Returns: the plan of the record's task; `nil` if the record names none.
  mutating func note(_ entry: AppleEntry, _ role: WriterRole, writer: @autoclosure () -> String?) -> TaskPlan? {
    if entry.meaning == .sessionNamed || entry.meaning == .daemonSession, let session = entry.message.session,
      let name = Self.name(entry.text(.ident))
    {
      if sessionNames.count >= Self.nameLimit { sessionNames.removeAll() }
      sessionNames[session] = name
    }
    guard let uid = entry.message.task else { return nil }
    let plan = plan(of: uid)
    let before = plan.codes
    plan.note(entry, role, writer: writer)
    if plan.codes != before {
      count(before, -1)
      count(plan.codes, 1)
    }
    return plan
  }

  private mutating func plan(of uid: TaskUID) -> TaskPlan {
    let place = Self.recentPlace(uid)
    if let known = recent[place], known.uid == uid { return known }
    if let known = all[uid] {
      recent[place] = known
      return known
    }
    let plan = TaskPlan(uid)
    all[uid] = plan
    order.append(uid)
    if all.count > Self.taskLimit { forget() }
    if all[uid] != nil { recent[place] = plan }
    return plan
  }

  /// Chooses the identity of a task unless it has one.
  mutating func choose(_ plan: TaskPlan) {
    if plan.hasIdentity { return }
    plan.choose(sessionNames, text: sessionTexts.text(of:)) { best in
      if taken.insert(best).inserted { return best }
      // Tasks of sessions that the log does not name may have equal numbers.
      var copy = copies[best] ?? 1
      var name = best
      repeat {
        copy += 1
        name = Name(session: "\(best.session)-\(copy)", number: best.number)
      } while !taken.insert(name).inserted
      if copies.count >= Self.taskLimit { copies.removeAll() }
      copies[best] = copy
      return name
    }
  }

  /// Forgets some of the oldest tasks that have completed. If hardly any task completes, tasks that have not are forgotten, too.
  private mutating func forget() {
    for _ in 0..<4 {
      guard let uid = order.popFirst(), let plan = all[uid] else { return }
      guard plan.track.isCompleted || all.count > 8 * Self.taskLimit && plan.hasIdentity else {
        order.append(uid)
        continue
      }
      all[uid] = nil
      count(plan.codes, -1)
      let place = Self.recentPlace(uid)
      if recent[place]?.uid == uid { recent[place] = nil }
      taken.remove(Name(session: plan.identity.session, number: plan.identity.number))
    }
  }

  /// Whether a line about a known task has an error. Apps print the errors of their tasks once more.
  func contains(_ error: AppleError) -> Bool { error.code.map { codes[$0] != nil } ?? !all.isEmpty }

  /// Adds a task to those with the codes of its errors, or removes it.
  private mutating func count(_ errors: (Int?, Int?), _ difference: Int) {
    for case let code? in [errors.0, errors.1] {
      let count = (codes[code] ?? 0) + difference
      codes[code] = count > 0 ? count : nil
    }
  }

  /// Returns a text unless a part of it is hidden.
  static func name(_ text: String?) -> String? {
    guard let text, !text.isEmpty, !text.hasPrefix("<"), !text.contains("private>"), text != "(null)" else { return nil }
    return text
  }

  /// Returns the error of a line that tells how a task failed; `nil` if the line tells of a success.
  static func error(_ entry: AppleEntry) -> AppleError? {
    var error = entry.error ?? AppleError(domain: nil, code: nil)
    let code = entry.integer(.code).map { Int(clamping: $0) }
    // The lines behind a message with a bare number may have errors of their own, such as that of a connection.
    if let code, error.code != code, entry.message.range(.err) == nil { error = AppleError(domain: nil, code: code) }
    error.code = error.code ?? code
    if error.code == 0, error.domain == nil { return nil }
    return error
  }

  /// Returns the error of a line such as `HTTP load failed, 0/0 bytes (error code: -1004 [1:61])`. The numbers in brackets are those of
  /// CFStreamError, whose domain 1 is that of errno.
  static func loadError(_ entry: AppleEntry) -> AppleError {
    let code = entry.integer(.code).map { Int(clamping: $0) }
    let isPOSIX = entry.integer(.dom) == 1
    var error = AppleError(domain: isPOSIX && code ?? 0 > 0 ? .posix : .url, code: code)
    if isPOSIX { error.osError = entry.integer(.sub).map { Int(clamping: $0) } }
    return error
  }
}

/// The text of the last session's identifier. Most sessions have many tasks.
private final class SessionTexts {
  private var last: (uid: SessionUID, text: String)?

  func text(of uid: SessionUID) -> String {
    if let last, last.uid == uid { return last.text }
    let text = uid.text
    last = (uid, text)
    return text
  }
}
