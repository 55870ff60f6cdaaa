import XferEvents
import XferLifecycle
import XferReplay

/// Reports a request for a task type that background sessions do not support.
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
    summary: "A background session was asked for a task of a type that it does not support.",
    explanation: """
      A separate process performs the transfers of a background session, possibly after the app has exited. That process \
      supports only HTTP, and only files as sources and destinations. A data task would deliver into the app's memory, and a \
      body from memory or from a stream would have to be read from a process that may no longer exist. For such a task, \
      URLSession raises an exception that terminates the app. The variant names what is not supported: "data task", "body from \
      memory", "body from a stream", or "scheme" for a URL that is not HTTP or HTTPS.
      """,
    remedy: """
      Use downloadTask(with:) and uploadTask(with:fromFile:), with HTTP or HTTPS URLs only. If you wrap URLSession, return an \
      error for all other tasks and URLs.
      """,
    sources: [
      "https://github.com/Alamofire/Alamofire/issues/740", "https://github.com/Alamofire/Alamofire/issues/2038",
      "https://github.com/Alamofire/Alamofire/issues/1304", "https://github.com/MKSG-MugunthKumar/MKNetworkKit/issues/474",
      "https://github.com/AFNetworking/AFNetworking/issues/4079",
    ],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "the app requested a data task", .certain, variant: "data task", cites: [.taskRejected],
        created(), .at(1, rejected(.dataTaskInBackground, .data))),
      RuleExample(
        "the app requested an upload of data in memory", .certain, variant: "body from memory", cites: [.taskRejected],
        created(), .at(1, rejected(.bodyFromMemory))),
      RuleExample(
        "the app requested an upload from a stream", .certain, variant: "body from a stream", cites: [.taskRejected],
        created(), .at(1, rejected(.bodyFromStream))),
      RuleExample(
        "the app requested a download of a file URL", .certain, variant: "scheme", cites: [.taskRejected],
        created(), .at(1, rejected(.unsupportedScheme, .download))),
    ],
    staysSilent: [
      RuleExample("a default session rejected the scheme", created(.default), .at(1, rejected(.unsupportedScheme, .download))),
      RuleExample("the file to upload is missing", created(), .at(1, rejected(.missingSource))),
      RuleExample("the background session created the task", created(), .at(1, TaskCreated(type: .upload))),
    ])

  static let watches: Set<EventKind> = [.taskRejected]

  private static let variants: [RejectionReason: String] = [
    .dataTaskInBackground: "data task", .bodyFromMemory: "body from memory", .bodyFromStream: "body from a stream",
    .unsupportedScheme: "scheme",
  ]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    let found = session.refusals.tasks.first { Self.variants[$0.reason] != nil }
    guard let found, let variant = Self.variants[found.reason] else { return asked.isEndOfLog ? .silent : nil }
    // All other reasons occur in background sessions only.
    if found.reason == .unsupportedScheme {
      guard let kind = session.kind else { return asked.isEndOfLog ? .undecidable(needs: "session.created") : nil }
      if kind != .background { return .silent }
    }
    let problem = variant == "scheme" ? "the URL scheme is not HTTP or HTTPS" : variant
    return .finding(
      Draft(
        variant: variant,
        summary: "Background session \(session.identifier) rejected a task that background sessions do not support: \(problem).",
        claim: .presence, evidence: found.rejected))
  }
}
