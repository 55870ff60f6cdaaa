import XferEvents
import XferLifecycle
import XferReplay

/// Reports an extension's background session without a container shared with the app.
struct SharedContainerMissing: SessionRule {
  private static let session = "com.example.share"
  private static let instance = CorrelationID(1)
  private static let created = SessionCreated(session: session, instance: instance, sessionKind: .background, hasDelegate: true)
  private static let rejected = TaskRejected(session: session, instance: instance, type: .upload, rejection: .missingContainer)
  private static func failed(_ error: Int) -> SessionConnectFailed {
    SessionConnectFailed(session: session, instance: instance, domain: .url, error: error)
  }

  static let description = RuleDescription(
    id: "shared-container-missing", severity: .notice,
    summary: "An extension's background session was rejected because it has no container shared with the app.",
    explanation: """
      An extension usually ends before its background transfers do, and the app receives their results. The files must \
      therefore be in a container that both can access. A session without sharedContainerIdentifier is rejected with \
      NSURLErrorBackgroundSessionRequiresSharedContainer (−995). The variant says what was rejected: "task" or "session".
      """,
    remedy: "Set sharedContainerIdentifier to the identifier of an app group that includes the app and the extension.",
    sources: [
      "https://github.com/EkoLabs/react-native-background-downloader/issues/24",
      "https://github.com/dropbox/dropbox-sdk-obj-c/issues/78", "https://github.com/lionheart/openradar-mirror/issues/12103",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the session's task was rejected", .certain, variant: "task", cites: [.taskRejected],
        .at(0, created, by: .appExtension), .at(1, rejected, by: .appExtension)),
      RuleExample(
        "the session cannot connect to the daemon", .certain, variant: "session", cites: [.sessionConnectFailed],
        .at(0, created, by: .appExtension),
        .at(1, SessionConnectStarted(session: session, instance: instance), by: .appExtension),
        .at(1, failed(-995), by: .appExtension)),
      RuleExample(
        "a copy of Apple's log has the error of a task", .certain, variant: "task", cites: [.taskRejected],
        .at(0, SessionObserved(session: session, sessionKind: .background), by: .foreign),
        .at(1, TaskRejected(session: session, type: .upload, rejection: .missingContainer), by: .foreign)),
    ],
    staysSilent: [
      RuleExample("the rejected session belongs to the app, which needs no shared container", .at(0, created), .at(1, rejected)),
      RuleExample(
        "the session cannot connect for another reason",
        .at(0, created, by: .appExtension),
        .at(1, SessionConnectStarted(session: session, instance: instance), by: .appExtension),
        .at(1, failed(-1), by: .appExtension)),
      RuleExample(
        "the task was rejected for another reason",
        .at(0, created, by: .appExtension),
        .at(1, TaskRejected(session: session, instance: instance, type: .upload, rejection: .missingSource), by: .appExtension)),
    ])

  static let watches: Set<EventKind> = [.taskRejected, .sessionConnectFailed, .sessionInvalidated]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let refused = session.refusals.missingContainer else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[session.process]
    // Copies of Apple's log do not tell an app from its extension.
    if process.role == .app, process.coverage == nil { return .silent }
    return .finding(
      Draft(
        variant: refused.kind == .taskRejected ? "task" : "session",
        summary:
          "Session \(session.identifier) of \(process.executable ?? "an extension") has no container shared with its app.",
        claim: .presence, evidence: refused))
  }
}
