import XferEvents
import XferLifecycle
import XferReplay

/// Client and server do not agree on how much of an upload is there.
struct ResumeOffsetConflict: TaskRule {
  private static func created(_ task: TaskIdentity) -> TaskCreated {
    TaskCreated(task: task, type: .upload, method: "PATCH", scheme: "https", host: "example.com", path: "/files/7")
  }

  /// A part of an upload, and its answer.
  private static func part(
    _ place: UInt32 = 1, from offset: Int64, sent: Int64 = 100, _ status: Int, server: Int64? = nil, at second: Int,
    cites: (request: Bool, response: Bool) = (false, false)
  ) -> [RuleExample.Step] {
    let task = TaskIdentity.example(place)
    let request = AttemptRequestSent(
      task: task, attempt: 1, method: "PATCH", headers: "upload-offset", uploadOffset: offset)
    let response = AttemptResponseReceived(task: task, attempt: 1, status: status, uploadOffset: server)
    return [
      .at(.seconds(second), created(task)), .at(.seconds(second), TaskResumed(task: task)),
      .at(.seconds(second), AttemptStarted(task: task, attempt: 1)),
      .at(.seconds(second), request),
      .at(.seconds(second), response),
      .at(.seconds(second), AttemptEnded(task: task, attempt: 1, end: .finished, sent: sent)),
      .at(.seconds(second), DeliveryEntered(task: task, delivery: DeliveryID(UInt64(place)), callback: .didComplete)),
      .at(.seconds(second), DeliveryLeft(task: task, delivery: DeliveryID(UInt64(place)), callback: .didComplete)),
      .at(.seconds(second), TaskCompleted(task: task, delivery: DeliveryID(UInt64(place)), sent: sent, status: status)),
    ]
  }
  private static let later = RuleExample.Step.at(100, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "resume-offset-conflict", severity: .error,
    summary: "The server has another part of the upload than the client believes, and they did not come together again.",
    explanation: """
      An upload that goes on where it stopped (tus) says with each part where it begins, and the server answers 409 when that \
      is not where it stands. It happens when something below the protocol sends a part once more, when the app is stopped \
      between an answer and its note of it, or when two copies of the app are at work. One conflict is no harm: the client \
      asks how far the server is, and goes on there. The variants: "again" when the next part meets another conflict, "left" \
      when no part follows, "diverged" when a success tells of another place than the client must believe in.
      """,
    remedy: """
      On 409 ask with HEAD for Upload-Offset and go on from there; trust the server's number, never your own. Do not let the \
      engine repeat such a request by itself.
      """,
    sources: [
      "https://github.com/tus/TUSKit/issues/162", "https://github.com/opencloud-eu/desktop/pull/971",
      "https://github.com/tus/TUSKit/issues/170",
    ],
    reports: [
      RuleExample(
        "two conflicts one after another", .certain, variant: "again",
        cites: [.number(2, .attemptRequestSent), .first(.attemptResponseReceived), .number(2, .attemptResponseReceived)],
        steps: part(1, from: 100, 409, at: 1, cites: (false, true)) + part(2, from: 100, 409, at: 5, cites: (true, true))
          + part(3, from: 50, 204, server: 150, at: 9) + [
            later
          ]),
      RuleExample(
        "one conflict, and nobody goes on", .probable, variant: "left", cites: [.attemptRequestSent, .attemptResponseReceived],
        steps: part(1, from: 100, 409, at: 1, cites: (true, true)) + [later]),
      RuleExample(
        "a success that does not fit", .certain, variant: "diverged", cites: [.attemptRequestSent, .attemptResponseReceived],
        steps: part(1, from: 100, 204, server: 250, at: 1, cites: (true, true)) + [later]),
    ],
    staysSilent: [
      RuleExample(
        "one conflict, and the next part went on in the right place",
        steps: part(1, from: 100, 409, at: 1) + part(2, from: 50, 204, server: 150, at: 5) + [later]),
      RuleExample("a success that fits", steps: part(1, from: 100, 204, server: 200, at: 1) + [later]),
      RuleExample("refused for something else", steps: part(1, from: 100, 403, at: 1) + [later]),
      RuleExample(
        "a conflict that is about something else",
        .at(0, TaskCreated(type: .upload, method: "PATCH", host: "example.com", path: "/o/7")), .at(0, TaskResumed()),
        .at(1, AttemptStarted(attempt: 1)), .at(1, AttemptRequestSent(attempt: 1, method: "PATCH", headers: "content-type")),
        .at(1, AttemptResponseReceived(attempt: 1, status: 409)), .at(1, AttemptEnded(attempt: 1, end: .finished, sent: 10)),
        .at(1, TaskCompleted(delivery: DeliveryID(1), status: 409)), later),
      RuleExample("the log ends a moment later", steps: part(1, from: 100, 409, at: 1) + [.at(30, LogHeartbeatWritten())]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.uploadGoesOn)]
  static let watches: Set<EventKind> = [.attemptEnded, .taskCompleted]

  /// For the question how far the server is, and the next part.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "how long after a conflict the next part may take to come")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let answer = task.incidents.upload, task.attempt?.ended != nil else { return asked.isTaskOver ? .silentSoFar : nil }
    if let server = answer.serverOffset, 200..<300 ~= answer.status, server != answer.clientOffset.addingClamped(answer.sent) {
      return .finding(
        Draft(
          variant: "diverged",
          summary: """
            Task \(task.identity.text) sent \(answer.sent) bytes from byte \(answer.clientOffset) of an upload, and the server \
            says that it has \(server).
            """,
          claim: .presence, evidence: answer.request, [answer.response]))
    }
    guard answer.isConflict else { return task.completed != nil || asked.isTaskOver ? .silent : nil }
    if let earlier = answer.earlierConflict {
      return .finding(
        Draft(
          variant: "again", summary: conflict(task, answer) + ", for the second time in a row.",
          claim: .presence, evidence: earlier, [answer.request, answer.response]))
    }
    // A second conflict is that task's.
    if answer.next != nil { return .silent }
    let process = world.process(of: task)
    guard asked.covered(since: answer.response, by: process) >= patience else {
      return asked.isEndOfLog ? nil : .wait(patience, after: answer.response)
    }
    return .finding(
      Draft(
        variant: "left", summary: conflict(task, answer) + ", and no part followed.",
        claim: .absence(since: answer.response, shownBy: .coverage), evidence: answer.request, [answer.response],
        missing: [.init(.attemptRequestSent, dueBy: answer.response.due(within: patience))],
        unless: ["the upload goes on later, or from another device"]))
  }

  private func conflict(_ task: TaskLifecycle, _ answer: TaskLifecycle.UploadAnswer) -> String {
    "Task \(task.identity.text) was to go on from byte \(answer.clientOffset) of an upload, where the server does not stand"
  }
}
