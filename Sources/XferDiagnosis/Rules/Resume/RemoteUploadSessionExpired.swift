import XferEvents
import XferLifecycle
import XferReplay

/// The server deleted an unfinished upload because it had expired.
struct RemoteUploadSessionExpired: TaskRule {
  /// The wall time at which the examples begin.
  private static let wall: Int64 = 1_780_000_001_000_000_000

  private static func part(
    _ place: UInt32, path: String = "/files/7", from offset: Int64, _ status: Int, expiresIn: Int64? = nil, at seconds: Double
  ) -> [RuleExample.Step] {
    let (task, delivery) = (TaskIdentity.example(place), DeliveryID(UInt64(place)))
    let created = TaskCreated(
      task: task, type: .upload, method: "PATCH", scheme: "https", host: "example.com", path: path)
    let response = AttemptResponseReceived(
      task: task, attempt: 1, status: status, uploadOffset: status == 204 ? offset + 100 : nil,
      uploadExpires: expiresIn.map { WallTime(nanoseconds: wall + $0 * 1_000_000_000) })
    return [
      .at(seconds, created), .at(seconds, TaskResumed(task: task)), .at(seconds, AttemptStarted(task: task, attempt: 1)),
      .at(
        seconds, AttemptRequestSent(task: task, attempt: 1, method: "PATCH", headers: "upload-offset", uploadOffset: offset)),
      .at(seconds, response), .at(seconds, AttemptEnded(task: task, attempt: 1, end: .finished, sent: 100)),
      .at(seconds, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      .at(seconds, TaskCompleted(task: task, delivery: delivery, sent: 100, status: status)),
    ]
  }

  static let description = RuleDescription(
    id: "remote-upload-session-expired", severity: .error,
    summary: "A task tried to resume an upload that had expired, and the server no longer has it.",
    explanation: """
      A server keeps an incomplete upload for a limited time, hours or days, and announces the end in Upload-Expires. A device \
      that was off, or a task that waited, returns later and gets 404 or 410 for a URL that was valid. Code that treats this \
      as a network failure retries forever. Code that creates a new upload but keeps the old URL somewhere sends parts of one \
      file to two places.
      """,
    remedy: """
      On 404 or 410 for a known upload, delete its URL everywhere, create a new upload and restart from the first byte. Store \
      the value of Upload-Expires, and do not resume after that time.
      """,
    sources: ["https://github.com/tus/tus-js-client/issues/50", "https://github.com/abraunegg/onedrive/issues/3859"],
    reports: [
      RuleExample(
        "the upload expired after one day and was resumed after two", .certain, cites: [.attemptResponseReceived],
        steps: part(1, from: 0, 204, expiresIn: 86_400, at: 1) + part(2, from: 100, 404, at: 172_800)),
      RuleExample(
        "the server answered 410", .certain, cites: [.attemptResponseReceived],
        steps: part(1, from: 0, 204, expiresIn: 60, at: 1) + part(2, from: 100, 410, at: 90)),
    ],
    staysSilent: [
      RuleExample("the upload never existed", steps: part(1, from: 0, 404, at: 1)),
      RuleExample(
        "the upload was missing before it expired",
        steps: part(1, from: 0, 204, expiresIn: 86_400, at: 1) + part(2, from: 100, 404, at: 90)),
      RuleExample(
        "the upload had expired, but the server still had it",
        steps: part(1, from: 0, 204, expiresIn: 60, at: 1) + part(2, from: 100, 204, at: 90)),
      RuleExample(
        "the missing upload is another one",
        steps: part(1, from: 0, 204, expiresIn: 60, at: 1) + part(2, path: "/files/8", from: 100, 404, at: 90)),
      RuleExample(
        "the server did not announce an expiry time",
        steps: part(1, from: 0, 204, at: 1) + part(2, from: 100, 404, at: 90)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.uploadGoesOn)]
  static let watches: Set<EventKind> = [.attemptEnded]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let answer = task.incidents.upload, task.attempt?.ended != nil else { return asked.isTaskOver ? .silent : nil }
    guard [404, 410].contains(answer.status), let known = answer.known else { return asked.isTaskOver ? .silent : nil }
    guard let expires = known.expires else { return .undecidable(needs: "uploadExpires of attempt.responseReceived") }
    guard let now = answer.response.wall else { return .undecidable(needs: "wall clock of attempt.responseReceived") }
    guard now > expires else { return asked.isTaskOver ? .silent : nil }
    let late = Duration.nanoseconds(now.nanoseconds.subtractingClamped(expires.nanoseconds))
    return .finding(
      Draft(
        summary: """
          Task \(task.identity.label) tried to resume an upload \(late.inSeconds) after it had expired, and the server no longer \
          has it.
          """,
        claim: .presence, evidence: known.response, [answer.response]))
  }
}
