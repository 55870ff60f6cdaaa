internal import CCurl
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

// Sending the request body.
extension Transfer {
  /// Opens the body of the next request.
  func openBody() throws(TransferError) {
    source = try BodySource(plan.body, stream: openStream())
    bodyLength = source?.length
    guard let source else { return }
    task.counts.setExpectedToSend(source.length ?? -1)
    (sent, reported.sentBytes, reported.uploadedBytes) = (0, -1, 0)
  }

  private func openStream() -> BodyPipe? {
    guard let stream else { return nil }
    // A stream can be read only once, so the next request needs another one.
    self.stream = nil
    let (task, mailbox) = (task, context.mailbox)
    let pipe = BodyPipe(length: stream.length) { mailbox.post(.bodyReady(task)) }
    pipe.start(stream)
    return pipe
  }

  /// Asks the app for a body stream. Every request needs a new one, including follow-ups of redirects and retries.
  func askForBodyStream() {
    question = .bodyStream
    let (task, lane, mailbox) = (task, context.lane, context.mailbox)
    let answer = { @Sendable (stream: RequestBodyStream?) in mailbox.post(.answer(task, .bodyStream(stream))) }
    if let make = task.makeStream { return answer(make()) }
    guard let delegate = task.session.delegate else { return answer(nil) }
    lane.send(
      Delivery(id: lane.makeID(), callback: .needNewBodyStream, task: task.identity) {
        delegate.urlSession(task.session, task: task, needNewBodyStream: answer)
      })
  }

  // MARK: libcurl callbacks

  /// Reads body bytes into libcurl's buffer.
  ///
  /// - Returns: the result of libcurl's read callback: the byte count, 0 at the end, or a value that pauses or stops the
  ///   transaction.
  func sendBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    guard let source else { return 0 }
    switch source.read(into: room) {
    case .bytes(let count):
      touch()
      noteSent(source.offset)
      return count
    case .notYet:
      pauses.insert(.bodyStream)
      return Int(CURL_READFUNC_PAUSE)
    case .failed(let error):
      refusal = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// Repositions the body, for example when libcurl sends it again because the reused connection had been closed.
  ///
  /// - Returns: the result of libcurl's seek callback.
  func seekBody(to offset: Int64, origin: Int32) -> Int32 {
    guard let source, origin == SEEK_SET, source.seek(to: offset) else { return CURL_SEEKFUNC_CANTSEEK }
    sent = offset
    return CURL_SEEKFUNC_OK
  }

  // MARK: Progress

  private func noteSent(_ count: Int64) {
    sent = count
    task.counts.setSent(sent)
    notifyProgress()
    guard transaction.connection != nil else { return }
    if reported.sentBytes < 0 || loop.now - reported.sentTime >= 1_000_000_000 { logBytesSent() }
    if reported.uploadedTime.map({ loop.now - $0 >= Self.progressInterval }) ?? true { sendBytesSent() }
  }

  /// The minimum time between two progress callbacks, in nanoseconds. The last callback ignores it.
  static let progressInterval: Int64 = 50_000_000

  /// Sends `didSendBodyData` to the delegate of an upload.
  func sendBytesSent() {
    guard case .delegate = task.consumer, task.type == .upload, sent > reported.uploadedBytes else { return }
    let (count, total, expected, task, lane) = (sent - reported.uploadedBytes, sent, bodyLength ?? -1, task, context.lane)
    (reported.uploadedBytes, reported.uploadedTime) = (sent, loop.now)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didSendBodyData, task: task.identity) {
        task.session.delegate?.urlSession(
          task.session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
      })
  }
}
