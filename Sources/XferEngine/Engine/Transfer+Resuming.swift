internal import CCurl
internal import HTTPTypes
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

// A download that goes on where it was.
extension Transfer {
  var partPath: String { task.partPath }

  /// Takes over what another task has left, before the first request. What cannot be had is fetched again.
  func adoptPartialFile() {
    guard let resumeData = task.resumeData else { return }
    // At least one byte is asked for: the answer to a request for none says nothing of the version.
    let limit = (resumeData.entity.total ?? .max) - 1
    let buffer = loop.takeBuffer()
    do throws(TransferError) {
      let file = try BodyFile(
        adopting: resumeData.file, as: partPath, offset: resumeData.offset, limit: limit, buffer: buffer, digests: digests)
      store = .file(file)
      (entity, base) = (resumeData.entity, file.start)
      task.counts.setReceived(base)
      // The file has another name now.
      sendResumable()
    } catch {
      loop.giveBack(buffer)
      // One that has this task's own name would stand in the way of the file that is made in its place.
      if resumeData.file.path == partPath { unlink(partPath) }
    }
  }

  /// The next request as it goes out: with what asks for the rest only, and what says who asks.
  func nextWire() -> RequestPlan {
    var wire = plan
    if let entity, offset > 0 {
      wire.fields[.range] = "bytes=\(offset)-"
      wire.fields[.ifRange] = entity.validator.text
    }
    if let authorization = authorize(plan) { wire.fields[.authorization] = authorization }
    addConditions(to: &wire)
    return wire
  }

  /// The response is the first of its resource.
  func noteEntity() {
    let head = transaction.head
    // What asks for a part, or sends something, is the caller's own affair.
    guard head.status == 200, plan.method == .get, !plan.fields.contains(.range) else { return }
    // Bytes that were decoded do not tell where in the resource the rest begins.
    guard !transaction.decodes || head.contentEncoding == nil else { return }
    entity = Entity(head, total: head.expectedBytes(for: plan.method))
    sendResumable()
  }

  private static let leastResumable: Int64 = 1 << 20

  /// Gives the app what it takes to go on even if the process dies.
  private func sendResumable() {
    // Something small is fetched again sooner than the app keeps a record of it.
    guard case .delegate = task.consumer, let task = task as? DownloadTask, case .file(let file) = store,
      let entity, entity.total ?? .max >= Self.leastResumable, context.configuration.keepsPartialDownloads,
      let partial = try? file.partial(), let data = makeResumeData(partial, offset: nil)?.data
    else { return }
    let (lane, mailbox) = (context.lane, context.mailbox)
    // In this order a process that dies in between leaves a record without a file, and never a file that nobody knows.
    lane.send(
      Delivery(id: lane.makeID(), callback: nil, task: task.identity) {
        task.session.delegate?.urlSession(task.session, downloadTask: task, didBecomeResumable: data)
      } after: {
        mailbox.post(.resumable(task))
      })
  }

  /// Gives the file a name, so that it outlives the process. One that cannot be named is fetched again.
  func keepFile() {
    if case .file(let file) = store { _ = try? file.makeFindable() }
  }

  /// Looks at the answer to a request for the rest.
  ///
  /// - Returns: whether the response is the task's result; otherwise the resource is asked for once more.
  func goOn(_ file: BodyFile, _ response: TransferResponse) throws(TransferError) -> Bool {
    guard let entity, offset > 0 else {
      try startOver(file)
      noteEntity()
      return true
    }
    switch RangeAnswer(transaction.head, to: entity, from: offset) {
    case .continues(let skip, let end, let total):
      (transaction.skip, transaction.end) = (skip, end)
      self.entity?.total = total
      if attempt == 1, transaction.number == 1, task.resumeData != nil { sendResumed(total) }
    case .startsOver, .other:
      try startOver(file)
      noteEntity()
    case .asksAgain(let reason):
      try startOver(file)
      transaction.body = .discard
      restart = reason
      return false
    }
    return true
  }

  private func startOver(_ file: BodyFile) throws(TransferError) {
    try file.restart()
    entity = nil
    (base, delivered, received, said.bytes, said.writtenBytes) = (0, 0, 0, -1, 0)
    task.counts.setReceived(0)
  }

  private func sendResumed(_ total: Int64?) {
    said.writtenBytes = base
    guard case .delegate = task.consumer, let task = task as? DownloadTask else { return }
    let (lane, offset) = (context.lane, base)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didResume, task: task.identity) {
        task.session.delegate?.urlSession(
          task.session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total ?? -1)
      })
  }

  /// Whether a part is there and the resource has more.
  var lacksRest: Bool {
    guard let total = entity?.total, transaction.end != nil, case .file = store else { return false }
    return base + delivered < total && transaction.skip == 0
  }

  /// Whether another request follows the one that is over.
  var goesOn: Bool { next != nil || restart != nil || lacksRest }

  /// The server has ended a part before the end that it declared.
  var shortPart: TransferError? {
    guard let end = transaction.end, base + delivered < end, case .file = store else { return nil }
    return TransferError(
      curl: CURLE_PARTIAL_FILE, osError: nil, stage: .body,
      message: "the part ended \(end - base - delivered) bytes before the end that was declared")
  }

  /// Leaves what is there for another task, where that one can tell whether it is still the same.
  func makeResumeData(_ file: BodyFile) -> ResumeData? {
    guard entity != nil, offset > 0, context.configuration.keepsPartialDownloads, let partial = try? file.leave() else {
      return nil
    }
    return makeResumeData(partial, offset: offset)
  }

  /// - Parameter offset: `nil` for as many bytes as the file will have.
  private func makeResumeData(_ partial: PartialFile, offset: Int64?) -> ResumeData? {
    guard let entity, context.configuration.keepsPartialDownloads else { return nil }
    var resumeData = ResumeData(
      id: context.makeCorrelation().rawValue, method: plan.method, urlText: task.plan.url.text, fields: task.plan.fields,
      entity: entity, offset: offset, file: partial)
    (resumeData.description, resumeData.metadata) = (task.taskDescription, task.metadata)
    return resumeData
  }
}

extension TransferError {
  static let longPart = TransferError(
    .badServerResponse, number: 8, stage: .body, problem: "the server sends more than the part that it declared")

  static func rangeNotUsable(_ reason: RangeAnswer.Reason) -> TransferError {
    TransferError(.cannotResume, domain: .xfer, number: 4, stage: .response, problem: reason.rawValue)
  }
}
