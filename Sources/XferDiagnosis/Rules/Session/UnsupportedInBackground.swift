import XferEvents
import XferLifecycle
import XferReplay

/// A background session was asked for something that it cannot do.
struct UnsupportedInBackground: SessionRule {
  private static let session = "com.example.img"
  private static let instance = CorrelationID(1)

  private static func created(_ kind: SessionKind = .background) -> RuleExample.Step {
    .at(0, SessionCreated(session: session, instance: instance, sessionKind: kind, hasDelegate: true))
  }
  private static func rejected(_ reason: RejectionReason, _ type: TaskType = .upload) -> TaskRejected {
    TaskRejected(session: session, instance: instance, type: type, rejection: reason)
  }

  static let description = RuleDescription(
    id: "unsupported-in-background", severity: .notice,
    summary: "A background session was asked for a task of a kind that it does not carry.",
    explanation: """
      Another process transfers for a background session, when the app may be gone: it can read and write files, and speak \
      HTTP, and that is all. A data task would deliver into memory, a body in memory or from a stream would have to be read \
      from a process that no longer exists. URLSession ends the app with an exception for it. The variant names what was asked \
      for: "data task", "body from memory", "body from a stream", or "scheme".
      """,
    remedy: """
      Use download tasks, and uploads whose body is in a file, for HTTP and HTTPS only. Whoever wraps URLSession returns an \
      error rather than end the app.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/740", "https://github.com/Alamofire/Alamofire/issues/2038",
      "https://github.com/Alamofire/Alamofire/issues/1304", "https://github.com/MKSG-MugunthKumar/MKNetworkKit/issues/474",
      "https://github.com/AFNetworking/AFNetworking/issues/4079",
    ],
    reports: [
      RuleExample(
        "a data task", .certain, variant: "data task", cites: [.taskRejected],
        created(), .at(1, rejected(.dataTaskInBackground, .data))),
      RuleExample(
        "an upload of bytes in memory", .certain, variant: "body from memory", cites: [.taskRejected],
        created(), .at(1, rejected(.bodyFromMemory))),
      RuleExample(
        "an upload from a stream", .certain, variant: "body from a stream", cites: [.taskRejected],
        created(), .at(1, rejected(.bodyFromStream))),
      RuleExample(
        "a download of a file URL", .certain, variant: "scheme", cites: [.taskRejected],
        created(), .at(1, rejected(.unsupportedScheme, .download))),
    ],
    staysSilent: [
      RuleExample("a default session refused the scheme", created(.default), .at(1, rejected(.unsupportedScheme, .download))),
      RuleExample("the file to send is not there", created(), .at(1, rejected(.missingSource))),
      RuleExample("carried", created(), .at(1, TaskCreated(type: .upload))),
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
