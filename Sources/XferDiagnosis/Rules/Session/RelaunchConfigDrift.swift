import XferEvents
import XferLifecycle
import XferReplay

/// A background session was made again with another configuration, while tasks of the earlier one were alive.
struct RelaunchConfigDrift: SessionRule {
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)

  private static func created(_ instance: UInt64, cellular: Bool, digest: UInt64? = nil) -> SessionCreated {
    SessionCreated(
      session: session, instance: CorrelationID(instance), sessionKind: .background,
      configuration: digest.map { ValueDigest($0) }, allowsCellular: cellular)
  }
  private static let work: [RuleExample.Step] = [
    .at(1, TaskCreated(task: task, type: .download)), .at(1, TaskResumed(task: task)),
    .at(2, ProcessExited(code: 0, exitReason: .exitCall)),
  ]
  private static let end: RuleExample.Step = .at(30, LogHeartbeatWritten(), by: .nextLife)

  static let description = RuleDescription(
    id: "relaunch-config-drift", severity: .warning,
    summary: "A background session was made again with another configuration, while its earlier tasks were alive.",
    explanation: """
      Who makes a background session again has to make it the same way: the tasks that are alive were made with the earlier \
      configuration and keep it, and which one new tasks get is not said. A changed setting does not reach devices on \
      which tasks are always under way. Where the log names settings that differ, the finding is certain; where only the \
      digests do, which may have been made with two keys, possible.
      """,
    remedy: """
      Give the session another identifier with a changed configuration, and make the earlier one too until its tasks are over.
      """,
    sources: [
      "https://developer.apple.com/documentation/uikit/uiapplicationdelegate/1622941-application",
      "https://github.com/seethroughlab/familiar/pull/317",
    ],
    reports: [
      RuleExample(
        "the cellular network is no longer allowed", .certain, variant: "settings", cites: [.sessionCreated],
        steps: [.at(0, created(1, cellular: true))] + work + [.at(10, created(2, cellular: false), by: .nextLife), end]),
      RuleExample(
        "nothing that is named differs, but the digest does", .possible, variant: "digest", cites: [.sessionCreated],
        steps: [.at(0, created(1, cellular: true, digest: 1))] + work + [
          .at(10, created(2, cellular: true, digest: 2), by: .nextLife), end,
        ]),
    ],
    staysSilent: [
      RuleExample(
        "made the same way again",
        steps: [.at(0, created(1, cellular: true, digest: 1))] + work + [
          .at(10, created(2, cellular: true, digest: 1), by: .nextLife), end,
        ]),
      RuleExample(
        "another way, when no task was alive",
        steps: [.at(0, created(1, cellular: true))] + work.prefix(2) + [
          .at(2, TaskTransferred(task: task, received: 10, status: 200)),
          .at(2, TaskCompleted(task: task, received: 10, status: 200)), work[2],
          .at(10, created(2, cellular: false), by: .nextLife), end,
        ]),
    ])

  static let watches: Set<EventKind> = [.sessionCreated]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let created = session.created, let place = session.surroundings.earlier, !session.surroundings.inherited.isEmpty,
      let settings = session.settings
    else { return asked.isEndOfLog || session.created != nil ? .silent : nil }
    let earlier = world.sessions[place]
    guard let before = earlier.settings, let first = earlier.created else { return .silent }
    let names = before.differences(from: settings)
    // Digests tell that something differs only where they were made with one key.
    if names.isEmpty, !asked.isEndOfLog { return nil }
    let tasks = session.surroundings.inherited
    let what = names.isEmpty ? "another digest" : names.formatted
    return .finding(
      Draft(
        variant: names.isEmpty ? "digest" : "settings",
        summary: """
          Session \(session.identifier) was made again with \(what), while \(tasks.count) \
          \(tasks.count == 1 ? "task" : "tasks") of the earlier one lived.
          """,
        claim: names.isEmpty ? .absence(since: first, shownBy: .endOfLog) : .presence, evidence: created, [first],
        unless: names.isEmpty ? ["the two digests were made with different keys"] : [], tasks: tasks))
  }
}

extension [String] {
  /// As one would say it.
  fileprivate var formatted: String {
    count < 2 ? "another \(first ?? "")" : "other " + dropLast().joined(separator: ", ") + " and \(last ?? "")"
  }
}
