internal import CCurl
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The response body that becomes the task's result.
extension Transfer {
  /// Accepts a response as the task's result and prepares the store for its body.
  func accept(_ response: TransferResponse) throws(TransferError) {
    if isDecoding, let codings = transaction.head.contentEncoding { transaction.decoder = try ContentDecoder(codings) }
    if case .file(let file) = store {
      guard try resumeBody(file, response) else { return }
    }
    self.response = response
    task.noteResponse(response)
    let expected = response.expectedContentLength.map {
      $0.subtractingClamped(transaction.skip).addingClamped(base).addingClamped(delivered)
    }
    task.counts.setExpected(entity?.total ?? expected ?? -1)
    if let limit = context.configuration.maximumBodyBytes,
      expected ?? 0 > limit || transaction.head.announcesTooMuch(for: plan.method)
    {
      throw .tooLarge(limit: limit)
    }
    transaction.body = .deliver
    digest = digests ? ContentDigest() : nil
    switch (task.type, task.consumer) {
    case (.download, _):
      if case .file = store { break }
      try openFile()
    case (_, .bytes(let body)):
      store = .iteration(body)
      body.response.give(.success(response))
    case (_, .delegate):
      if let delegate = task.session.delegate { askAboutResponse(delegate, response) }
    default:
      var data = Data()
      // The declared length is capped, because a server could otherwise make the engine reserve any amount of memory.
      data.reserveCapacity(Int(min(response.expectedContentLength ?? 0, 16 << 20)))
      store = .memory(data)
    }
  }

  /// Creates the file for the body.
  func openFile() throws(TransferError) {
    store = .file(BodyFile(path: partPath, buffer: loop.takeBuffer(), digests: digests))
    noteEntity()
  }

  private func askAboutResponse(_ delegate: any TransferSessionDelegate, _ response: TransferResponse) {
    guard let task = task as? DataTask else { return }
    store = .delegate(task.bodyQueue)
    transaction.body = .undecided
    question = .response
    pauses.insert(.question)
    let (lane, mailbox) = (context.lane, context.mailbox)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didReceiveResponse, task: task.identity) {
        delegate.urlSession(task.session, dataTask: task, didReceive: response) { disposition in
          if disposition == .cancel { task.cancel() }
          mailbox.post(.answer(task, .response(disposition)))
        }
      })
  }

  /// Processes body bytes from libcurl.
  ///
  /// - Returns: the result of libcurl's write callback: the byte count, or a value that pauses or stops the transaction.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    touch()
    switch transaction.body {
    case .undecided where !transaction.head.isComplete:
      // The engine decides what to do with the body when the head is complete. A body that starts earlier would stay paused
      // forever.
      refusal = .badResponse("the server sends a body before its head is complete")
      return 0
    case .undecided: return Int(CURL_WRITEFUNC_PAUSE)
    case .discard:
      transaction.discarded += Int64(bytes.count)
      guard transaction.discarded <= Transaction.discardLimit else { return 0 }
      if retryDelay != nil, context.configuration.messages.deliversRetriedBodies {
        transaction.retriedBody.append(contentsOf: bytes)
      }
      return bytes.count
    case .deliver:
      do throws(TransferError) {
        if try take(bytes) { return bytes.count }
        pauses.insert(.backPressure)
        return Int(CURL_WRITEFUNC_PAUSE)
      } catch {
        refusal = error
        return 0
      }
    }
  }

  /// Decodes the bytes where necessary and delivers them.
  ///
  /// - Returns: `false` when the app has no room; libcurl then offers the same bytes again.
  private func take(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    if let decoder = transaction.decoder {
      let isTaken = try decoder.decode(bytes) { decoded throws(TransferError) in
        try deliver(decoded)
      }
      // Bytes that produce no decoded output count as received, too, so the count is taken from the decoder.
      received = decoder.countIn
      return isTaken
    }
    let skipped = min(transaction.skip, Int64(bytes.count))
    let new = UnsafeRawBufferPointer(rebasing: bytes[Int(skipped)...])
    if !new.isEmpty, try !deliver(new) { return false }
    transaction.skip -= skipped
    return true
  }

  /// Stores decoded bytes and counts them as progress.
  ///
  /// - Returns: `false` when the app has no room for the bytes.
  private func deliver(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    guard try keep(bytes) else { return false }
    caching.recording?.append(bytes)
    noteProgress(bytes.count)
    return true
  }

  /// Checks the size limits and appends the bytes to the body's store.
  ///
  /// - Returns: `false` when the app has no room for the bytes.
  func keep(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    try checkLimits(adding: Int64(bytes.count))
    switch store {
    case .nothing: return true
    case .file(let file): try file.append(bytes)
    case .memory(var data):
      store = .nothing  // Releases the second reference, so that appending does not copy the data.
      data.append(contentsOf: bytes)
      store = .memory(data)
    case .iteration(let body): if !body.append(bytes) { return false }
    case .delegate(let queue):
      switch queue.append(bytes) {
      case .full: return false
      case .joined: break
      case .schedule: sendData(queue)
      }
    }
    if case .file = store {} else { digest?.add(bytes) }
    return true
  }

  private func checkLimits(adding count: Int64) throws(TransferError) {
    let configuration = context.configuration
    if let limit = configuration.maximumBodyBytes, base + delivered + count > limit { throw .tooLarge(limit: limit) }
    if let end = transaction.end, base + delivered + count > end { throw .overlongPart }
    guard let decoder = transaction.decoder else { return }
    if delivered + count > configuration.maximumDecodedBytes { throw .tooLarge(limit: configuration.maximumDecodedBytes) }
    let ratio = configuration.maximumDecodedRatio
    if delivered + count > max(Self.ratioAllowance, decoder.countIn.multipliedClamped(by: ratio)) { throw .growsTooMuch(ratio) }
  }

  /// The number of decoded bytes up to which the limit on the decoding ratio is not applied.
  private static let ratioAllowance: Int64 = 10 << 20

  /// Whether the engine decodes the body. If the app's request has an `Accept-Encoding` field, the app gets the encoded body.
  var isDecoding: Bool {
    let options = context.configuration.messages
    return transaction.decodes && !options.keepsCodings && !options.acceptsTransferCodings
      && transaction.head.contentEncoding != nil && !plan.fields.contains(.acceptEncoding)
  }

  /// The error of a body that ended before its content coding was complete. `nil` for a complete body.
  var unfinishedCoding: TransferError? {
    guard let decoder = transaction.decoder, !decoder.isComplete, case .deliver = transaction.body else { return nil }
    return .badContentCoding("the encoded body is truncated after \(decoder.countIn) bytes")
  }

  /// Delivers the collected body of a response after which the request is retried.
  func sendRetriedBody() {
    guard !transaction.retriedBody.isEmpty else { return }
    let (task, lane, body) = (task, context.lane, transaction.retriedBody)
    transaction.retriedBody = Data()
    lane.send(
      Delivery(id: lane.makeID(), callback: nil, task: task.identity) {
        task.session.delegate?.urlSession(task.session, task: task, didReceiveRetriedBody: body)
      })
  }

  private func sendData(_ queue: BodyQueue) {
    guard let task = task as? DataTask else { return }
    let (lane, mailbox) = (context.lane, context.mailbox)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didReceiveData, task: task.identity) {
        let data = queue.take()
        if !data.isEmpty { task.session.delegate?.urlSession(task.session, dataTask: task, didReceive: data) }
        if queue.handedBack() { mailbox.post(.drained(task)) }
      })
  }

  // MARK: Progress

  private func noteProgress(_ count: Int) {
    delivered += Int64(count)
    received = transaction.decoder?.countIn ?? delivered
    task.counts.setReceived(base + received)
    notifyProgress()
    if reported.bytes < 0 || loop.now - reported.time >= 1_000_000_000 { logBytesReceived() }
    if reported.writtenTime.map({ loop.now - $0 >= Self.progressInterval }) ?? true { sendBytesWritten() }
  }

  /// Notifies the progress observers of the task and of all tasks that share its transfer, at most once per interval.
  func notifyProgress() {
    if let last = reported.progressTime, loop.now - last < Self.progressInterval { return }
    reported.progressTime = loop.now
    task.progress.changed()
    for member in loop.coalesced.members(of: task) { member.progress.changed() }
  }

  /// Sends `didWriteData` to the delegate of a download.
  func sendBytesWritten() {
    guard case .delegate = task.consumer, let task = task as? DownloadTask, base + delivered > reported.writtenBytes
    else { return }
    let (count, total, expected) = (base + delivered - reported.writtenBytes, base + delivered, task.counts.expected)
    (reported.writtenBytes, reported.writtenTime) = (total, loop.now)
    let lane = context.lane
    lane.send(
      Delivery(id: lane.makeID(), callback: .didWriteData, task: task.identity) {
        task.session.delegate?.urlSession(
          task.session, downloadTask: task, didWriteData: count, totalBytesWritten: total, totalBytesExpectedToWrite: expected)
      })
  }
}
