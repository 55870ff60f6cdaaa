internal import CCurl
internal import HTTPTypes
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

// Resuming downloads from a partial file.
extension Transfer {
  var partPath: String { task.partPath }

  /// Adopts the partial file of the task's resume data before the first request.
  ///
  /// If the file cannot be adopted, the download starts from the beginning.
  func adoptPartialFile() {
    guard let resumeData = task.resumeData else { return }
    // The last byte is requested again even if the file has it: the response to a satisfiable range identifies the version of
    // the resource, whereas a 416 response does not.
    let limit = (resumeData.entity.total ?? .max) - 1
    let buffer = loop.takeBuffer()
    do throws(TransferError) {
      let file = try BodyFile(
        adopting: resumeData.file, as: partPath, offset: resumeData.offset, limit: limit, buffer: buffer, digests: digests)
      store = .file(file)
      (entity, base) = (resumeData.entity, file.start)
      task.counts.setReceived(base)
      // The file was renamed, so the app needs new resume data.
      sendResumable()
    } catch {
      loop.recycle(buffer)
      // A leftover file with this task's name would block the creation of the new file, so it is removed.
      if resumeData.file.path == partPath { unlink(partPath) }
    }
  }

  /// Returns the next request with its range, conditional and authorization fields.
  func nextWire() -> RequestPlan {
    var wire = plan
    if let entity, offset > 0 {
      wire.fields[.range] = "bytes=\(offset)-"
      wire.fields[.ifRange] = entity.validator.text
    }
    if let authorization = authorize(plan) { wire.fields[.authorization] = authorization }
    addConditions(to: &wire)
    addSpan(to: &wire)
    return wire
  }

  /// Remembers the version of the resource from a full response, so that the download can be resumed later.
  func noteEntity() {
    let head = transaction.head
    // Requests with a range of their own, or with other methods than GET, are not resumable.
    guard head.status == 200, plan.method == .get, !plan.fields.contains(.range) else { return }
    // A decoded file cannot be resumed: its size does not give the offset at which to resume in the encoded resource.
    guard !transaction.decodes || head.contentEncoding == nil else { return }
    entity = Entity(head, total: head.expectedBytes(for: plan.method))
    sendResumable()
  }

  /// The minimum size of a resource whose download can be resumed after a crash, in bytes.
  private static let leastResumable: Int64 = 1 << 20

  /// Sends resume data to the delegate while the download runs, so that it can be resumed after the process is killed.
  private func sendResumable() {
    // Only downloads of large resources get resume data, because downloading a small resource again costs less than storing the
    // data.
    guard case .delegate = task.consumer, let task = task as? DownloadTask, case .file(let file) = store,
      let entity, entity.total ?? .max >= Self.leastResumable, context.configuration.keepsPartialDownloads,
      let partial = try? file.partial(), let data = makeResumeData(partial, offset: nil)?.data
    else { return }
    let (lane, mailbox) = (context.lane, context.mailbox)
    // The file gets its directory entry only after the app has the resume data. A process that is killed in between leaves
    // resume data without a file, but never an orphaned file.
    lane.send(
      Delivery(id: lane.makeID(), callback: nil, task: task.identity) {
        task.session.delegate?.urlSession(task.session, downloadTask: task, didBecomeResumable: data)
      } after: {
        mailbox.post(.resumable(task))
      })
  }

  /// Gives the partial file a directory entry. A file without one is lost when the process ends.
  func keepFile() {
    if case .file(let file) = store { _ = try? file.makeFindable() }
  }

  /// Processes the response to a range request for the remainder.
  ///
  /// - Returns: whether the response is the task's result; otherwise the resource is requested again.
  func resumeBody(_ file: BodyFile, _ response: TransferResponse) throws(TransferError) -> Bool {
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
    (base, delivered, received, reported.bytes, reported.writtenBytes) = (0, 0, 0, -1, 0)
    task.counts.setReceived(0)
  }

  private func sendResumed(_ total: Int64?) {
    reported.writtenBytes = base
    guard case .delegate = task.consumer, let task = task as? DownloadTask else { return }
    let (lane, offset) = (context.lane, base)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didResume, task: task.identity) {
        task.session.delegate?.urlSession(
          task.session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total ?? -1)
      })
  }

  /// Whether the server sent only part of the requested remainder, so that another range request has to follow.
  var needsRemainder: Bool {
    guard let total = entity?.total, transaction.end != nil, case .file = store else { return false }
    return base + delivered < total && transaction.skip == 0
  }

  /// Whether another request follows the transaction that ended.
  var hasFollowUp: Bool { next != nil || restart != nil || needsRemainder }

  /// The error of a partial response that ended before its declared range. `nil` otherwise.
  var truncatedPart: TransferError? {
    guard let end = transaction.end, base + delivered < end, case .file = store else { return nil }
    return TransferError(
      curl: CURLE_PARTIAL_FILE, osError: nil, stage: .body,
      message: "the partial response is \(end - base - delivered) bytes too short")
  }

  /// Keeps the partial file and returns the resume data for it. `nil` when the download cannot be resumed.
  func makeResumeData(_ file: BodyFile) -> ResumeData? {
    guard entity != nil, offset > 0, context.configuration.keepsPartialDownloads, let partial = try? file.leave() else {
      return nil
    }
    return makeResumeData(partial, offset: offset)
  }

  /// - Parameter offset: the bytes to resume after; `nil` uses the size of the file at the time of resuming.
  private func makeResumeData(_ partial: PartialFile, offset: Int64?) -> ResumeData? {
    guard let entity, context.configuration.keepsPartialDownloads else { return nil }
    var resumeData = ResumeData(
      id: context.makeCorrelation().rawValue, method: plan.method, urlText: task.plan.url.text, fields: task.plan.fields,
      entity: entity, offset: offset, file: partial)
    (resumeData.description, resumeData.metadata) = (task.taskDescription, task.metadata)
    resumeData.task = "\(task.identity.uid)"
    return resumeData
  }
}

extension TransferError {
  static let overlongPart = TransferError(
    .badServerResponse, number: 8, stage: .body,
    problem: "the server sent more bytes than the Content-Range of its response declares")

  static func rangeNotUsable(_ reason: RangeAnswer.Reason) -> TransferError {
    TransferError(.cannotResume, domain: .xfer, number: 4, stage: .response, problem: reason.rawValue)
  }
}
