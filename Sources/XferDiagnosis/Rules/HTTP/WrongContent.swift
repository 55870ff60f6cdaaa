import XferEvents
import XferLifecycle
import XferReplay

/// Reports a successful response whose content type the request does not accept.
struct WrongContent: RememberingTaskRule {
  private static func begun(
    _ accepted: String?, redirected: Bool = false, _ type: String, status: Int = 200
  ) -> [RuleExample.Step] {
    let sent: [RuleExample.Step] = [
      .at(0, TaskCreated(type: .download, scheme: "http", host: "example.com")), .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1, scheme: "http", host: "example.com")),
      .at(0.003, AttemptRequestSent(attempt: 1, method: "GET", acceptedTypes: accepted)),
    ]
    let redirect: [RuleExample.Step] = [
      .at(0.004, AttemptRedirectReceived(attempt: 1, status: 302, scheme: "http", host: "login.example.net", path: "/")),
      .at(0.005, AttemptRedirectAnswered(attempt: 1, decision: .followed)),
    ]
    return sent + (redirected ? redirect : []) + [
      .at(0.006, AttemptResponseReceived(attempt: 1, status: status, contentType: type))
    ]
  }

  /// The steps of an example: the request of a download accepts the types `accepted`, and the response has the type `type`.
  private static func story(
    accepts accepted: String?, redirected: Bool = false, receives type: String, status: Int = 200
  ) -> [RuleExample.Step] {
    begun(accepted, redirected: redirected, type, status: status) + [
      .at(0.009, AttemptEnded(attempt: 1, end: .finished, received: 900)),
      .at(0.012, TaskCompleted(delivery: DeliveryID(1), received: 900, status: status)),
    ]
  }

  static let description = RuleDescription(
    id: "wrong-content", severity: .critical,
    summary: "The response was a success, but of a content type that the request does not accept.",
    explanation: """
      A captive portal answers every unencrypted request with its own page, with status 200 or after a redirect. Some proxies, \
      stores that require a login, and servers with a default page for unknown URLs do the same. The transport and the status \
      show no error, and an HTML page is stored as the image or the archive. The variant is "login page" when a redirect led to \
      another host that sent an HTML page, "page" when the host itself sent one, and "another type" for any other content that \
      the request's Accept header does not allow, which is only a warning.
      """,
    remedy: """
      List the accepted types in the Accept header, compare the response's Content-Type with them, and check a digest or the \
      first bytes before you keep the file. Use https only, so that no intermediary can answer in the server's place.
      """,
    sources: ["https://github.com/lingochamp/FileDownloader/issues/279"],
    reports: [
      RuleExample(
        "the request was redirected to a login page instead of an archive", .certain, variant: "login page",
        cites: [.attemptRedirectReceived, .attemptResponseReceived, .taskCompleted],
        steps: story(accepts: "application/zip", redirected: true, receives: "text/html")),
      RuleExample(
        "the host itself sent a page instead of an image", .certain, variant: "page",
        cites: [.attemptResponseReceived, .taskCompleted], steps: story(accepts: "image/*", receives: "text/html")),
      RuleExample(
        "the server sent an image instead of JSON or text", .certain, variant: "another type",
        cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(accepts: "application/json;q=0.9, text/plain", receives: "image/png")),
    ],
    staysSilent: [
      RuleExample(
        "the request accepts HTML",
        steps: story(accepts: "text/html,application/xhtml+xml", redirected: true, receives: "text/html")),
      RuleExample(
        "the request accepts any type", steps: story(accepts: "application/zip, */*;q=0.1", receives: "text/html")),
      RuleExample(
        "the redirect leads to a store that sends the accepted type",
        steps: story(accepts: "image/*", redirected: true, receives: "image/png")),
      RuleExample(
        "the server sent a generic type", steps: story(accepts: "application/zip", receives: "application/octet-stream")),
      RuleExample(
        "an error status comes with an error page",
        steps: story(accepts: "application/zip", receives: "text/html", status: 404)),
      RuleExample(
        "the engine rejected the response",
        steps: begun("application/zip", "text/html") + [
          .at(0.009, AttemptEnded(attempt: 1, end: .refused, domain: .xfer, error: 1)),
          .at(0.012, TaskCompleted(delivery: DeliveryID(1), domain: .xfer, error: 1)),
        ]),
      RuleExample(
        "the log does not name the accepted types", steps: story(accepts: nil, redirected: true, receives: "text/html")),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let remembers: Set<EventKind> = [.attemptResponseReceived]
  static let updates: Set<EventKind> = [.attemptStarted, .attemptEnded]

  /// A response whose content type was not requested.
  struct Memory {
    let response: Fact
    let type: String
    /// The media types that the request accepts; `nil` if unknown.
    let accepted: String?
    let isPage: Bool
    /// The redirect to another host; `nil` if the response came from the task's own host.
    let redirect: Fact?
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    switch fact.kind {
    // A response that is refused or replaced is not part of the result.
    case .attemptStarted: if event.offset ?? 0 == 0 { memory = nil }
    case .attemptEnded: if event.end == .refused { memory = nil }
    default: if let odd = oddity(event, task) { memory = odd }
    }
  }

  private static func oddity(_ event: EventView, _ task: TaskLifecycle) -> Memory? {
    guard let attempt = task.attempt, let status = attempt.status, 200..<300 ~= status,
      attempt.acceptedTypes != nil || task.type == .download && attempt.redirects.received != nil,
      let response = attempt.responseReceived, let content = event.contentType
    else { return nil }
    let isPage = MediaTypes.isPage(content)
    let isElsewhere = attempt.redirects.origin?.host != task.host && attempt.redirects.received != nil
    if let accepted = attempt.acceptedTypes {
      if MediaTypes.accepts(content, accepted) { return nil }
    } else if !isPage || !isElsewhere {
      return nil
    }
    return Memory(
      response: response, type: content, accepted: attempt.acceptedTypes, isPage: isPage,
      redirect: isElsewhere ? attempt.redirects.received : nil)
  }

  func verdict(on task: TaskLifecycle, remembering odd: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.result == .succeeded, task.status ?? 0 < 400 else { return .silent }
    guard let accepted = odd.accepted else { return .undecidable(needs: "acceptedTypes of attempt.requestSent") }
    let variant = odd.isPage ? (odd.redirect == nil ? "page" : "login page") : "another type"
    return .finding(
      Draft(
        variant: variant, severity: odd.isPage ? nil : .warning,
        summary: """
          Task \(task.identity.label) accepts \(accepted) but received \(odd.type), and the transfer counted as a success.
          """,
        claim: .presence, evidence: odd.response, [odd.isPage ? odd.redirect : nil, completed]))
  }
}

/// Comparison of media types (RFC 9110 §8.3.1) in requests and responses.
enum MediaTypes {
  static func isPage(_ type: String) -> Bool { ["text/html", "application/xhtml+xml"].contains(type.lowercased()) }

  /// Whether a type matches one of several media ranges, joined by commas.
  static func accepts(_ type: String, _ ranges: String) -> Bool {
    let type = type.lowercased()
    // Servers use these types for content of unknown type, so these types count as accepted.
    if ["application/octet-stream", "binary/octet-stream"].contains(type) { return true }
    return ranges.lowercased().split(separator: ",").contains { range in
      let range = range.prefix { $0 != ";" }.filter { $0 != " " }
      if range == "*/*" || range == type { return true }
      return range.hasSuffix("/*") && type.hasPrefix(range.dropLast())
    }
  }
}
