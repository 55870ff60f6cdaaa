import XferEvents
import XferLifecycle
import XferReplay

/// The client and the server disagree on how much of an upload the server has.
struct ResumeOffsetConflict: TaskRule {
  /// The steps of a task that uploads a part, with the server's response.
  private static func part(
    _ place: UInt32 = 1, from offset: Int64, _ status: Int, server: Int64? = nil, at seconds: Double = 1
  ) -> [RuleExample.Step] {
    let (task, delivery) = (TaskIdentity.example(place), DeliveryID(UInt64(place)))
    let created = TaskCreated(
      task: task, type: .upload, method: "PATCH", scheme: "https", host: "example.com", path: "/files/7")
    return [
      .at(seconds, created), .at(seconds, TaskResumed(task: task)), .at(seconds, AttemptStarted(task: task, attempt: 1)),
      .at(
        seconds, AttemptRequestSent(task: task, attempt: 1, method: "PATCH", headers: "upload-offset", uploadOffset: offset)),
      .at(seconds, AttemptResponseReceived(task: task, attempt: 1, status: status, uploadOffset: server)),
      .at(seconds, AttemptEnded(task: task, attempt: 1, end: .finished, sent: 100)),
      .at(seconds, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, TaskCompleted(task: task, delivery: delivery, sent: 100, status: status)),
    ]
  }
  private static let later: RuleExample.Step = .at(100, LogHeartbeatWritten())

  static let description = RuleDescription(
    id: "resume-offset-conflict", severity: .error,
    summary: "The client and the server disagree on the offset of an upload, and the client did not correct it.",
    explanation: """
      A resumable upload (tus) states the offset of each part, and the server answers 409 if it does not match the server's \
      own. This happens when a layer below the protocol resends a part, when the app is terminated before it has stored the \
      server's answer, or when two copies of the app upload at once. A single conflict is harmless: the client asks for the \
      server's offset and continues from there. The variants: "again" when the next part meets another conflict, "left" when \
      no part follows, "diverged" when a successful answer has another offset than the client must expect.
      """,
    remedy: """
      On 409, request Upload-Offset with HEAD and continue from there. Always trust the server's offset, not your own. Do not \
      let the engine retry the upload of a part automatically.
      """,
    sources: [
      "https://github.com/tus/TUSKit/issues/162", "https://github.com/opencloud-eu/desktop/pull/971",
      "https://github.com/tus/TUSKit/issues/170",
    ],
    reports: [
      RuleExample(
        "two conflicts occurred in a row", .certain, variant: "again",
        cites: [.number(2, .attemptRequestSent), .first(.attemptResponseReceived), .number(2, .attemptResponseReceived)],
        steps: part(1, from: 100, 409) + part(2, from: 100, 409, at: 5) + part(3, from: 50, 204, server: 150, at: 9) + [later]),
      RuleExample(
        "no part followed a conflict", .probable, variant: "left", cites: [.attemptRequestSent, .attemptResponseReceived],
        steps: part(from: 100, 409) + [later]),
      RuleExample(
        "a successful answer has an unexpected offset", .certain, variant: "diverged",
        cites: [.attemptRequestSent, .attemptResponseReceived], steps: part(from: 100, 204, server: 250) + [later]),
    ],
    staysSilent: [
      RuleExample(
        "the next part continued from the server's offset",
        steps: part(1, from: 100, 409) + part(2, from: 50, 204, server: 150, at: 5) + [later]),
      RuleExample("a successful answer has the expected offset", steps: part(from: 100, 204, server: 200) + [later]),
      RuleExample("the server rejected the part for another reason", steps: part(from: 100, 403) + [later]),
      RuleExample(
        "the conflict is not about an upload offset",
        .at(0, TaskCreated(type: .upload, method: "PATCH", host: "example.com", path: "/o/7")), .at(0, TaskResumed()),
        .at(1, AttemptStarted(attempt: 1)), .at(1, AttemptRequestSent(attempt: 1, method: "PATCH", headers: "content-type")),
        .at(1, AttemptResponseReceived(attempt: 1, status: 409)), .at(1, AttemptEnded(attempt: 1, end: .finished, sent: 10)),
        .at(1, TaskCompleted(delivery: DeliveryID(1), status: 409)), later),
      RuleExample(
        "the log ends half a minute after the conflict", steps: part(from: 100, 409) + [.at(30, LogHeartbeatWritten())]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.uploadGoesOn)]
  static let watches: Set<EventKind> = [.attemptEnded, .taskCompleted]

  /// The maximum time from a conflict to the next part, long enough for a request for the server's offset.
  var patience: Duration = .seconds(60)

  static let limits = [RuleLimit("patience", \Self.patience, "the maximum time from a conflict to the next part")]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let answer = task.incidents.upload, task.attempt?.ended != nil else { return asked.isTaskOver ? .silentSoFar : nil }
    if let server = answer.serverOffset, 200..<300 ~= answer.status, server != answer.clientOffset.addingClamped(answer.sent) {
      return .finding(
        Draft(
          variant: "diverged",
          summary: """
            Task \(task.identity.label) sent \(answer.sent) bytes from offset \(answer.clientOffset) of an upload, but the \
            server's offset is now \(server).
            """,
          claim: .presence, evidence: answer.request, [answer.response]))
    }
    guard answer.isConflict else { return task.completed != nil || asked.isTaskOver ? .silent : nil }
    if let earlier = answer.earlierConflict {
      return .finding(
        Draft(
          variant: "again", summary: conflict(task, answer) + "; the part before it had an offset conflict, too.",
          claim: .presence, evidence: earlier, [answer.request, answer.response]))
    }
    // A second conflict is reported for the task of the next part.
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
        unless: ["the upload continues later or from another device"]))
  }

  private func conflict(_ task: TaskLifecycle, _ answer: TaskLifecycle.UploadAnswer) -> String {
    "Task \(task.identity.label) sent a part of an upload from offset \(answer.clientOffset), but the server expects another offset"
  }
}
