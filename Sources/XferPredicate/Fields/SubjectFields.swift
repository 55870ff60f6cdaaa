import XferEvents

/// The fields of tasks, sessions, processes and findings.
enum SubjectFields {
  private static func field(
    _ subject: QuerySubject, _ name: String, also synonyms: [String] = [], _ type: ValueType, _ summary: String
  ) -> QueryField {
    QueryField("\(subject.rawValue).\(name)", also: synonyms, type, .subject(SubjectField(subject, name)), summary)
  }

  static let all: [QueryField] = tasks + sessions + processes + findings

  private static let outcomes = ["succeeded", "failed", "cancelled", "lost", "open", "unknown", "resumed"]
  private static let states = [
    "created", "queued", "running", "held", "suspended", "transferred", "delivered", "completed", "acknowledged", "failed",
    "cancelled",
  ]

  static let tasks: [QueryField] = [
    field(.task, "name", .task, "The name of the task: session/number."),
    field(.task, "uid", .text, "The uid of the task."),
    field(.task, "session", .text, "The session of the task."),
    field(.task, "number", .count, "The number of the task in its session."),
    field(.task, "type", .choice("TaskType"), "The type of the task."),
    field(.task, "state", .word(states), "The state of the task at the end of the log."),
    field(.task, "outcome", .word(outcomes), "The outcome of the task at the end of the log."),
    field(.task, "method", .text, "The HTTP method of the task."),
    field(.task, "scheme", .text, "The URL scheme of the task."),
    field(.task, "host", .text, "The host of the task's URL."),
    field(.task, "path", .text, "The path of the task's URL."),
    field(.task, "http", also: ["task.status"], .count, "The HTTP status with which the task ended."),
    field(.task, "errorDomain", .choice("ErrorDomain"), "The domain of the error with which the task ended."),
    field(.task, "error", .count, "The number of the error with which the task ended."),
    field(.task, "errorName", .text, "The name of the error with which the task ended."),
    field(.task, "attempts", .count, "The number of attempts."),
    field(.task, "received", also: ["task.bytes"], .bytes, "The body bytes that the task received."),
    field(.task, "sent", .bytes, "The body bytes that the task sent."),
    field(.task, "connections", .count, "The number of connections that the task used."),
    field(.task, "reused", .count, "The number of connections that had served other requests before."),
    field(.task, "hold", .choice("HoldReason"), "The reason why the task waits at the end of the log."),
    field(.task, "cancelledBy", .choice("Actor"), "The party that cancelled the task."),
    field(.task, "intent", .text, "The app's key for the work of the task."),
    field(.task, "appOutcome", .choice("Outcome"), "The outcome that the app recorded for the task."),
    field(.task, "launch", .text, "The process life that last owned the task."),
    field(.task, "created", .time, "The time at which the task was created."),
    field(.task, "resumed", .time, "The time at which the task was first resumed."),
    field(.task, "transferred", .time, "The time at which the transfer of the task finished."),
    field(.task, "completed", .time, "The time at which the task was completed."),
    field(.task, "acknowledged", .time, "The time at which the app had received the completion."),
    field(.task, "queueTime", .duration, "The time for which the task waited for its first attempt."),
    field(.task, "connectTime", .duration, "The time from the start of the last attempt to its connection, new or reused."),
    field(.task, "firstByteTime", .duration, "The time from the request to the first byte of the response."),
    field(.task, "bodyTime", .duration, "The time for the body of the response."),
    field(.task, "deliveryTime", .duration, "The time from the end of the transfer to the completion callback."),
    field(.task, "took", also: ["took", "task.totalTime"], .duration, "The time from the resume of the task to its completion."),
  ]

  static let sessions: [QueryField] = [
    field(.session, "identifier", .text, "The identifier of the session."),
    field(.session, "kind", .choice("SessionKind"), "The kind of the session."),
    field(.session, "created", .time, "The time at which the session object was created."),
    field(.session, "connected", .time, "The time at which the session was connected to the daemon."),
    field(.session, "invalidated", .time, "The time at which the session was invalidated."),
  ]

  static let processes: [QueryField] = [
    field(.process, "role", .choice("WriterRole"), "The role of the process."),
    field(.process, "pid", .count, "The process id."),
    field(.process, "executable", also: ["process.name"], .text, "The file name of the program."),
    field(.process, "launch", .text, "The process life."),
    field(.process, "startReason", .choice("StartReason"), "The reason for the start of the process."),
    field(.process, "started", .time, "The time at which the process started."),
    field(.process, "ended", .time, "The time at which the process ended."),
    field(
      .process, "end", .word(["closed", "exit", "signal", "observedMissing", "unknown"]),
      "The way in which the process life ended."),
    field(.process, "exitCode", .count, "The exit status of the process."),
    field(.process, "exitSignal", .count, "The number of the signal that ended the process."),
  ]

  private static let findings: [QueryField] = [
    field(.finding, "rule", also: ["rule"], .text, "The rule of a finding about the event."),
    field(.finding, "variant", .text, "The variant of the problem."),
    field(
      .finding, "severity", also: ["severity"], .rank(["notice", "warning", "error", "critical"]), "The severity of the finding."),
    field(.finding, "certainty", .rank(["possible", "probable", "certain"]), "The certainty of the finding."),
    field(.finding, "counted", .flag, "Whether the finding affects the exit code of `xferlog replay`."),
    field(.finding, "summary", .text, "The summary of the finding."),
    field(.finding, "fingerprint", .text, "The fingerprint of the problem, the same in every run."),
  ]
}
