import XferEvents
import XferLifecycle
import XferReplay

/// The app treated a secret that it could not read in the background as missing.
struct CredentialsUnavailableInBackground: ProcessRule {
  private static let launched: [RuleExample.Step] = [
    .at(0, ProcessStarted(startReason: .transfer, background: true, executable: "app"))
  ]
  private static func read(_ answer: SecretAnswer, status: Int? = nil) -> AppSecretRead {
    AppSecretRead(name: "token", secretAnswer: answer, osError: status)
  }
  private static let unavailable = read(.unavailable, status: -25308)
  /// The steps of a background launch in which the secret cannot be read.
  private static let locked = launched + [.at(1, unavailable)]

  /// The steps of a request with or without credentials, up to the server's response.
  private static func task(authorized: Bool? = false, status: Int = 401) -> [RuleExample.Step] {
    [
      .at(2, TaskCreated(type: .data)), .at(2, TaskResumed()), .at(2, AttemptStarted(attempt: 1)),
      .at(2, AttemptRequestSent(attempt: 1, method: "GET", authorized: authorized)),
      .at(3, AttemptResponseReceived(attempt: 1, status: status)), .at(3, AttemptEnded(attempt: 1, end: .finished)),
    ]
  }

  static let description = RuleDescription(
    id: "credentials-unavailable-in-background", severity: .error,
    summary: "The app could not read a secret in the background and continued as if the secret did not exist.",
    explanation: """
      While the device is locked, secrets stored as readable "when unlocked" cannot be read (errSecInteractionNotAllowed, \
      -25308, with Apple's keychain). Background launches, for example at night, often happen while the device is locked. Code \
      that treats every read failure as "no token" sends requests without credentials, which the server rejects ("requests \
      refused"), or signs the user out and deletes the secret ("signed out"). The user then finds the app signed out.
      """,
    remedy: """
      Store secrets that background work needs as readable after the first unlock. Distinguish "cannot be read now" from \
      "does not exist": in the first case postpone the work, and never delete anything.
      """,
    sources: [
      "https://github.com/kishikawakatsumi/KeychainAccess/issues/509",
      "https://github.com/particle-iot/particle-cloud-sdk-ios/pull/17", "https://github.com/MasterJ93/ATProtoKit/pull/246",
    ],
    reports: [
      RuleExample(
        "the server rejected a request without credentials", .certain, variant: "requests refused",
        cites: [.appSecretRead, .attemptRequestSent, .attemptResponseReceived], steps: locked + task()),
      RuleExample(
        "the app signed its user out", .certain, variant: "signed out", cites: [.appSecretRead, .appSecretDeleted],
        steps: locked + [.at(2, AppSecretDeleted(name: "token", reason: "sign-out"))]),
    ],
    staysSilent: [
      RuleExample("the secret does not exist", steps: launched + [.at(1, read(.absent))] + task()),
      RuleExample(
        "the app was in the foreground",
        steps: [
          .at(0, ProcessStarted(startReason: .transfer, background: false, executable: "app")),
          .at(0.001, ProcessStateChanged(state: .foreground)), .at(1, unavailable),
        ] + task()),
      RuleExample("the app read the secret before the request", steps: locked + [.at(1.5, read(.read))] + task()),
      RuleExample("the app postponed its work", steps: locked),
      RuleExample("the request needed no credentials", steps: locked + task(status: 200)),
      RuleExample("the request carried credentials that the server rejected", steps: locked + task(authorized: true)),
      RuleExample("another secret was deleted", steps: locked + [.at(2, AppSecretDeleted(name: "draft", reason: "old"))]),
      RuleExample(
        "the task started before the read failed",
        steps: task().prefix(3).map { $0 } + [.at(2.5, unavailable)] + task().dropFirst(3).map { $0 }),
    ])

  static let watches: Set<EventKind> = [.attemptEnded, .appSecretDeleted]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let secrets = process.secrets, secrets.hasConsequence else { return asked.isEndOfLog ? .silent : nil }
    let summary = "The app could not read its secret \(secrets.name) in the background and"
    if let refused = secrets.refused {
      return .finding(
        Draft(
          variant: "requests refused",
          summary: "\(summary) made requests without it, which the server answered with status \(refused.status).",
          claim: .absence(since: secrets.read, shownBy: .overtaken(by: refused.sent)), evidence: secrets.read,
          [refused.sent, refused.response], missing: [.init(.appSecretRead, dueBy: refused.sent.moment)], tasks: secrets.tasks))
    }
    let deleted = secrets.deleted ?? secrets.read
    return .finding(
      Draft(
        variant: "signed out", summary: "\(summary) deleted it.",
        claim: .absence(since: secrets.read, shownBy: .overtaken(by: deleted)), evidence: secrets.read, [secrets.deleted],
        missing: [.init(.appSecretRead, dueBy: deleted.moment)]))
  }
}
