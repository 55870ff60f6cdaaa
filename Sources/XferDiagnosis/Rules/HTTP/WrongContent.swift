import XferEvents
import XferLifecycle
import XferReplay

/// The answer was a success of another kind than was asked for.
struct WrongContent: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .event(TaskCreated(task: .example, type: .download, scheme: "http", host: "example.com"), at: .zero),
    .event(TaskResumed(task: .example), at: .milliseconds(1)),
    .event(AttemptStarted(task: .example, attempt: 1, scheme: "http", host: "example.com"), at: .milliseconds(2)),
  ]
  private static func sent(_ accepted: String?) -> RuleExample.Step {
    .event(AttemptRequestSent(task: .example, attempt: 1, method: "GET", acceptedTypes: accepted), at: .milliseconds(3))
  }
  private static func response(_ type: String, status: Int = 200) -> AttemptResponseReceived {
    AttemptResponseReceived(task: .example, attempt: 1, status: status, contentType: type)
  }
  private static let redirect = AttemptRedirectReceived(
    task: .example, attempt: 1, status: 302, scheme: "http", host: "login.example.net", path: "/")
  private static let followed = RuleExample.Step.event(
    AttemptRedirectAnswered(task: .example, attempt: 1, decision: .followed), at: .milliseconds(5))
  private static let ended = RuleExample.Step.event(
    AttemptEnded(task: .example, attempt: 1, end: .finished, received: 900), at: .milliseconds(9))
  private static func completed(status: Int = 200) -> TaskCompleted {
    TaskCompleted(task: .example, delivery: DeliveryID(1), received: 900, status: status)
  }

  static let description = RuleDescription(
    id: "wrong-content", severity: .critical,
    summary: "The answer was a success, but not of a kind that the request takes.",
    explanation: """
      A network that wants its user to sign in answers every plain request with its own page, and with 200 or a redirect to \
      one; a proxy, a store's login, a server's start page for unknown addresses do the same. The transport is content, the \
      status is content, and a page of HTML is stored as the picture or the archive. The variant is "login page" where a \
      redirect had led to another host and a page came, "page" where a page came from the host itself, and "another type" for \
      anything else that the request's Accept does not take, which is a warning.
      """,
    remedy: """
      Say in Accept what you take, compare the answer's Content-Type with it, and check a digest or the first bytes before the \
      file is kept. Ask by https only, so that nobody on the way can answer in the server's place.
      """,
    sources: ["https://github.com/lingochamp/FileDownloader/issues/279"],
    reports: [
      RuleExample(
        "a page to sign in instead of an archive", certainty: .certain, variant: "login page",
        steps: begun + [
          sent("application/zip"), .evidence(redirect, at: .milliseconds(4)), followed,
          .evidence(response("text/html"), at: .milliseconds(6)), ended, .evidence(completed(), at: .milliseconds(12)),
        ]),
      RuleExample(
        "a page from the host itself", certainty: .certain, variant: "page",
        steps: begun + [
          sent("image/*"), .evidence(response("text/html"), at: .milliseconds(6)), ended,
          .evidence(completed(), at: .milliseconds(12)),
        ]),
      RuleExample(
        "a picture instead of data", certainty: .certain, variant: "another type",
        steps: begun + [
          sent("application/json;q=0.9, text/plain"), .evidence(response("image/png"), at: .milliseconds(6)), ended,
          .evidence(completed(), at: .milliseconds(12)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a page was asked for",
        steps: begun + [
          sent("text/html,application/xhtml+xml"), .event(redirect, at: .milliseconds(4)), followed,
          .event(response("text/html"), at: .milliseconds(6)), ended, .event(completed(), at: .milliseconds(12)),
        ]),
      RuleExample(
        "whatever comes is taken",
        steps: begun + [
          sent("application/zip, */*;q=0.1"), .event(response("text/html"), at: .milliseconds(6)), ended,
          .event(completed(), at: .milliseconds(12)),
        ]),
      RuleExample(
        "of the wanted kind, from a store at another host",
        steps: begun + [
          sent("image/*"), .event(redirect, at: .milliseconds(4)), followed,
          .event(response("image/png"), at: .milliseconds(6)), ended, .event(completed(), at: .milliseconds(12)),
        ]),
      RuleExample(
        "the server does not know what it is",
        steps: begun + [
          sent("application/zip"), .event(response("application/octet-stream"), at: .milliseconds(6)), ended,
          .event(completed(), at: .milliseconds(12)),
        ]),
      RuleExample(
        "an error page comes with an error",
        steps: begun + [
          sent("application/zip"), .event(response("text/html", status: 404), at: .milliseconds(6)), ended,
          .event(completed(status: 404), at: .milliseconds(12)),
        ]),
      RuleExample(
        "the engine had no use for it",
        steps: begun + [
          sent("application/zip"), .event(response("text/html"), at: .milliseconds(6)),
          .event(AttemptEnded(task: .example, attempt: 1, end: .refused, domain: .xfer, error: 1), at: .milliseconds(9)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .xfer, error: 1), at: .milliseconds(12)),
        ]),
      RuleExample(
        "the log does not say what was asked for",
        steps: begun + [
          sent(nil), .event(redirect, at: .milliseconds(4)), followed,
          .event(response("text/html"), at: .milliseconds(6)), ended, .event(completed(), at: .milliseconds(12)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.oddContent)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.result == .succeeded, let odd = task.incidents.oddContent else { return .silent }
    guard let accepted = odd.accepted else { return .undecidable(needs: "acceptedTypes of attempt.requestSent") }
    let variant = odd.isPage ? (odd.redirect == nil ? "page" : "login page") : "another type"
    return .finding(
      Draft(
        variant: variant, severity: odd.isPage ? nil : .warning,
        summary: "Task \(task.identity.text) takes \(accepted) and was given \(odd.type), and it counts as a success.",
        claim: .presence, evidence: odd.response, [odd.isPage ? odd.redirect : nil, completed]))
  }
}
