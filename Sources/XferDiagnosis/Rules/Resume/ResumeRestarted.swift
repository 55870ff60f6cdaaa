import XferEvents
import XferLifecycle
import XferReplay

/// A download was to go on where it had stopped, and had to begin anew.
struct ResumeRestarted: TaskRule {
  private static let (resource, data) = (ValueDigest(0xF11E), ValueDigest(0xDA7A))
  private static let (monday, tuesday) = ("Mon, 01 Jun 2026 00:00:00 GMT", "Tue, 02 Jun 2026 00:00:00 GMT")

  private static func whole(
    _ etag: String? = nil, of task: TaskIdentity = .example, attempt: Int = 1, modified: String? = nil, size: Int64 = 1000
  ) -> AttemptResponseReceived {
    AttemptResponseReceived(
      task: task, attempt: attempt, status: 200, expected: size, etag: etag, lastModified: modified, acceptsRanges: true)
  }

  private static func rest(_ etag: String, of task: TaskIdentity = .example, attempt: Int = 2) -> AttemptResponseReceived {
    AttemptResponseReceived(
      task: task, attempt: attempt, status: 206, expected: 600, etag: etag, rangeStart: 400, rangeTotal: 1000)
  }

  private static func begun(_ response: RuleExample.Step) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, method: "GET", scheme: "https", host: "example.com", path: "/f", resource: resource)),
      .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1)), response,
      .at(0.009, AttemptBytesReceived(attempt: 1, received: 400)),
    ]
  }

  private static let asked = AttemptRequestSent(attempt: 2, method: "GET", offset: 400, ifRange: true)

  /// The connection breaks, and another attempt asks for the rest.
  private static func cut(_ request: RuleExample.Step = .at(1, asked)) -> [RuleExample.Step] {
    [
      .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1))),
      .at(1, AttemptStarted(attempt: 2, offset: 400)), request,
    ]
  }

  private static let isCut = cut(.at(1, asked))

  private static func ended(
    _ task: TaskIdentity = .example, attempt: Int = 2, received: Int64 = 1000, status: Int = 200
  ) -> [RuleExample.Step] {
    [
      .at(8, AttemptEnded(task: task, attempt: attempt, end: .finished, received: received)),
      .at(8, TaskCompleted(task: task, delivery: DeliveryID(UInt64(task.number)), received: 1000, status: status)),
    ]
  }

  /// The engine has no use for the answer, and asks for all of it at once.
  private static let refused = AttemptEnded(
    task: .example, attempt: 2, end: .refused, domain: .xfer, error: 4, errorName: "cannotResume",
    message: "the part is not the one that was asked for", retryIn: .zero)
  private static let anew: [RuleExample.Step] =
    [
      .at(3, AttemptStarted(attempt: 3, offset: 0)),
      .at(3, whole("\"a\"", attempt: 3)),
    ] + ended(attempt: 3)

  /// A task that was made from resume data, of which the log knows nothing else; in the app's next life.
  private static func nextLife(_ created: TaskCreated, _ steps: [RuleExample.Step]) -> [RuleExample.Step] {
    [
      .at(3, ProcessExited(code: 0, exitReason: .userQuit)),
      .at(4, created, by: .nextLife), .at(4, TaskResumed(task: .example(2)), by: .nextLife),
    ] + steps + [
      .at(6, AttemptEnded(task: .example(2), attempt: 1, end: .finished, received: 1000), by: .nextLife),
      .at(6, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200), by: .nextLife),
    ]
  }

  /// Its session has digests of its own.
  private static func created(resumeData: ValueDigest?) -> TaskCreated {
    TaskCreated(
      task: .example(2), type: .download, method: "GET", scheme: "https", host: "example.com", path: "/f",
      resource: ValueDigest(0xF12E), resumeData: resumeData)
  }

  private static let goesOn = AttemptStarted(task: .example(2), attempt: 1, offset: 400)
  private static let asksOn = AttemptRequestSent(task: .example(2), attempt: 1, method: "GET", offset: 400, ifRange: true)

  static let description = RuleDescription(
    id: "resume-restarted", severity: .notice,
    summary: "A download was to go on where it had stopped, and had to begin anew.",
    explanation: """
      The rest of a resource is only good for whoever has the beginning of the same version. When the resource was replaced \
      meanwhile, the server answers a request with If-Range by sending all of it; the variant then says what differs from what \
      the earlier attempt, or the earlier task, had seen: "entity tag", "date" or "size". "range ignored": nothing shows \
      that it was replaced, and all of it came nevertheless; servers and caches that take no ranges do so. "range not \
      usable": the answer was no part that fits, and the engine asked for all of it. The file is right in each case, and the \
      bytes that were there have been loaded for nothing.
      """,
    remedy: """
      Where it is replaced often, give each version an address of its own. Where ranges are ignored, look at the server, and \
      at what stands in front of it, for Accept-Ranges and a strong entity tag that stays the same on all its machines. Expect \
      progress to fall back to nothing.
      """,
    sources: [
      "RFC 9110 §13.1.5", "https://github.com/electron/electron/pull/9246", "https://github.com/voidzero-dev/vite-plus/pull/2452",
    ],
    needsWholeLog: true,
    consequenceOf: ["zero-byte-success"],
    reports: [
      RuleExample(
        "another entity tag at the next attempt", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: begun(.at(0.005, whole("\"a\""))) + isCut + [.at(2, whole("\"b\"", attempt: 2))] + ended()),
      RuleExample(
        "another date", .certain, variant: "date", cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: begun(.at(0.005, whole(modified: monday))) + isCut + [.at(2, whole(attempt: 2, modified: tuesday))] + ended()),
      RuleExample(
        "another size, and no validator in the answer", .certain, variant: "size",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: begun(.at(0.005, whole("\"a\"", size: 1200))) + isCut + [.at(2, whole(attempt: 2))] + ended()),
      RuleExample(
        "made from the resume data of an earlier task", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: begun(.at(0.005, whole("\"a\""))) + [
          .at(1, TaskCompleted(delivery: DeliveryID(1), received: 400, domain: .url, error: -1005, resumeData: data)),
          .at(4, TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 400)),
          .at(4, TaskResumed(task: .example(2))), .at(4, goesOn), .at(4, asksOn), .at(5, whole("\"b\"", of: .example(2))),
        ] + ended(.example(2), attempt: 1)),
      RuleExample(
        "the app had ended meanwhile, and kept its resume data", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: begun(.at(0.005, whole("\"a\"")))
          + nextLife(
            created(resumeData: data),
            [
              .at(4, goesOn, by: .nextLife), .at(4, asksOn, by: .nextLife),
              .at(5, whole("\"b\"", of: .example(2)), by: .nextLife),
            ])),
      RuleExample(
        "all of the same version came", .certain, variant: "range ignored",
        cites: [.last(.attemptResponseReceived), .attemptRequestSent],
        steps: begun(.at(0.005, whole("\"a\""))) + isCut + [.at(2, whole("\"a\"", attempt: 2))] + ended()),
      RuleExample(
        "all of it came, with nothing to compare", .certain, variant: "range ignored",
        cites: [.last(.attemptResponseReceived), .attemptRequestSent],
        steps: begun(.at(0.005, whole())) + isCut + [.at(2, whole(attempt: 2))] + ended()),
      RuleExample(
        "another part came, which the engine refused", .certain, variant: "range not usable",
        cites: [.number(2, .attemptResponseReceived), .number(2, .attemptEnded), .attemptRequestSent],
        steps: begun(.at(0.005, whole("\"a\""))) + isCut + [
          .at(
            2, AttemptResponseReceived(attempt: 2, status: 206, expected: 500, etag: "\"a\"", rangeStart: 500, rangeTotal: 1000)),
          .at(2, refused),
        ] + anew),
      RuleExample(
        "a part of another version came, which the engine refused", .certain, variant: "entity tag",
        cites: [
          .first(.attemptResponseReceived), .number(2, .attemptResponseReceived), .number(2, .attemptEnded), .attemptRequestSent,
        ],
        steps: begun(.at(0.005, whole("\"b\""))) + isCut + [.at(2, rest("\"a\"")), .at(2, refused)] + anew),
    ],
    staysSilent: [
      RuleExample(
        "the rest came",
        steps: begun(.at(0.005, whole("\"a\""))) + cut() + [.at(2, rest("\"a\""))] + ended(received: 600, status: 206)),
      RuleExample(
        "the rest came in the app's next life",
        steps: begun(.at(0.005, whole("\"a\"")))
          + nextLife(
            created(resumeData: data),
            [
              .at(4, goesOn, by: .nextLife), .at(4, asksOn, by: .nextLife),
              .at(5, rest("\"a\"", of: .example(2), attempt: 1), by: .nextLife),
            ])),
      RuleExample(
        "a new task without resume data",
        steps: begun(.at(0.005, whole("\"a\"")))
          + nextLife(
            created(resumeData: nil),
            [
              .at(4, AttemptStarted(task: .example(2), attempt: 1), by: .nextLife),
              .at(5, whole("\"b\"", of: .example(2)), by: .nextLife),
            ])),
      RuleExample(
        "the whole was added to the part",
        steps: begun(.at(0.005, whole("\"a\""))) + cut() + [
          .at(2, whole("\"a\"", attempt: 2)), .at(3, FileOffered(delivery: DeliveryID(9), inode: 9, size: 1400, exists: true)),
        ] + ended()),
      RuleExample(
        "the engine refused the answer and gave up",
        steps: begun(.at(0.005, whole("\"a\""))) + cut() + [
          .at(2, whole("\"b\"", attempt: 2)), .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1)),
          .at(3, TaskCompleted(delivery: DeliveryID(1), domain: .xfer, error: 1)),
        ]),
      RuleExample(
        "the server failed when it was asked for the rest, and had it later",
        steps: begun(.at(0.005, whole("\"a\""))) + cut() + [
          .at(2, AttemptResponseReceived(attempt: 2, status: 503, expected: 12)),
          .at(2, AttemptEnded(attempt: 2, end: .finished, received: 12, retryIn: .seconds(1))),
          .at(3, AttemptStarted(attempt: 3, offset: 400)), .at(3, rest("\"a\"", attempt: 3)),
        ] + ended(attempt: 3, received: 600, status: 206)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let restart = task.restart else { return task.completed != nil || asked.isTaskOver ? .silent : nil }
    // That is another problem, and a worse one.
    if task.result == .succeeded, ResumeRangeIgnored.both(in: task) != nil { return .silent }
    let (variant, reason) = Self.reason(restart)
    let earlier = restart.replaced == nil ? nil : restart.earlier?.response
    return .finding(
      Draft(
        variant: variant,
        summary: "Task \(task.identity.text) asked for the rest from byte \(restart.offset) and had to begin anew: \(reason).",
        claim: .presence, evidence: restart.request, [earlier, restart.response, restart.refused]))
  }

  private static func reason(_ restart: Restart) -> (variant: String, text: String) {
    if let replaced = restart.replaced {
      return (replaced.rawValue, "the resource was replaced, as its \(replaced.rawValue) shows")
    }
    guard restart.refused != nil else { return ("range ignored", "the server sent all of it") }
    return ("range not usable", restart.reason ?? "the answer was no part that fits")
  }
}
