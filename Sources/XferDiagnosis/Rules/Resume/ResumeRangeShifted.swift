import XferEvents
import XferLifecycle
import XferReplay

/// The server sent another range than the requested one, and the client wrote it at the requested offset.
struct ResumeRangeShifted: RememberingTaskRule {
  private static func part(_ status: Int = 206, start: Int64, length: Int64) -> AttemptResponseReceived {
    AttemptResponseReceived(attempt: 2, status: status, expected: length, rangeStart: start, rangeTotal: 1000)
  }
  /// A part that begins earlier than requested.
  private static let earlier = part(start: 256, length: 744)

  /// The steps of an example: the second attempt requests the rest from byte 400 and receives `response`; then `steps` follow.
  private static func story(_ response: AttemptResponseReceived, _ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(1, AttemptStarted(attempt: 2, offset: 400)),
      .at(1, AttemptRequestSent(attempt: 2, method: "GET", offset: 400)), .at(1.5, response),
    ] + steps
  }
  /// The steps of an example: a request without a range is answered with a part and with status 200, and the part is kept.
  private static let partAsWhole: [RuleExample.Step] = [
    .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
    .at(0.003, AttemptRequestSent(attempt: 1, method: "GET")),
    .at(1, AttemptResponseReceived(attempt: 1, status: 200, expected: 600, rangeStart: 400, rangeTotal: 1000)),
    .at(2, AttemptEnded(attempt: 1, end: .finished, received: 600)), offered(size: 600), completed(200),
  ]
  private static func offered(size: Int64) -> RuleExample.Step {
    .at(3, FileOffered(delivery: DeliveryID(1), inode: 9, size: size, exists: true))
  }
  private static func ended(_ received: Int64, _ end: AttemptEnd = .finished) -> RuleExample.Step {
    .at(2, AttemptEnded(attempt: 2, end: end, received: received))
  }
  private static func completed(_ status: Int = 206) -> RuleExample.Step {
    .at(3, TaskCompleted(delivery: DeliveryID(2), status: status))
  }

  static let description = RuleDescription(
    id: "resume-range-shifted", severity: .critical,
    summary: """
      A part of a resource was written at the wrong offset or kept as the complete file, although Content-Range gave its \
      position.
      """,
    explanation: """
      A 206 may carry another range than the request: caches that store blocks begin at the block's first byte, and some \
      servers have off-by-one errors. Other servers send a part with status 200, where only Content-Range distinguishes it \
      from the whole. Content-Range is then the only reliable information. A client that appends the received bytes without \
      checking it duplicates some bytes or misses some, in a file whose size may even be right. The variants: "another part" \
      (status 206 with another range than the requested one) and "part as the whole" (status 200).
      """,
    remedy: """
      Read Content-Range in every response that has it, and write the bytes at that position. Reject a response that begins \
      after the end of the partial file. Verify the size and the checksum of the complete file.
      """,
    sources: [
      "https://github.com/xroche/httrack/pull/428", "https://github.com/jizhi0v0/duo-updater/issues/225",
      "https://github.com/modelscope/modelscope_hub/issues/50", "https://github.com/larksuite/cli/pull/2176",
    ],
    reports: [
      RuleExample(
        "the range began at a cache block's first byte and was appended", .certain, variant: "another part",
        cites: [.attemptRequestSent, .attemptResponseReceived, .fileOffered, .taskCompleted],
        steps: story(earlier, ended(744), offered(size: 1144), completed())),
      RuleExample(
        "a part with status 200 was treated as the whole", .certain, variant: "part as the whole",
        cites: [.attemptRequestSent, .attemptResponseReceived, .fileOffered, .taskCompleted], steps: partAsWhole),
    ],
    staysSilent: [
      RuleExample(
        "the server sent the requested range",
        steps: story(part(start: 400, length: 600), ended(600), offered(size: 1000), completed())),
      RuleExample(
        "the range is shorter than requested and begins at the right byte",
        steps: story(part(start: 400, length: 100), ended(100), offered(size: 500), completed())),
      RuleExample(
        "the range began earlier and was written at its own position",
        steps: story(earlier, ended(744), offered(size: 1000), completed())),
      RuleExample(
        "the range began earlier and the bytes that the file had already were skipped",
        steps: story(earlier, ended(600), offered(size: 1000), completed())),
      RuleExample(
        "the app requested a part of the resource itself",
        .at(0, TaskCreated(type: .download)), .at(0.001, TaskResumed()), .at(0.002, AttemptStarted(attempt: 1)),
        .at(0.003, AttemptRequestSent(attempt: 1, method: "GET", headers: "host,user-agent,range", offset: 0)),
        .at(1, AttemptResponseReceived(attempt: 1, status: 206, expected: 100, rangeStart: 100, rangeTotal: 1000)),
        .at(2, AttemptEnded(attempt: 1, end: .finished, received: 100)), offered(size: 100), completed()),
      RuleExample(
        "the engine rejected the range and failed",
        steps: story(
          earlier, ended(0, .refused),
          .at(3, TaskCompleted(delivery: DeliveryID(2), domain: .xfer, error: 4, errorName: "cannotResume")))),
      RuleExample(
        "the engine rejected the range and restarted from the first byte",
        steps: story(
          earlier, ended(0, .refused), .at(2, AttemptStarted(attempt: 3, offset: 0)),
          .at(2, AttemptResponseReceived(attempt: 3, status: 200, expected: 1000)),
          .at(3, AttemptEnded(attempt: 3, end: .finished, received: 1000)), offered(size: 1000), completed(200))),
      RuleExample(
        "the whole came with status 200 and a matching Content-Range",
        steps: story(part(200, start: 0, length: 1000), ended(1000), offered(size: 1000), completed(200))),
      RuleExample("the log does not show the size of the file", steps: story(earlier, ended(744), completed())),
    ])

  static let watches: Set<EventKind> = [.taskCompleted]
  static let remembers: Set<EventKind> = [.attemptResponseReceived]
  static let updates: Set<EventKind> = [.attemptStarted, .attemptEnded]

  /// A response with another range than the requested one.
  struct Memory {
    let request: Fact
    let response: Fact
    /// The offset in the resource of the first requested byte.
    let offset: Int64
    /// The offset in the resource of the first byte of the response.
    let start: Int64
    /// The size of the whole resource in bytes.
    let total: Int64?
    let status: Int
    /// The offset in the resource behind the last byte of the response; `nil` if unknown.
    let end: Int64?
  }

  static func remember(_ event: EventView, _ fact: Fact, of task: TaskLifecycle, _ memory: inout Memory?) {
    switch fact.kind {
    // A response that the engine rejected, or that a new attempt from the first byte replaced, is not part of the result.
    case .attemptStarted: if event.offset ?? 0 == 0 { memory = nil }
    case .attemptEnded: if event.end == .refused { memory = nil }
    default: if let shifted = shift(event, task) { memory = shifted }
    }
  }

  private static func shift(_ event: EventView, _ task: TaskLifecycle) -> Memory? {
    guard let attempt = task.attempt, attempt.hasContentRange, !attempt.hasOwnRange, task.type != .upload,
      let response = attempt.responseReceived,
      let status = attempt.status, let request = attempt.requestSent ?? attempt.started
    else { return nil }
    let start = event.rangeStart ?? 0
    guard status == 206 && event.rangeStart != nil && start != attempt.offset || status == 200 else { return nil }
    return Memory(
      request: request, response: response, offset: attempt.offset, start: start, total: event.rangeTotal, status: status,
      end: attempt.rangeEnd)
  }

  func verdict(on task: TaskLifecycle, remembering range: Memory, in world: World, asked: Occasion) -> Verdict? {
    guard let completed = task.completed else { return asked.isTaskOver ? .silent : nil }
    guard task.result == .succeeded, let came = task.attempt?.received else { return .silent }
    guard let size = task.file.size ?? (range.offset == 0 ? task.bytesReceived : task.received) else {
      return .undecidable(needs: "size of file.offered")
    }
    let isWrong =
      range.status == 200
      ? size == came && size < range.total ?? (range.start > 0 ? .max : 0)
      : size == range.offset.addingClamped(came) && size != range.end
    guard isWrong else { return .silent }
    let place = "from offset \(range.start)"
    let fault =
      range.status == 200
      ? "received a part of the resource, \(place), with status 200 and kept it as the complete file"
      : "requested the bytes from offset \(range.offset), received those \(place), and wrote them at the requested offset"
    return .finding(
      Draft(
        variant: range.status == 200 ? "part as the whole" : "another part", summary: "Task \(task.identity.label) \(fault).",
        claim: .presence, evidence: range.request, [range.response, task.file.size == nil ? nil : task.file.offered, completed]))
  }
}
