import XferEvents
import XferLifecycle
import XferReplay

/// Pieces of two versions of a resource were put together.
struct ResumeEntityChanged: TaskRule {
  private static let begun = begun(TaskCreated(type: .download))

  private static func begun(_ created: TaskCreated) -> [RuleExample.Step] {
    [
      .at(0, created), .at(0.001, TaskResumed()),
      .at(0.002, AttemptStarted(attempt: 1)),
    ]
  }

  private static let (resource, data) = (ValueDigest(0xF11E), ValueDigest(0xDA7A))
  /// A task that goes on where the first one had got to.
  private static let again: [RuleExample.Step] = [
    .at(4, TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 400)),
    .at(4, TaskResumed(task: .example(2))), .at(4, AttemptStarted(task: .example(2), attempt: 1, offset: 400)),
  ]

  private static func whole(_ etag: String? = nil, modified: String? = nil, size: Int64 = 1000) -> AttemptResponseReceived {
    AttemptResponseReceived(
      task: .example, attempt: 1, status: 200, expected: size, etag: etag, lastModified: modified, acceptsRanges: true)
  }

  private static func rest(_ etag: String? = nil, modified: String? = nil, total: Int64 = 1000) -> AttemptResponseReceived {
    AttemptResponseReceived(
      task: .example, attempt: 2, status: 206, expected: total - 400, etag: etag, lastModified: modified, rangeStart: 400,
      rangeTotal: total)
  }

  private static let cut: [RuleExample.Step] = [
    .at(0.009, AttemptBytesReceived(attempt: 1, received: 400)),
    .at(0.01, AttemptEnded(attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1))),
    .at(1, AttemptStarted(attempt: 2, offset: 400)),
    .at(1, AttemptRequestSent(attempt: 2, method: "GET", offset: 400, ifRange: false)),
  ]

  private static func ended(received: Int64 = 600) -> RuleExample.Step {
    .at(2, AttemptEnded(attempt: 2, end: .finished, received: received))
  }
  private static let completed = TaskCompleted(delivery: DeliveryID(1), received: 1000, status: 206)

  static let description = RuleDescription(
    id: "resume-entity-changed", severity: .critical,
    summary: "The resource changed between two attempts, and bytes of both versions became one file.",
    explanation: """
      A range is only a part of what the server has at that moment. When the resource was replaced since the first bytes \
      came, the rest belongs to something else, and the file is whole in length and wrong in content. If-Range is made for \
      this, but it has to be sent, with a strong validator, and there are servers that ignore it. The responses tell: \
      their entity tags, dates or total sizes differ. The variant names what does.
      """,
    remedy: """
      Send If-Range with a strong entity tag, compare the validator and the total size of the answer with those of the \
      first one, and begin anew when they differ. Check a digest where there is one.
      """,
    sources: ["https://github.com/BitMiracle-AI/Dormice/issues/86", "https://github.com/AnInsomniacy/aria2-next/issues/43"],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "another entity tag", .certain, variant: "entity tag", cites: [.attemptResponseReceived, .taskCompleted],
        steps: begun + [.at(0.005, whole("\"a\""))] + cut + [.at(1.5, rest("\"b\"")), ended(), .at(3, completed)]),
      RuleExample(
        "another date", .certain, variant: "date", cites: [.attemptResponseReceived, .taskCompleted],
        steps: begun + [.at(0.005, whole(modified: "Mon, 01 Jun 2026 00:00:00 GMT"))] + cut + [
          .at(1.5, rest(modified: "Tue, 02 Jun 2026 00:00:00 GMT")), ended(),
          .at(3, completed),
        ]),
      RuleExample(
        "another size", .certain, variant: "size", cites: [.attemptResponseReceived, .taskCompleted],
        steps: begun + [.at(0.005, whole())] + cut + [.at(1.5, rest(total: 1200)), ended(received: 800), .at(3, completed)]),
      RuleExample(
        "made from the resume data of an earlier task", .certain, variant: "entity tag",
        cites: [.attemptResponseReceived, .last(.taskCompleted)],
        steps: begun(TaskCreated(type: .download, resource: resource)) + [
          .at(0.005, whole("\"a\"")),
          .at(1, TaskCompleted(delivery: DeliveryID(1), received: 400, domain: .url, error: -1005, resumeData: data)),
        ] + again + [
          .at(
            5,
            AttemptResponseReceived(
              task: .example(2), attempt: 1, status: 206, expected: 600, etag: "\"b\"", rangeStart: 400, rangeTotal: 1000)),
          .at(6, AttemptEnded(task: .example(2), attempt: 1, end: .finished, received: 600)),
          .at(6, TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 206)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "only a weak tag changed",
        steps: begun + [.at(0.005, whole("W/\"a\""))] + cut + [.at(1.5, rest("W/\"b\"")), ended(), .at(3, completed)]),
      RuleExample(
        "one strong tag on two servers with two dates",
        steps: begun + [.at(0.005, whole("\"a\"", modified: "Mon, 01 Jun 2026 00:00:00 GMT"))] + cut + [
          .at(1.5, rest("\"a\"", modified: "Tue, 02 Jun 2026 00:00:00 GMT")), ended(),
          .at(3, completed),
        ]),
      RuleExample(
        "it changed, and all of it was fetched again",
        steps: begun + [.at(0.005, whole("\"a\""))] + cut + [
          .at(1.5, AttemptResponseReceived(attempt: 2, status: 200, expected: 1000, etag: "\"b\"")),
          ended(received: 1000),
          .at(3, TaskCompleted(delivery: DeliveryID(1), received: 1000, status: 200)),
        ]),
      RuleExample(
        "it changed, and the engine refused the rest",
        steps: begun + [.at(0.005, whole("\"a\""))] + cut + [
          .at(1.5, rest("\"b\"")),
          .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1)),
          .at(3, TaskCompleted(delivery: DeliveryID(1), domain: .xfer, error: 1)),
        ]),
      RuleExample(
        "it changed, and a third attempt began anew",
        steps: begun + [.at(0.005, whole("\"a\""))] + cut + [
          .at(1.5, rest("\"b\"")),
          .at(2, AttemptEnded(attempt: 2, end: .refused, domain: .xfer, error: 1, retryIn: .zero)),
          .at(2, AttemptStarted(attempt: 3)),
          .at(2, AttemptResponseReceived(attempt: 3, status: 200, expected: 1000, etag: "\"b\"")),
          .at(3, AttemptEnded(attempt: 3, end: .finished, received: 1000)),
          .at(3, TaskCompleted(delivery: DeliveryID(1), received: 1000, status: 200)),
        ]),
    ])

  static let presupposes: Set<TaskSign>? = [.trait(.goesOn)]
  static let watches: Set<EventKind> = [.taskCompleted]

  func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    // Only what was taken for a success was joined.
    guard let mixture = task.pieces.mixture, task.result == .succeeded else { return .silent }
    return .finding(
      Draft(
        variant: mixture.difference.rawValue,
        summary: """
          The body of task \(task.identity.text) is made of two versions of the resource: its \(mixture.difference.rawValue) \
          changed on the way.
          """,
        claim: .presence, evidence: mixture.kept.response, [mixture.joined.response, completed]))
  }
}
