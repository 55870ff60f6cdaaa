import XferEvents
import XferLifecycle
import XferReplay

/// Parts of two versions of a resource were joined into one file.
struct ResumeEntityChanged: TaskRule {
  private static let (resource, data) = (ValueDigest(0xF11E), ValueDigest(0xDA7A))
  private static let (monday, tuesday) = ("Mon, 01 Jun 2026 00:00:00 GMT", "Tue, 02 Jun 2026 00:00:00 GMT")

  private static func whole(_ etag: String? = nil, modified: String? = nil) -> AttemptResponseReceived {
    AttemptResponseReceived(
      attempt: 1, status: 200, expected: 1000, etag: etag, lastModified: modified, acceptsRanges: true)
  }
  private static func rest(_ etag: String? = nil, modified: String? = nil, total: Int64 = 1000) -> AttemptResponseReceived {
    AttemptResponseReceived(
      attempt: 2, status: 206, expected: total - 400, etag: etag, lastModified: modified, rangeStart: 400, rangeTotal: total)
  }

  /// The steps of an example: a first attempt loses its connection after 400 bytes, and a second one requests the rest; then
  /// `steps` follow.
  private static func story(_ first: AttemptResponseReceived, _ second: AttemptResponseReceived, _ steps: RuleExample.Step...)
    -> [RuleExample.Step]
  {
    [
      .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)), .at(0.005, first),
      .at(0.009, AttemptBytesReceived(attempt: 1, received: 400)),
      .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1))),
      .at(1, AttemptStarted(attempt: 2, offset: 400)),
      .at(1, AttemptRequestSent(attempt: 2, method: "GET", offset: 400, ifRange: false)), .at(1.5, second),
    ] + steps
  }
  private static func ended(received: Int64 = 600) -> RuleExample.Step {
    .at(2, AttemptEnded(attempt: 2, end: .finished, received: received))
  }
  private static func completed(status: Int = 206) -> RuleExample.Step {
    .at(3, TaskCompleted(delivery: DeliveryID(1), received: 1000, status: status))
  }

  static let description = RuleDescription(
    id: "resume-entity-changed", severity: .critical,
    summary: "The resource changed between two attempts, and bytes of both versions were joined into one file.",
    explanation: """
      A range is a part of the resource that the server has at that moment. If the resource was replaced after the first bytes \
      were received, the rest belongs to another version, and the file has the right length and the wrong content. If-Range \
      prevents this, but the client has to send it with a strong validator, and some servers ignore it. The responses show the \
      change: their entity tags, dates or total sizes differ. The variant names the difference.
      """,
    remedy: """
      Send If-Range with a strong entity tag, compare the validator and the total size of the response with those of the first \
      response, and restart from the first byte if they differ. Verify a checksum if one is available.
      """,
    sources: ["https://github.com/BitMiracle-AI/Dormice/issues/86", "https://github.com/AnInsomniacy/aria2-next/issues/43"],
    needsWholeLog: true,
    untriggerable: """
      The engine compares the entity tag, date and size of each part with those of the partial file, and rejects another version.
      """,
    reports: [
      RuleExample(
        "the entity tags differ", .certain, variant: "entity tag", cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(whole("\"a\""), rest("\"b\""), ended(), completed())),
      RuleExample(
        "the dates differ", .certain, variant: "date", cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(whole(modified: monday), rest(modified: tuesday), ended(), completed())),
      RuleExample(
        "the total sizes differ", .certain, variant: "size", cites: [.attemptResponseReceived, .taskCompleted],
        steps: story(whole(), rest(total: 1200), ended(received: 800), completed())),
      RuleExample(
        "the task was created from the resume data of an earlier task", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .last(.taskCompleted)],
        .at(0, TaskCreated(type: .download, resource: resource)), .at(0.001, TaskResumed()),
        .at(0.002, AttemptStarted(attempt: 1)), .at(0.005, whole("\"a\"")),
        .at(1, TaskCompleted(delivery: DeliveryID(1), received: 400, domain: .url, error: -1005, resumeData: data)),
        .at(4, TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 400)),
        .at(4, TaskResumed(task: .example(2))), .at(4, AttemptStarted(task: .example(2), attempt: 1, offset: 400)),
        .at(
          5,
          AttemptResponseReceived(
            task: .example(2), attempt: 1, status: 206, expected: 600, etag: "\"b\"", rangeStart: 400, rangeTotal: 1000)),
        .at(6, AttemptEnded(task: .example(2), attempt: 1, end: .finished, received: 600)),
        .at(6, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 206))),
    ],
    staysSilent: [
      RuleExample("only a weak entity tag changed", steps: story(whole("W/\"a\""), rest("W/\"b\""), ended(), completed())),
      RuleExample(
        "the dates differ, but the strong entity tags are equal",
        steps: story(whole("\"a\"", modified: monday), rest("\"a\"", modified: tuesday), ended(), completed())),
      RuleExample(
        "the resource changed, and all of it was downloaded again",
        steps: story(
          whole("\"a\""), .init(attempt: 2, status: 200, expected: 1000, etag: "\"b\""), ended(received: 1000),
          completed(status: 200))),
      RuleExample(
        "the resource changed, and the engine rejected the rest",
        steps: story(
          whole("\"a\""), rest("\"b\""), .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1)),
          .at(3, TaskCompleted(delivery: DeliveryID(1), domain: .xfer, error: 1)))),
      RuleExample(
        "the resource changed, and a third attempt restarted from the first byte",
        steps: story(
          whole("\"a\""), rest("\"b\""),
          .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1, retryIn: .zero)),
          .at(2, AttemptStarted(attempt: 3)),
          .at(2, AttemptResponseReceived(attempt: 3, status: 200, expected: 1000, etag: "\"b\"")),
          .at(3, AttemptEnded(attempt: 3, end: .finished, received: 1000)), completed(status: 200))),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // The parts were joined only if the task succeeded.
    guard let mixture = task.pieces.mixture, task.result == .succeeded else { return .silent }
    return .finding(
      Draft(
        variant: mixture.difference.rawValue,
        summary: """
          The body of task \(task.identity.label) consists of two versions of the resource: its \(mixture.difference.rawValue) \
          changed between the attempts.
          """,
        claim: .presence, evidence: mixture.kept.response, [mixture.joined.response, completed]))
  }
}
