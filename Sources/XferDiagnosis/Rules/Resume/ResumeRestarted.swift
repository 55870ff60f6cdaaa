import XferEvents
import XferLifecycle
import XferReplay

/// A download could not resume where it had stopped and restarted from the first byte.
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
  private static func begun(_ response: AttemptResponseReceived = whole("\"a\"")) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download, method: "GET", scheme: "https", host: "example.com", path: "/f", resource: resource)),
      .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)), .at(0.005, response),
      .at(0.009, AttemptBytesReceived(attempt: 1, received: 400)),
    ]
  }

  /// The steps of an example: the first attempt receives `response`, its connection breaks, and another attempt requests the
  /// rest; then `steps` follow.
  private static func cut(_ response: AttemptResponseReceived, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    begun(response) + [
      .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1))),
      .at(1, AttemptStarted(attempt: 2, offset: 400)),
      .at(1, AttemptRequestSent(attempt: 2, method: "GET", offset: 400, ifRange: true)),
    ] + steps
  }
  private static func ended(_ task: TaskIdentity = .example, attempt: Int = 2, received: Int64 = 1000, status: Int = 200)
    -> [RuleExample.Step]
  {
    [
      .at(8, AttemptEnded(task: task, attempt: attempt, end: .finished, received: received)),
      .at(8, TaskCompleted(task: task, delivery: DeliveryID(UInt64(task.number)), received: 1000, status: status)),
    ]
  }

  /// The steps in which the engine rejects the response, immediately requests the whole resource, and receives it.
  private static let refused: [RuleExample.Step] =
    [
      .at(
        2,
        AttemptEnded(
          attempt: 2, end: .refused, domain: .xfer, error: 4, errorName: "cannotResume",
          message: "the server sent a different range than requested", retryIn: .zero)),
      .at(3, AttemptStarted(attempt: 3, offset: 0)), .at(3, whole("\"a\"", attempt: 3)),
    ] + ended(attempt: 3)

  /// The steps of an example: the app's next life creates a task for the same resource, but the session of that life computes another
  /// digest of the resource; `steps` follow; then the task completes.
  private static func nextLife(resumeData: ValueDigest? = data, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    let created = TaskCreated(
      task: .example(2), type: .download, method: "GET", scheme: "https", host: "example.com", path: "/f",
      resource: ValueDigest(0xF12E), resumeData: resumeData)
    return begun() + [
      .at(3, ProcessExited(code: 0, exitReason: .userQuit)), .at(4, created, by: .nextLife),
      .at(4, TaskResumed(task: .example(2)), by: .nextLife),
    ] + steps + [
      .at(6, AttemptEnded(task: .example(2), attempt: 1, end: .finished, received: 1000), by: .nextLife),
      .at(6, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 200), by: .nextLife),
    ]
  }
  private static let resumes = AttemptStarted(task: .example(2), attempt: 1, offset: 400)
  private static let requestsRest = AttemptRequestSent(task: .example(2), attempt: 1, method: "GET", offset: 400, ifRange: true)

  static let description = RuleDescription(
    id: "resume-restarted", severity: .notice,
    summary: "A download could not resume where it had stopped and restarted from the first byte.",
    explanation: """
      The rest of a resource can only be joined to the beginning of the same version. If the resource was replaced, the server \
      answers a request with If-Range by sending all of it; the variant names the difference to the earlier attempt or task: \
      "entity tag", "date" or "size". The variant "range ignored" means that the server sent all of the resource although \
      nothing shows a replacement, as servers and caches without range support do. The variant "range not usable" means that \
      the response was not the requested part, so the engine requested all of the resource. In each case the file is correct, \
      but the bytes of the partial file were downloaded in vain.
      """,
    remedy: """
      Give each version its own URL if the resource is replaced often. If ranges are ignored, check that the server, and the \
      proxies in front of it, send Accept-Ranges and a strong entity tag that is the same on all machines. Expect progress to \
      fall back to zero.
      """,
    sources: [
      "RFC 9110 §13.1.5", "https://github.com/electron/electron/pull/9246", "https://github.com/voidzero-dev/vite-plus/pull/2452",
    ],
    needsWholeLog: true,
    consequenceOf: ["zero-byte-success", "range-416-loop"],
    reports: [
      RuleExample(
        "the next attempt got another entity tag", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: cut(whole("\"a\""), .at(2, whole("\"b\"", attempt: 2))) + ended()),
      RuleExample(
        "the next attempt got another date", .certain, variant: "date", cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: cut(whole(modified: monday), .at(2, whole(attempt: 2, modified: tuesday))) + ended()),
      RuleExample(
        "the next attempt got another size and no validator", .certain, variant: "size",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: cut(whole("\"a\"", size: 1200), .at(2, whole(attempt: 2))) + ended()),
      RuleExample(
        "the task was created from the resume data of an earlier task", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: begun() + [
          .at(1, TaskCompleted(delivery: DeliveryID(1), received: 400, domain: .url, error: -1005, resumeData: data)),
          .at(4, TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 400)),
          .at(4, TaskResumed(task: .example(2))), .at(4, resumes), .at(4, requestsRest),
          .at(5, whole("\"b\"", of: .example(2))),
        ] + ended(.example(2), attempt: 1)),
      RuleExample(
        "the next process used resume data that the app had stored", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .attemptRequestSent],
        steps: nextLife(
          .at(4, resumes, by: .nextLife), .at(4, requestsRest, by: .nextLife),
          .at(5, whole("\"b\"", of: .example(2)), by: .nextLife))),
      RuleExample(
        "the server sent all of the same version", .certain, variant: "range ignored",
        cites: [.last(.attemptResponseReceived), .attemptRequestSent],
        steps: cut(whole("\"a\""), .at(2, whole("\"a\"", attempt: 2))) + ended()),
      RuleExample(
        "the server sent all of the resource without validators", .certain, variant: "range ignored",
        cites: [.last(.attemptResponseReceived), .attemptRequestSent],
        steps: cut(whole(), .at(2, whole(attempt: 2))) + ended()),
      RuleExample(
        "the server sent another part, which the engine rejected", .certain, variant: "range not usable",
        cites: [.number(2, .attemptResponseReceived), .number(2, .attemptEnded), .attemptRequestSent],
        steps: cut(
          whole("\"a\""),
          .at(
            2, AttemptResponseReceived(attempt: 2, status: 206, expected: 500, etag: "\"a\"", rangeStart: 500, rangeTotal: 1000))
        ) + refused),
      RuleExample(
        "the server sent a part of another version, which the engine rejected", .certain, variant: "entity tag",
        cites: [
          .first(.attemptResponseReceived), .number(2, .attemptResponseReceived), .number(2, .attemptEnded), .attemptRequestSent,
        ],
        steps: cut(whole("\"b\""), .at(2, rest("\"a\""))) + refused),
    ],
    staysSilent: [
      RuleExample(
        "the server sent the rest", steps: cut(whole("\"a\""), .at(2, rest("\"a\""))) + ended(received: 600, status: 206)),
      RuleExample(
        "the server sent the rest to the next process",
        steps: nextLife(
          .at(4, resumes, by: .nextLife), .at(4, requestsRest, by: .nextLife),
          .at(5, rest("\"a\"", of: .example(2), attempt: 1), by: .nextLife))),
      RuleExample(
        "the next process created a task without resume data",
        steps: nextLife(
          resumeData: nil, .at(4, AttemptStarted(task: .example(2), attempt: 1), by: .nextLife),
          .at(5, whole("\"b\"", of: .example(2)), by: .nextLife))),
      RuleExample(
        "the whole was appended to the partial file, which another rule reports",
        steps: cut(
          whole("\"a\""), .at(2, whole("\"a\"", attempt: 2)),
          .at(3, FileOffered(delivery: DeliveryID(9), inode: 9, size: 1400, exists: true))) + ended()),
      RuleExample(
        "the engine rejected the answer and failed",
        steps: cut(
          whole("\"a\""), .at(2, whole("\"b\"", attempt: 2)),
          .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1)),
          .at(3, TaskCompleted(delivery: DeliveryID(1), domain: .xfer, error: 1)))),
      RuleExample(
        "the server answered the range request with 503 and sent the rest later",
        steps: cut(
          whole("\"a\""), .at(2, AttemptResponseReceived(attempt: 2, status: 503, expected: 12)),
          .at(2, AttemptEnded(attempt: 2, end: .finished, received: 12, retryIn: .seconds(1))),
          .at(3, AttemptStarted(attempt: 3, offset: 400)), .at(3, rest("\"a\"", attempt: 3)))
          + ended(attempt: 3, received: 600, status: 206)),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let restart = task.restart else { return task.completed != nil || asked.isTaskOver ? .silent : nil }
    // resume-range-ignored reports the more serious problem: the whole was appended to the partial file.
    if task.result == .succeeded, ResumeRangeIgnored.both(in: task) != nil { return .silent }
    let (variant, reason) = Self.reason(restart, isEmpty: task.bytesReceived ?? 0 == 0)
    let earlier = restart.replaced == nil ? nil : restart.earlier?.response
    return .finding(
      Draft(
        variant: variant,
        summary:
          "Task \(task.identity.label) requested the rest from byte \(restart.offset) and restarted from the first byte: \(reason).",
        claim: .presence, evidence: restart.request, [earlier, restart.response, restart.refused]))
  }

  private static func reason(_ restart: Restart, isEmpty: Bool) -> (variant: String, text: String) {
    if let replaced = restart.replaced {
      return (replaced.rawValue, "the resource was replaced, as its \(replaced.rawValue) shows")
    }
    guard restart.refused != nil else {
      return (
        "range ignored",
        isEmpty
          ? "the server ignored the range, and no byte was received" : "the server ignored the range and began at the first byte"
      )
    }
    return ("range not usable", restart.reason ?? "the response was not the requested part")
  }
}
