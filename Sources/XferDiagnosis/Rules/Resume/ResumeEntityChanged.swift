import XferEvents
import XferLifecycle
import XferReplay

/// Pieces of two versions of a resource were put together.
struct ResumeEntityChanged: TaskRule {
  private static let begun = begun(TaskCreated(task: .example, type: .download))

  private static func begun(_ created: TaskCreated) -> [RuleExample.Step] {
    [
      .event(created, at: .zero), .event(TaskResumed(task: .example), at: .milliseconds(1)),
      .event(AttemptStarted(task: .example, attempt: 1), at: .milliseconds(2)),
    ]
  }

  private static let (resource, data) = (ValueDigest(0xF11E), ValueDigest(0xDA7A))
  /// A task that goes on where the first one had got to.
  private static let again: [RuleExample.Step] = [
    .event(
      TaskCreated(task: .example(2), type: .download, resource: resource, resumeData: data, offset: 400), at: .seconds(4)),
    .event(TaskResumed(task: .example(2)), at: .seconds(4)),
    .event(AttemptStarted(task: .example(2), attempt: 1, offset: 400), at: .seconds(4)),
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
    .event(AttemptBytesReceived(task: .example, attempt: 1, received: 400), at: .milliseconds(9)),
    .event(
      AttemptEnded(
        task: .example, attempt: 1, end: .transport, domain: .curl, error: 56, received: 400, retryIn: .seconds(1)),
      at: .milliseconds(10)),
    .event(AttemptStarted(task: .example, attempt: 2, offset: 400), at: .seconds(1)),
    .event(AttemptRequestSent(task: .example, attempt: 2, method: "GET", offset: 400, ifRange: false), at: .seconds(1)),
  ]

  private static func ended(received: Int64 = 600) -> RuleExample.Step {
    .event(AttemptEnded(task: .example, attempt: 2, end: .finished, received: received), at: .seconds(2))
  }
  private static let completed = TaskCompleted(task: .example, delivery: DeliveryID(1), received: 1000, status: 206)

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
        "another entity tag", certainty: .certain, variant: "entity tag",
        steps: begun + [.evidence(whole("\"a\""), at: .milliseconds(5))] + cut + [
          .evidence(rest("\"b\""), at: .milliseconds(1500)), ended(), .evidence(completed, at: .seconds(3)),
        ]),
      RuleExample(
        "another date", certainty: .certain, variant: "date",
        steps: begun + [.evidence(whole(modified: "Mon, 01 Jun 2026 00:00:00 GMT"), at: .milliseconds(5))] + cut + [
          .evidence(rest(modified: "Tue, 02 Jun 2026 00:00:00 GMT"), at: .milliseconds(1500)), ended(),
          .evidence(completed, at: .seconds(3)),
        ]),
      RuleExample(
        "another size", certainty: .certain, variant: "size",
        steps: begun + [.evidence(whole(), at: .milliseconds(5))] + cut + [
          .evidence(rest(total: 1200), at: .milliseconds(1500)), ended(received: 800), .evidence(completed, at: .seconds(3)),
        ]),
      RuleExample(
        "made from the resume data of an earlier task", certainty: .certain, variant: "entity tag",
        steps: begun(TaskCreated(task: .example, type: .download, resource: resource)) + [
          .evidence(whole("\"a\""), at: .milliseconds(5)),
          .event(
            TaskCompleted(
              task: .example, delivery: DeliveryID(1), received: 400, domain: .url, error: -1005, resumeData: data),
            at: .seconds(1)),
        ] + again + [
          .evidence(
            AttemptResponseReceived(
              task: .example(2), attempt: 1, status: 206, expected: 600, etag: "\"b\"", rangeStart: 400, rangeTotal: 1000),
            at: .seconds(5)),
          .event(AttemptEnded(task: .example(2), attempt: 1, end: .finished, received: 600), at: .seconds(6)),
          .evidence(
            TaskCompleted(task: .example(2), delivery: DeliveryID(2), received: 1000, status: 206), at: .seconds(6)),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "only a weak tag changed",
        steps: begun + [.event(whole("W/\"a\""), at: .milliseconds(5))] + cut + [
          .event(rest("W/\"b\""), at: .milliseconds(1500)), ended(), .event(completed, at: .seconds(3)),
        ]),
      RuleExample(
        "one strong tag on two servers with two dates",
        steps: begun + [.event(whole("\"a\"", modified: "Mon, 01 Jun 2026 00:00:00 GMT"), at: .milliseconds(5))] + cut + [
          .event(rest("\"a\"", modified: "Tue, 02 Jun 2026 00:00:00 GMT"), at: .milliseconds(1500)), ended(),
          .event(completed, at: .seconds(3)),
        ]),
      RuleExample(
        "it changed, and all of it was fetched again",
        steps: begun + [.event(whole("\"a\""), at: .milliseconds(5))] + cut + [
          .event(
            AttemptResponseReceived(task: .example, attempt: 2, status: 200, expected: 1000, etag: "\"b\""),
            at: .milliseconds(1500)),
          ended(received: 1000),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), received: 1000, status: 200), at: .seconds(3)),
        ]),
      RuleExample(
        "it changed, and the engine refused the rest",
        steps: begun + [.event(whole("\"a\""), at: .milliseconds(5))] + cut + [
          .event(rest("\"b\""), at: .milliseconds(1500)),
          .event(AttemptEnded(task: .example, attempt: 2, end: .refused, domain: .xfer, error: 1), at: .seconds(2)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), domain: .xfer, error: 1), at: .seconds(3)),
        ]),
      RuleExample(
        "it changed, and a third attempt began anew",
        steps: begun + [.event(whole("\"a\""), at: .milliseconds(5))] + cut + [
          .event(rest("\"b\""), at: .milliseconds(1500)),
          .event(
            AttemptEnded(task: .example, attempt: 2, end: .refused, domain: .xfer, error: 1, retryIn: .zero), at: .seconds(2)),
          .event(AttemptStarted(task: .example, attempt: 3), at: .seconds(2)),
          .event(
            AttemptResponseReceived(task: .example, attempt: 3, status: 200, expected: 1000, etag: "\"b\""), at: .seconds(2)),
          .event(AttemptEnded(task: .example, attempt: 3, end: .finished, received: 1000), at: .seconds(3)),
          .event(TaskCompleted(task: .example, delivery: DeliveryID(1), received: 1000, status: 200), at: .seconds(3)),
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
