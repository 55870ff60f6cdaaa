import XferEvents
import XferLifecycle
import XferReplay

/// A background session was asked for something that it cannot do.
struct UnsupportedInBackground: SessionRule {
  private static let session = "com.example.img"
  private static let instance = CorrelationID(1)

  private static func created(_ kind: SessionKind = .background) -> RuleExample.Step {
    .event(SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: true), at: .zero)
  }
  private static func rejected(_ reason: RejectionReason, _ type: TaskType = .upload) -> TaskRejected {
    TaskRejected(session: session, instance: instance, type: type, rejection: reason)
  }

  static let description = RuleDescription(
    id: "unsupported-in-background", severity: .notice,
    summary: "A background session was asked for a task of a kind that it does not carry.",
    explanation: """
      Another process transfers for a background session, when the app may be gone: it can read and write files, and speak HTTP, \
      and that is all. A data task would deliver into memory, a body in memory or from a stream would have to be read from a \
      process that no longer exists. URLSession ends the app with an exception for it. The variant names what was asked for: \
      "data task", "body from memory", "body from a stream", or "scheme".
      """,
    remedy: """
      Use download tasks, and uploads whose body is in a file, for HTTP and HTTPS only. Whoever wraps URLSession returns an error \
      rather than end the app.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/740", "https://github.com/Alamofire/Alamofire/issues/2038",
      "https://github.com/Alamofire/Alamofire/issues/1304", "https://github.com/MKSG-MugunthKumar/MKNetworkKit/issues/474",
      "https://github.com/AFNetworking/AFNetworking/issues/4079",
    ],
    reports: [
      RuleExample(
        "a data task", certainty: .certain, variant: "data task", created(),
        .evidence(rejected(.dataTaskInBackground, .data), at: .seconds(1))),
      RuleExample(
        "an upload of bytes in memory", certainty: .certain, variant: "body from memory", created(),
        .evidence(rejected(.bodyFromMemory), at: .seconds(1))),
      RuleExample(
        "an upload from a stream", certainty: .certain, variant: "body from a stream", created(),
        .evidence(rejected(.bodyFromStream), at: .seconds(1))),
      RuleExample(
        "a download of a file URL", certainty: .certain, variant: "scheme", created(),
        .evidence(rejected(.unsupportedScheme, .download), at: .seconds(1))),
    ],
    staysSilent: [
      RuleExample(
        "a default session refused the scheme", created(.default),
        .event(rejected(.unsupportedScheme, .download), at: .seconds(1))),
      RuleExample("the file to send is not there", created(), .event(rejected(.missingSource), at: .seconds(1))),
      RuleExample("carried", created(), .event(TaskCreated(task: .example, type: .upload), at: .seconds(1))),
    ])

  static let watches: Set<EventKind> = [.taskRejected]

  private static let variants: [RejectionReason: String] = [
    .dataTaskInBackground: "data task", .bodyFromMemory: "body from memory", .bodyFromStream: "body from a stream",
    .unsupportedScheme: "scheme",
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let found = session.refusals.tasks.first { Self.variants[$0.reason] != nil }
    guard let found, let variant = Self.variants[found.reason] else { return asked.isEndOfLog ? .silent : nil }
    // The other reasons are those of background sessions alone.
    if found.reason == .unsupportedScheme {
      guard let kind = session.kind else { return asked.isEndOfLog ? .undecidable(needs: "session.created") : nil }
      if kind != .background { return .silent }
    }
    return .finding(
      Draft(
        variant: variant, summary: "Background session \(session.identifier) refused a task: \(variant).", claim: .presence,
        evidence: found.rejected))
  }
}
