import XferEvents
import XferLifecycle
import XferReplay

/// The answer was a success of another kind than was asked for.
struct WrongContent: TaskRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download, scheme: "http", host: "example.com")), .at(0.001, TaskResumed()),
    .at(0.002, AttemptStarted(attempt: 1, scheme: "http", host: "example.com")),
  ]
  private static func sent(_ accepted: String?) -> RuleExample.Step {
    .at(0.003, AttemptRequestSent(attempt: 1, method: "GET", acceptedTypes: accepted))
  }
  private static func response(_ type: String, status: Int = 200) -> AttemptResponseReceived {
    AttemptResponseReceived(attempt: 1, status: status, contentType: type)
  }
  private static let redirect = AttemptRedirectReceived(
    task: .example, attempt: 1, status: 302, scheme: "http", host: "login.example.net", path: "/")
  private static let followed = RuleExample.Step.at(0.005, AttemptRedirectAnswered(attempt: 1, decision: .followed))
  private static let ended = RuleExample.Step.at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 900))
  private static func completed(status: Int = 200) -> TaskCompleted {
    TaskCompleted(delivery: DeliveryID(1), received: 900, status: status)
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
        "a page to sign in instead of an archive", .certain, variant: "login page",
        cites: [.attemptRedirectReceived, .attemptResponseReceived, .taskCompleted],
        steps: begun + [
          sent("application/zip"), .at(0.004, redirect), followed, .at(0.006, response("text/html")), ended,
          .at(0.012, completed()),
        ]),
      RuleExample(
        "a page from the host itself", .certain, variant: "page", cites: [.attemptResponseReceived, .taskCompleted],
        steps: begun + [sent("image/*"), .at(0.006, response("text/html")), ended, .at(0.012, completed())]),
      RuleExample(
        "a picture instead of data", .certain, variant: "another type", cites: [.attemptResponseReceived, .taskCompleted],
        steps: begun + [
          sent("application/json;q=0.9, text/plain"), .at(0.006, response("image/png")), ended, .at(0.012, completed()),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "a page was asked for",
        steps: begun + [
          sent("text/html,application/xhtml+xml"), .at(0.004, redirect), followed, .at(0.006, response("text/html")), ended,
          .at(0.012, completed()),
        ]),
      RuleExample(
        "whatever comes is taken",
        steps: begun + [sent("application/zip, */*;q=0.1"), .at(0.006, response("text/html")), ended, .at(0.012, completed())]),
      RuleExample(
        "of the wanted kind, from a store at another host",
        steps: begun + [
          sent("image/*"), .at(0.004, redirect), followed, .at(0.006, response("image/png")), ended, .at(0.012, completed()),
        ]),
      RuleExample(
        "the server does not know what it is",
        steps: begun + [
          sent("application/zip"), .at(0.006, response("application/octet-stream")), ended, .at(0.012, completed()),
        ]),
      RuleExample(
        "an error page comes with an error",
        steps: begun + [
          sent("application/zip"), .at(0.006, response("text/html", status: 404)), ended, .at(0.012, completed(status: 404)),
        ]),
      RuleExample(
        "the engine had no use for it",
        steps: begun + [
          sent("application/zip"), .at(0.006, response("text/html")),
          .at(0.009, AttemptEnded(attempt: 1, end: .refused, domain: .xfer, error: 1)),
          .at(0.012, TaskCompleted(delivery: DeliveryID(1), domain: .xfer, error: 1)),
        ]),
      RuleExample(
        "the log does not say what was asked for",
        steps: begun + [
          sent(nil), .at(0.004, redirect), followed, .at(0.006, response("text/html")), ended, .at(0.012, completed()),
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
