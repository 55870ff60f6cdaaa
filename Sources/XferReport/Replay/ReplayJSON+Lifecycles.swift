import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

/// A lifecycle together with the process lives that it refers to by index.
///
/// The value stays small because a `DocumentObject` copies it for each field.
struct InWorld<Lifecycle> {
  let subject: Lifecycle
  let processes: [ProcessLifecycle]

  init(_ subject: Lifecycle, _ world: World) { self.init(subject, world.processes) }

  init(_ subject: Lifecycle, _ processes: [ProcessLifecycle]) { (self.subject, self.processes) = (subject, processes) }

  /// Returns the identifier of the process life at an index.
  func launch(of process: Int) -> String? { processes[process].launch.map { "\($0)" } }
}

/// The objects in the lists of a replay document. Times are wall-clock times. Durations are in nanoseconds.
extension ReplayDocument {
  static let processObject = DocumentObject<ProcessLifecycle>("process", "One life of a process.") { fields in
    fields.optionalText("launch", as: .uuid, "Identifier of the process life.") { $0.launch.map { "\($0)" } }
    fields.vocabulary("role", "WriterRole", "Role of the process.") { $0.role?.name }
    fields.optionalInteger("pid", "Process id.") { $0.pid }
    fields.optionalText("boot", as: .uuid, "Identifier of the boot.") { $0.boot.map { "\($0)" } }
    fields.optionalText("executable", "File name of the program.") { $0.executable }
    fields.time("started", "Time of the start, or of the first event when the start is missing.") { $0.started ?? $0.firstSeen }
    fields.time("ended", "Time of the end, or of the event in which another process noticed the end.") { $0.endFact }
    fields.optionalText(
      "endedAfter", as: .time,
      "Last sign of life before an end that another process noticed. The process ended between this time and `ended`."
    ) { $0.endedAfter?.wall.map { "\($0)" } }
    fields.choice("end", ProcessLifecycle.End.allCases.map(\.rawValue), "How the process life ended, if the log says so.") {
      $0.end.rawValue
    }
    fields.optionalInteger("code", "Exit code.") { $0.exitCode }
    fields.optionalInteger("signal", "Signal that ended the process.") { $0.exitSignal }
    fields.vocabulary("startReason", "StartReason", "Why the process was started.") { $0.startReason?.name }
  }

  static let sessionObject = DocumentObject<InWorld<Session>>("session", "All session objects with one identifier.") { fields in
    fields.text("identifier", "Identifier of the session.") { $0.subject.identifier }
    fields.vocabulary("kind", "SessionKind", "Kind of the session.") { $0.subject.kind?.name }
    fields.list("incarnations", incarnation, "The session objects, one for each process life that created one.") { session in
      session.subject.incarnations.map { InWorld($0, session.processes) }
    }
  }

  private static let incarnation = DocumentObject<InWorld<SessionLifecycle>>("incarnation", "One session object.") { fields in
    fields.optionalText("launch", as: .uuid, "Process life that created the session object.") {
      $0.launch(of: $0.subject.process)
    }
    fields.time("created", "Time of the creation.") { $0.subject.created }
    fields.time("connected", "Time at which the daemon accepted the session.") { $0.subject.connected }
    fields.time("invalidated", "Time at which the session became invalid.") { $0.subject.invalidated }
  }

  static let taskObject = DocumentObject<InWorld<TaskLifecycle>>("task", "One task.") { fields in
    fields.text("uid", as: .uuid, "Identifier that the task keeps for its whole life.") { "\($0.subject.identity.uid)" }
    fields.text("session", "Identifier of the session.") { $0.subject.identity.session }
    fields.integer("number", "Number of the task within its session.") { $0.subject.identity.number }
    fields.vocabulary("type", "TaskType", "Type of the task.") { $0.subject.type?.name }
    fields.choice("state", TaskLifecycle.State.allCases.map(\.rawValue), "State at the end of the log.") {
      $0.subject.state.rawValue
    }
    fields.choice("outcome", TaskLifecycle.Result.allCases.map(\.rawValue), "Outcome of the task.") { $0.subject.result.rawValue }
    fields.optionalInteger("http", "HTTP status of the response.") { $0.subject.status }
    fields.optionalObject("error", error, "The error with which the task was completed.") { $0.subject.error }
    fields.integer("attempts", "Number of attempts.") { $0.subject.attemptCount }
    fields.optionalInteger("bytes", unit: .bytes, "Bytes of the body received.") { $0.subject.bytesReceived }
    fields.object("timing", timing, "Time spent in each stage.") { $0.subject }
    fields.list("deliveries", delivery, "The delivery of the file and the delivery of the completion.") { task in
      [task.subject.fileDelivery, task.subject.completionDelivery].compactMap { $0 }.map { InWorld($0, task.processes) }
    }
    fields.integer("otherDeliveries", "Number of other callbacks that were delivered.") { $0.subject.otherDeliveries }
    fields.integer("unexpected", "Number of events in an impossible order.") { $0.subject.unexpected.count }
    fields.optionalText("continues", as: .uuid, "Uid of the earlier task whose partial download the task continues.") {
      $0.subject.continues.map { "\($0.uid)" }
    }
    fields.optionalText("continuedBy", as: .uuid, "Uid of the later task that continues the task's partial download.") {
      $0.subject.continuation.map { "\($0.task.uid)" }
    }
    fields.optionalInteger("acceptedStatus", "HTTP error status that the app accepts on purpose.") { $0.subject.acceptedStatus }
    fields.vocabulary("appOutcome", "Outcome", "Outcome that the app recorded.") { $0.subject.outcome?.name }
  }

  private static let error = DocumentObject<TaskLifecycle.ErrorFacts>("error", "The error of a task.") { fields in
    fields.vocabulary("domain", "ErrorDomain", "Domain of the error's number.") { $0.domain?.name }
    fields.integer("number", "Number of the error.") { $0.number }
    fields.optionalText("name", "Name of the error.") { $0.name }
  }

  private static let timing = DocumentObject<TaskLifecycle>("timing", "The time that a task spent in each stage.") { fields in
    for stage in TaskLifecycle.Stage.allCases {
      fields.optionalDuration(stage.rawValue, stage.summary) { $0.duration(of: stage) }
    }
  }

  private static let delivery = DocumentObject<InWorld<DeliveryLifecycle>>(
    "delivery", "The delivery of one callback to the app."
  ) { fields in
    fields.text("id", as: .identifier, "Identifier of the delivery.") { "\($0.subject.id.rawValue)" }
    fields.vocabulary("kind", "Callback", presence: .always, "The callback.") { $0.subject.callback.name }
    fields.time("sent", "Time at which the callback was sent.") { $0.subject.sent }
    fields.time("received", "Time at which the app's process received the callback.") { $0.subject.received }
    fields.time("entered", "Time at which the app's code was entered.") { $0.subject.entered }
    fields.time("left", "Time at which the app's code returned.") { $0.subject.left }
    fields.time("acknowledged", "Time at which the app's process acknowledged the callback.") { $0.subject.acknowledged }
    // A delivery that was not acknowledged is sent again, in this process life or in the next.
    fields.list("lives", arrival, "The process lives in which the callback arrived.") { delivery in
      delivery.subject.arrivals.map { InWorld($0, delivery.processes) }
    }
  }

  private static let arrival = DocumentObject<InWorld<DeliveryLifecycle.Arrival>>(
    "arrival", "The arrival of a delivery in one process life."
  ) { fields in
    fields.optionalText("launch", as: .uuid, "The process life.") { $0.launch(of: $0.subject.process) }
    fields.time("received", "Time at which the process received the callback.") { $0.subject.received }
    fields.time("entered", "Time at which the app's code was entered.") { $0.subject.entered }
    fields.time("left", "Time at which the app's code returned.") { $0.subject.left }
  }

  static let wakeObject = DocumentObject<InWorld<WakeLifecycle>>("wake", "One wake of an app for a background session.") {
    fields in
    fields.text("handler", as: .identifier, "Identifier of the completion handler.") { "\($0.subject.handler.rawValue)" }
    fields.optionalText("session", "Identifier of the session.") { $0.subject.session }
    fields.optionalText("launch", as: .uuid, "Process life that was woken.") { $0.process?.launch.map { "\($0)" } }
    fields.time("wanted", "Time at which the daemon decided to wake the app.") { $0.subject.wanted }
    fields.time("launched", "Time at which the app was launched.") { $0.subject.launched }
    fields.time("delivered", "Time at which the app received the wake.") { $0.subject.delivered }
    fields.time("stored", "Time at which the app stored the completion handler.") { $0.subject.stored }
    fields.time("eventsFinished", "Time at which the session's events were finished.") { $0.subject.eventsFinished }
    fields.time("called", "Time at which the completion handler was called.") { $0.subject.called }
    fields.time("released", "Time at which the completion handler was released without a call.") { $0.subject.released }
    fields.optionalChoice("thread", ["main", "other"], "Thread on which the completion handler was called.") {
      $0.subject.calledOnMainThread.map { $0 ? "main" : "other" }
    }
    fields.choice("outcome", WakeLifecycle.Result.allCases.map(\.rawValue), "What happened to the completion handler.") {
      $0.subject.result(processEnded: $0.process?.endFact != nil).rawValue
    }
  }

  static let undecidedObject = DocumentObject<Undecided>("undecided", "A decision that a rule could not make.") { fields in
    fields.text("rule", "Identifier of the rule.") { $0.rule }
    fields.integer("count", "Number of subjects.") { $0.count }
    fields.text("needs", "What the rule would need to know to decide.") { $0.needs }
    fields.list("decide", DecidingCapture.object, "The captures that would decide the question.") { $0.captures }
  }
}

extension InWorld where Lifecycle == WakeLifecycle {
  fileprivate var process: ProcessLifecycle? { (subject.process ?? subject.launchedProcess).map { processes[$0] } }
}

extension TaskLifecycle.Stage {
  fileprivate var summary: String {
    switch self {
    case .queue: "Time from resume to the start of the last attempt."
    case .connect: "Time from the start of the last attempt to a new or reused connection."
    case .firstByte: "Time from the connection to the response's header."
    case .body: "Time from the response's header to the end of the body."
    case .delivery: "Time from the end of the body to the app's completion callback."
    case .total: "Time from resume to completion."
    }
  }
}
