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
      .event(
        TaskCreated(
          task: .example, type: .download, method: "GET", scheme: "https", host: "example.com", path: "/f", resource: resource),
        at: .zero),
      .event(TaskResumed(task: .example), at: .milliseconds(1)),
      .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)), response,
      .event(AttemptBytesReceived(task: .example, attempt: 1, received: 400), at: .milliseconds(9)),
    ]
  }

  private static let asked = AttemptRequestSent(task: .example, attempt: 2, method: "GET", offset: 400, ifRange: true)

  /// The connection breaks, and another attempt asks for the rest.
  private static func cut(_ request: RuleExample.Step = .event(asked, at: .seconds(1))) -> [RuleExample.Step] {
    [
      .event(
        AttemptEnded(
          task: .example, attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1)),
        at: .milliseconds(10)),
      .event(AttemptStarted(task: .example, attempt: 2, offset: 400), at: .seconds(1)), request,
    ]
  }

  private static let isCut = cut(.evidence(asked, at: .seconds(1)))

  private static func ended(
    _ task: TaskIdentity = .example, attempt: Int = 2, received: Int64 = 1000, status: Int = 200
  ) -> [RuleExample.Step] {
    [
      .event(AttemptEnded(task: task, attempt: attempt, end: .finished, received: received), at: .seconds(8)),
      .event(
        TaskCompleted(task: task, delivery: DeliveryID(UInt64(task.number)), received: 1000, status: status), at: .seconds(8)),
    ]
  }

  /// The engine has no use for the answer, and asks for all of it at once.
  private static let refused = AttemptEnded(
    task: .example, attempt: 2, end: .refused, domain: .xfer, error: 4, errorName: "cannotResume",
    message: "the part is not the one that was asked for", retryIn: .zero)
  private static let anew: [RuleExample.Step] =
    [
      .event(AttemptStarted(task: .example, attempt: 3, offset: 0), at: .seconds(3)),
      .event(whole("\"a\"", attempt: 3), at: .seconds(3)),
    ] + ended(attempt: 3)

  /// A task that was made from resume data, of which the log knows nothing else; in the app's next life.
  private static func nextLife(_ created: TaskCreated, _ steps: [RuleExample.Step]) -> [RuleExample.Step] {
    [
      .event(ProcessExited(code: 0, exitReason: .userQuit), at: .seconds(3)),
      .event(created, at: .seconds(4), by: .nextLife), .event(TaskResumed(task: .example(2)), at: .seconds(4), by: .nextLife),
    ] + steps + [
      .event(AttemptEnded(task: .example(2), attempt: 1, end: .finished, received: 1000), at: .seconds(6), by: .nextLife),
      .event(
        TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200), at: .seconds(6), by: .nextLife),
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
        "another entity tag at the next attempt", certainty: .certain, variant: "entity tag",
        steps: begun(.evidence(whole("\"a\""), at: .milliseconds(5))) + isCut
          + [.evidence(whole("\"b\"", attempt: 2), at: .seconds(2))] + ended()),
      RuleExample(
        "another date", certainty: .certain, variant: "date",
        steps: begun(.evidence(whole(modified: monday), at: .milliseconds(5))) + isCut
          + [.evidence(whole(attempt: 2, modified: tuesday), at: .seconds(2))] + ended()),
      RuleExample(
        "another size, and no validator in the answer", certainty: .certain, variant: "size",
        steps: begun(.evidence(whole("\"a\"", size: 1200), at: .milliseconds(5))) + isCut
          + [.evidence(whole(attempt: 2), at: .seconds(2))] + ended()),
      RuleExample(
        "made from the resume data of an earlier task", certainty: .certain, variant: "entity tag",
        steps: begun(.evidence(whole("\"a\""), at: .milliseconds(5))) + [
          .event(
            TaskCompleted(
              task: .example, delivery: DeliveryID(1), received: 400, domain: .url, error: -1005, resumeData: data),
            at: .seconds(1)),
          .event(
            TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 400), at: .seconds(4)),
          .event(TaskResumed(task: .example(2)), at: .seconds(4)), .event(goesOn, at: .seconds(4)),
          .evidence(asksOn, at: .seconds(4)), .evidence(whole("\"b\"", of: .example(2)), at: .seconds(5)),
        ] + ended(.example(2), attempt: 1)),
      RuleExample(
        "the app had ended meanwhile, and kept its resume data", certainty: .certain, variant: "entity tag",
        steps: begun(.evidence(whole("\"a\""), at: .milliseconds(5)))
          + nextLife(
            created(resumeData: data),
            [
              .event(goesOn, at: .seconds(4), by: .nextLife), .evidence(asksOn, at: .seconds(4), by: .nextLife),
              .evidence(whole("\"b\"", of: .example(2)), at: .seconds(5), by: .nextLife),
            ])),
      RuleExample(
        "all of the same version came", certainty: .certain, variant: "range ignored",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5))) + isCut
          + [.evidence(whole("\"a\"", attempt: 2), at: .seconds(2))] + ended()),
      RuleExample(
        "all of it came, with nothing to compare", certainty: .certain, variant: "range ignored",
        steps: begun(.event(whole(), at: .milliseconds(5))) + isCut + [.evidence(whole(attempt: 2), at: .seconds(2))] + ended()),
      RuleExample(
        "another part came, which the engine refused", certainty: .certain, variant: "range not usable",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5))) + isCut + [
          .evidence(
            AttemptResponseReceived(
              task: .example, attempt: 2, status: 206, expected: 500, etag: "\"a\"", rangeStart: 500, rangeTotal: 1000),
            at: .seconds(2)),
          .evidence(refused, at: .seconds(2)),
        ] + anew),
      RuleExample(
        "a part of another version came, which the engine refused", certainty: .certain, variant: "entity tag",
        steps: begun(.evidence(whole("\"b\""), at: .milliseconds(5))) + isCut
          + [.evidence(rest("\"a\""), at: .seconds(2)), .evidence(refused, at: .seconds(2))] + anew),
    ],
    staysSilent: [
      RuleExample(
        "the rest came",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5))) + cut() + [.event(rest("\"a\""), at: .seconds(2))]
          + ended(received: 600, status: 206)),
      RuleExample(
        "the rest came in the app's next life",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5)))
          + nextLife(
            created(resumeData: data),
            [
              .event(goesOn, at: .seconds(4), by: .nextLife), .event(asksOn, at: .seconds(4), by: .nextLife),
              .event(rest("\"a\"", of: .example(2), attempt: 1), at: .seconds(5), by: .nextLife),
            ])),
      RuleExample(
        "a new task without resume data",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5)))
          + nextLife(
            created(resumeData: nil),
            [
              .event(AttemptStarted(task: .example(2), attempt: 1), at: .seconds(4), by: .nextLife),
              .event(whole("\"b\"", of: .example(2)), at: .seconds(5), by: .nextLife),
            ])),
      RuleExample(
        "the whole was added to the part",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5))) + cut() + [
          .event(whole("\"a\"", attempt: 2), at: .seconds(2)),
          .event(FileOffered(task: .example, delivery: DeliveryID(9), inode: 9, size: 1400, exists: true), at: .seconds(3)),
        ] + ended()),
      RuleExample(
        "the engine refused the answer and gave up",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5))) + cut() + [
          .event(whole("\"b\"", attempt: 2), at: .seconds(2)),
          .event(AttemptEnded(task: .example, attempt: 2, end: .refused, domain: .xfer, error: 1), at: .seconds(2)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .xfer, error: 1), at: .seconds(3)),
        ]),
      RuleExample(
        "the server failed when it was asked for the rest, and had it later",
        steps: begun(.event(whole("\"a\""), at: .milliseconds(5))) + cut() + [
          .event(AttemptResponseReceived(task: .example, attempt: 2, status: 503, expected: 12), at: .seconds(2)),
          .event(AttemptEnded(task: .example, attempt: 2, end: .finished, received: 12, retryIn: .seconds(1)), at: .seconds(2)),
          .event(AttemptStarted(task: .example, attempt: 3, offset: 400), at: .seconds(3)),
          .event(rest("\"a\"", attempt: 3), at: .seconds(3)),
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
