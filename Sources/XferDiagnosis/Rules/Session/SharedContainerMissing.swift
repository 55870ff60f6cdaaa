import XferEvents
import XferLifecycle
import XferReplay

/// An extension's background session has no container to share with its app.
struct SharedContainerMissing: SessionRule {
  private static let session = "com.example.share"
  private static let instance = CorrelationID(1)
  private static let created = SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true)
  private static let rejected = TaskRejected(
    session: session, instance: instance, type: .upload, rejection: .missingContainer)
  private static func failed(_ error: Int) -> SessionConnectFailed {
    SessionConnectFailed(session: session, instance: instance, domain: .url, error: error)
  }

  static let description = RuleDescription(
    id: "shared-container-missing", severity: .notice,
    summary: "An extension's background session was refused because it names no container that it shares with its app.",
    explanation: """
      An extension is gone long before its background transfers are, and the app takes over what they bring. So the files have to \
      lie where both can reach them, and a session that does not name such a container \
      (sharedContainerIdentifier) is refused with NSURLErrorBackgroundSessionRequiresSharedContainer, −995.
      """,
    remedy: "Set sharedContainerIdentifier to an app group that the app and the extension are both members of.",
    sources: [
      "https://github.com/EkoLabs/react-native-background-downloader/issues/24",
      "https://github.com/dropbox/dropbox-sdk-obj-c/issues/78", "https://github.com/lionheart/openradar-mirror/issues/12103",
    ],
    reports: [
      RuleExample(
        "its task was refused", .certain, variant: "task", cites: [.taskRejected],
        .at(0, created, by: .appExtension), .at(1, rejected, by: .appExtension)),
      RuleExample(
        "it cannot be connected", .certain, variant: "session", cites: [.sessionConnectFailed],
        .at(0, created, by: .appExtension),
        .at(1, SessionConnectStarted(session: session, instance: instance), by: .appExtension),
        .at(1, failed(-995), by: .appExtension)),
    ],
    staysSilent: [
      RuleExample("the app itself, which needs none, was refused", .at(0, created), .at(1, rejected)),
      RuleExample(
        "it cannot be connected for another reason",
        .at(0, created, by: .appExtension),
        .at(1, SessionConnectStarted(session: session, instance: instance), by: .appExtension),
        .at(1, failed(-1), by: .appExtension)),
      RuleExample(
        "refused for another reason",
        .at(0, created, by: .appExtension),
        .at(1, TaskRejected(session: session, instance: instance, type: .upload, rejection: .missingSource), by: .appExtension)),
    ])

  static let watches: Set<EventKind> = [.taskRejected, .sessionConnectFailed, .sessionInvalidated]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let refused = session.refusals.missingContainer else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[session.process]
    if process.role == .app { return .silent }
    return .finding(
      Draft(
        variant: refused.kind == .taskRejected ? "task" : "session",
        summary:
          "Session \(session.identifier) of \(process.executable ?? "an extension") has no container that it shares with its app.",
        claim: .presence, evidence: refused))
  }
}
