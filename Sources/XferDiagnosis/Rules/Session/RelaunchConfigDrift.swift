import XferEvents
import XferLifecycle
import XferReplay

/// Reports a background session that is recreated with a different configuration while it has unfinished tasks.
struct RelaunchConfigDrift: SessionRule {
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)

  private static func created(_ instance: UInt64, cellular: Bool, digest: UInt64? = nil) -> SessionCreated {
    SessionCreated(
      session: session, instance: CorrelationID(instance), sessionKind: .background,
      configuration: digest.map { ValueDigest($0) }, allowsCellular: cellular)
  }
  /// Returns the steps of two launches that create the session as `first` and as `second`.
  private static func story(
    _ first: SessionCreated, _ second: SessionCreated, _ steps: RuleExample.Step...
  ) -> [RuleExample.Step] {
    let begin: [RuleExample.Step] = [
      .at(0, first), .at(1, TaskCreated(task: task, type: .download)), .at(1, TaskResumed(task: task)),
    ]
    let end: [RuleExample.Step] = [
      .at(2, ProcessExited(code: 0, exitReason: .exitCall)), .at(10, second, by: .nextLife),
      .at(30, LogHeartbeatWritten(), by: .nextLife),
    ]
    return begin + steps + end
  }

  static let description = RuleDescription(
    id: "relaunch-config-drift", severity: .warning,
    summary:
      "A background session was recreated with a different configuration while tasks of the previous session were unfinished.",
    explanation: """
      An app must recreate a background session with the same configuration. The unfinished tasks keep the previous \
      configuration, and which configuration new tasks use is not documented. On a device that always has unfinished tasks, \
      the changed settings may therefore never take effect. If the log names the settings that differ, the finding is certain. \
      If only the configuration digests differ, the finding is possible, because the digests may have been computed with \
      different keys.
      """,
    remedy: """
      Use a new identifier for a session with a changed configuration. At each launch, also recreate the session with the \
      previous identifier and its unchanged configuration, until all of its tasks have completed.
      """,
    sources: [
      "https://developer.apple.com/documentation/uikit/uiapplicationdelegate/1622941-application",
      "https://github.com/seethroughlab/familiar/pull/317",
    ],
    reports: [
      RuleExample(
        "the new configuration disallows cellular access", .certain, variant: "settings", cites: [.sessionCreated],
        steps: story(created(1, cellular: true), created(2, cellular: false))),
      RuleExample(
        "only the configuration digests differ", .possible, variant: "digest", cites: [.sessionCreated],
        steps: story(created(1, cellular: true, digest: 1), created(2, cellular: true, digest: 2))),
    ],
    staysSilent: [
      RuleExample(
        "the session was recreated with the same configuration",
        steps: story(created(1, cellular: true, digest: 1), created(2, cellular: true, digest: 1))),
      RuleExample(
        "the configuration changed when no task was unfinished",
        steps: story(
          created(1, cellular: true), created(2, cellular: false),
          .at(2, TaskTransferred(task: task, received: 10, status: 200)),
          .at(2, TaskCompleted(task: task, received: 10, status: 200)))),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = session.created, let place = session.surroundings.earlier, !session.surroundings.inherited.isEmpty,
      let settings = session.settings
    else { return asked.isEndOfLog || session.created != nil ? .silent : nil }
    let earlier = world.sessions[place]
    guard let before = earlier.settings, let first = earlier.created else { return .silent }
    let names = before.differences(from: settings)
    // Digests are comparable only if they were computed with the same key.
    if names.isEmpty, !asked.isEndOfLog { return nil }
    let tasks = session.surroundings.inherited
    let what = names.isEmpty ? "a different configuration digest" : names.formatted
    return .finding(
      Draft(
        variant: names.isEmpty ? "digest" : "settings",
        summary: """
          Session \(session.identifier) was recreated with \(what) while \(tasks.count) \
          \(tasks.count == 1 ? "task" : "tasks") of the previous session \(tasks.count == 1 ? "was" : "were") unfinished.
          """,
        claim: names.isEmpty ? .absence(since: first, shownBy: .endOfLog) : .presence, evidence: created, [first],
        unless: names.isEmpty ? ["the two digests were computed with different keys"] : [], tasks: tasks))
  }
}

extension [String] {
  /// The names of the settings as an English phrase, such as “a different allowsCellular”.
  fileprivate var formatted: String {
    count < 2 ? "a different \(first ?? "")" : "different " + dropLast().joined(separator: ", ") + " and \(last ?? "")"
  }
}
