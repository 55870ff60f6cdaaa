import XferEvents
import XferLifecycle
import XferReplay

/// A secret could not be read in the background, and the app took that for having none.
struct CredentialsUnavailableInBackground: ProcessRule {
  private static func launched(background: Bool = true) -> [RuleExample.Step] {
    [.at(0, ProcessStarted(startReason: .transfer, background: background, executable: "app"))]
  }
  private static func read(_ answer: SecretAnswer, status: Int? = nil) -> AppSecretRead {
    AppSecretRead(name: "token", secretAnswer: answer, osError: status)
  }
  private static let unavailable = read(.unavailable, status: -25308)

  /// A task whose request carries credentials or not, and the server's answer.
  private static func task(authorized: Bool? = false, status: Int = 401) -> [RuleExample.Step] {
    let sent = AttemptRequestSent(attempt: 1, method: "GET", authorized: authorized)
    let response = AttemptResponseReceived(attempt: 1, status: status)
    return [
      .at(2, TaskCreated(type: .data)), .at(2, TaskResumed()),
      .at(2, AttemptStarted(attempt: 1)),
      .at(2, sent),
      .at(3, response),
      .at(3, AttemptEnded(attempt: 1, end: .finished)),
    ]
  }

  static let description = RuleDescription(
    id: "credentials-unavailable-in-background", severity: .error,
    summary: "The app could not read a secret in the background, and went on as if there were none.",
    explanation: """
      While the device is locked, what is stored for "when unlocked" cannot be read (errSecInteractionNotAllowed, -25308, with \
      Apple's keychain). An app that is launched in the background at night meets this before anybody has unlocked the device. \
      Code that takes every failure for "no token" makes requests without credentials, which are refused ("requests refused"), \
      or signs its user out and deletes what it could not read ("signed out"); the user finds the app signed out in the morning.
      """,
    remedy: """
      Store secrets that the background needs as readable after the first unlock. Tell "cannot be read now" from "is not \
      there": in the first case leave the work for later, and never delete anything.
      """,
    sources: [
      "https://github.com/kishikawakatsumi/KeychainAccess/issues/509",
      "https://github.com/particle-iot/particle-cloud-sdk-ios/pull/17", "https://github.com/MasterJ93/ATProtoKit/pull/246",
    ],
    reports: [
      RuleExample(
        "a request without credentials was refused", .certain, variant: "requests refused",
        cites: [.appSecretRead, .attemptRequestSent, .attemptResponseReceived],
        steps: launched() + [.at(1, unavailable)] + task()),
      RuleExample(
        "the app has signed its user out", .certain, variant: "signed out", cites: [.appSecretRead, .appSecretDeleted],
        steps: launched() + [.at(1, unavailable), .at(2, AppSecretDeleted(name: "token", reason: "sign-out"))]),
    ],
    staysSilent: [
      RuleExample("there is none", steps: launched() + [.at(1, read(.absent))] + task()),
      RuleExample(
        "the app was in front of its user",
        steps: launched(background: false) + [
          .at(0.001, ProcessStateChanged(state: .foreground)), .at(1, unavailable),
        ] + task()),
      RuleExample("read a moment later", steps: launched() + [.at(1, unavailable), .at(1.5, read(.read))] + task()),
      RuleExample("the app left its work for later", steps: launched() + [.at(1, unavailable)]),
      RuleExample("the request needed no credentials", steps: launched() + [.at(1, unavailable)] + task(status: 200)),
      RuleExample(
        "the request had some, and they were refused",
        steps: launched() + [.at(1, unavailable)] + task(authorized: true)),
      RuleExample(
        "another secret was deleted",
        steps: launched() + [.at(1, unavailable), .at(2, AppSecretDeleted(name: "draft", reason: "old"))]),
      RuleExample(
        "the task was made before",
        steps: task().prefix(3).map { $0 } + [.at(2.5, unavailable)] + task().dropFirst(3).map { $0 }),
    ])

  static let watches: Set<EventKind> = [.attemptEnded, .appSecretDeleted]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let secrets = process.secrets, secrets.hasConsequence else { return asked.isEndOfLog ? .silent : nil }
    let summary = "The app could not read its secret \(secrets.name) in the background, and"
    if let refused = secrets.refused {
      return .finding(
        Draft(
          variant: "requests refused",
          summary: "\(summary) made requests without it, which were answered with \(refused.status).",
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
