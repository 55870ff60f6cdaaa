import XferEvents
import XferLifecycle
import XferReplay

/// The server has thrown an unfinished upload away, because its time was over.
struct RemoteUploadSessionExpired: TaskRule {
  /// Examples begin at this wall time, a second less.
  private static let wall: Int64 = 1_780_000_001_000_000_000

  private static func part(
    _ place: UInt32, path: String = "/files/7", from offset: Int64, _ status: Int, expiresIn: Int64? = nil, at second: Int,
  ) -> [RuleExample.Step] {
    let task = TaskIdentity.example(place)
    let expires = expiresIn.map { WallTime(nanoseconds: wall + $0 * 1_000_000_000) }
    let response = AttemptResponseReceived(
      task: task, attempt: 1, status: status, uploadOffset: status == 204 ? offset + 100 : nil, uploadExpires: expires)
    return [
      .at(
        .seconds(second),
        TaskCreated(task: task, type: .upload, method: "PATCH", scheme: "https", host: "example.com", path: .init(path))),
      .at(.seconds(second), TaskResumed(task: task)),
      .at(.seconds(second), AttemptStarted(task: task, attempt: 1)),
      .at(
        .seconds(second),
        AttemptRequestSent(task: task, attempt: 1, method: "PATCH", headers: "upload-offset", uploadOffset: offset)),
      .at(.seconds(second), response),
      .at(.seconds(second), AttemptEnded(task: task, attempt: 1, end: .finished, sent: 100)),
      .at(.seconds(second), DeliveryEntered(task: task, delivery: DeliveryID(UInt64(place)), callback: .didComplete)),
      .at(.seconds(second), DeliveryLeft(task: task, delivery: DeliveryID(UInt64(place)), callback: .didComplete)),
      .at(.seconds(second), TaskCompleted(task: task, delivery: DeliveryID(UInt64(place)), sent: 100, status: status)),
    ]
  }

  static let description = RuleDescription(
    id: "remote-upload-session-expired", severity: .error,
    summary: "The upload was to go on after the server's time for it was over, and the server no longer knows it.",
    explanation: """
      A server keeps an upload that is not complete for some time only: hours with some, days with others, and says until when \
      (Upload-Expires). A device that was off, or a task that waited, comes back later and gets 404 or 410 for an address that \
      was right. Code that takes this for a failure of the network tries for ever; code that begins a new upload, and still \
      has the old address somewhere, sends parts of one file to two places.
      """,
    remedy: """
      On 404 or 410 for an upload that exists on your side, drop its address everywhere, make a new one and begin at the first \
      byte. Keep the server's date, and do not try when it is over.
      """,
    sources: ["https://github.com/tus/tus-js-client/issues/50", "https://github.com/abraunegg/onedrive/issues/3859"],
    reports: [
      RuleExample(
        "a day was allowed, and two had passed", .certain, cites: [.attemptResponseReceived],
        steps: part(1, from: 0, 204, expiresIn: 86_400, at: 1)
          + part(2, from: 100, 404, at: 2 * 86_400)),
      RuleExample(
        "gone, says the server", .certain, cites: [.attemptResponseReceived],
        steps: part(1, from: 0, 204, expiresIn: 60, at: 1) + part(2, from: 100, 410, at: 90)),
    ],
    staysSilent: [
      RuleExample("there never was such an upload", steps: part(1, from: 0, 404, at: 1)),
      RuleExample(
        "gone, though its time was not over",
        steps: part(1, from: 0, 204, expiresIn: 86_400, at: 1) + part(2, from: 100, 404, at: 90)),
      RuleExample(
        "late, and the server still had it",
        steps: part(1, from: 0, 204, expiresIn: 60, at: 1) + part(2, from: 100, 204, at: 90)),
      RuleExample(
        "another upload",
        steps: part(1, from: 0, 204, expiresIn: 60, at: 1) + part(2, path: "/files/8", from: 100, 404, at: 90)),
      RuleExample(
        "the server does not say how long it keeps it",
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
          Task \(task.identity.text) was to go on with an upload \(late.inSeconds) after its time, and the server no longer \
          knows it.
          """,
        claim: .presence, evidence: known.response, [answer.response]))
  }
}
