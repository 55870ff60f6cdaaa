internal import CCurl
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The body of the response that is the task's result.
extension Transfer {
  /// Takes a response as the task's result and makes ready for its body.
  func accept(_ response: TransferResponse) throws(TransferError) {
    if isDecoding, let codings = transaction.head.contentEncoding { transaction.decoder = try ContentDecoder(codings) }
    if case .file(let file) = store {
      guard try goOn(file, response) else { return }
    }
    self.response = response
    task.noteResponse(response)
    let expected = response.expectedContentLength.map {
      $0.subtractingClamped(transaction.skip).addingClamped(base).addingClamped(delivered)
    }
    task.counts.setExpected(entity?.total ?? expected ?? -1)
    if let limit = context.configuration.maximumBodyBytes, expected ?? 0 > limit { throw .tooLarge(limit: limit) }
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
      // What a server declares is not to be believed with memory.
      data.reserveCapacity(Int(min(response.expectedContentLength ?? 0, 16 << 20)))
      store = .memory(data)
    }
  }

  /// Makes the file that the body goes to.
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

  /// - Returns: what libcurl's write callback returns: other than the count, it pauses or stops the transaction.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    touch()
    switch transaction.body {
    case .undecided where !transaction.head.isComplete:
      // Nobody would ever decide about it.
      refusal = .badResponse("the server sends a body before its head is complete")
      return 0
    case .undecided: return Int(CURL_WRITEFUNC_PAUSE)
    case .discard:
      transaction.discarded += Int64(bytes.count)
      return transaction.discarded <= Transaction.discardLimit ? bytes.count : 0
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

  /// - Returns: `false` when there is no room for the bytes now: they come again.
  private func take(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    if let decoder = transaction.decoder {
      let isTaken = try decoder.decode(bytes) { decoded throws(TransferError) in
        try deliver(decoded)
      }
      // What decodes to nothing was received, too.
      received = decoder.countIn
      return isTaken
    }
    let skipped = min(transaction.skip, Int64(bytes.count))
    let new = UnsafeRawBufferPointer(rebasing: bytes[Int(skipped)...])
    if !new.isEmpty, try !deliver(new) { return false }
    transaction.skip -= skipped
    return true
  }

  /// - Returns: `false` when there is no room for the bytes now.
  private func deliver(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    guard try keep(bytes) else { return false }
    caching.recording?.append(bytes)
    noteProgress(bytes.count)
    return true
  }

  /// - Returns: `false` when there is no room for the bytes now.
  func keep(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    try checkLimits(adding: Int64(bytes.count))
    switch store {
    case .nothing: return true
    case .file(let file): try file.append(bytes)
    case .memory(var data):
      store = .nothing  // Otherwise appending would copy what is there.
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
    if let end = transaction.end, base + delivered + count > end { throw .longPart }
    guard let decoder = transaction.decoder else { return }
    if delivered + count > configuration.maximumDecodedBytes { throw .tooLarge(limit: configuration.maximumDecodedBytes) }
    let ratio = configuration.maximumDecodedRatio
    if delivered + count > max(Self.decodedUnasked, decoder.countIn.multipliedClamped(by: ratio)) { throw .growsTooMuch(ratio) }
  }

  /// Bytes that a body may decode to whatever it is made of.
  private static let decodedUnasked: Int64 = 10 << 20

  /// Whether the body's codings are undone: where nobody but the engine asked for them.
  var isDecoding: Bool {
    let options = context.configuration.messages
    return transaction.decodes && !options.keepsCodings && !options.acceptsTransferCodings
      && transaction.head.contentEncoding != nil && !plan.fields.contains(.acceptEncoding)
  }

  /// What a body lacks that ended within its coding.
  var unfinishedCoding: TransferError? {
    guard let decoder = transaction.decoder, !decoder.isComplete, case .deliver = transaction.body else { return nil }
    return .badContentCoding("the body ended within its coding, after \(decoder.countIn) bytes")
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
    tellProgress()
    if said.bytes < 0 || loop.now - said.time >= 1_000_000_000 { sayBytesReceived() }
    if said.writtenTime.map({ loop.now - $0 >= Self.progressInterval }) ?? true { sendWritten() }
  }

  /// Tells those who watch the task, or one that shares its transfer.
  func tellProgress() {
    if let last = said.progressTime, loop.now - last < Self.progressInterval { return }
    said.progressTime = loop.now
    task.progress.changed()
    for member in loop.coalesced.members(of: task) { member.progress.changed() }
  }

  /// Tells the delegate of a download how far it is.
  func sendWritten() {
    guard case .delegate = task.consumer, let task = task as? DownloadTask, base + delivered > said.writtenBytes
    else { return }
    let (count, total, expected) = (base + delivered - said.writtenBytes, base + delivered, task.counts.expected)
    (said.writtenBytes, said.writtenTime) = (total, loop.now)
    let lane = context.lane
    lane.send(
      Delivery(id: lane.makeID(), callback: .didWriteData, task: task.identity) {
        task.session.delegate?.urlSession(
          task.session, downloadTask: task, didWriteData: count, totalBytesWritten: total, totalBytesExpectedToWrite: expected)
      })
  }
}
