internal import CCurl
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

// The body of the request.
extension Transfer {
  /// Makes ready what the next request carries.
  func openBody() throws(TransferError) {
    source = try BodySource(plan.body, stream: openStream())
    bodyLength = source?.length
    guard let source else { return }
    task.counts.setExpectedToSend(source.length ?? -1)
    (sent, said.sentBytes, said.handedBytes) = (0, -1, 0)
  }

  private func openStream() -> BodyPipe? {
    guard let stream else { return nil }
    // It can be read only once.
    self.stream = nil
    let (task, mailbox) = (task, context.mailbox)
    let pipe = BodyPipe(length: stream.length) { mailbox.post(.bodyReady(task)) }
    pipe.start(stream)
    return pipe
  }

  /// Has the app give a stream, for the first request and again for each one that follows.
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

  // MARK: Asked by libcurl

  /// - Returns: what libcurl's read callback returns: a count, 0 for the end, or what pauses or stops the transaction.
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

  /// libcurl sends the body again from there: another connection, after one that had been closed.
  ///
  /// - Returns: what libcurl's seek callback returns.
  func seekBody(to offset: Int64, origin: Int32) -> Int32 {
    guard let source, origin == SEEK_SET, source.seek(to: offset) else { return CURL_SEEKFUNC_CANTSEEK }
    sent = offset
    return CURL_SEEKFUNC_OK
  }

  // MARK: Progress

  private func noteSent(_ count: Int64) {
    sent = count
    task.counts.setSent(sent)
    tellProgress()
    guard transaction.connection != nil else { return }
    if said.sentBytes < 0 || loop.now - said.sentTime >= 1_000_000_000 { sayBytesSent() }
    if said.handedTime.map({ loop.now - $0 >= Self.progressInterval }) ?? true { sendHanded() }
  }

  /// Nanoseconds between two calls of a progress callback, but for the last.
  static let progressInterval: Int64 = 50_000_000

  /// Tells the delegate how much of the body is sent.
  func sendHanded() {
    guard case .delegate = task.consumer, task.type == .upload, sent > said.handedBytes else { return }
    let (count, total, expected, task, lane) = (sent - said.handedBytes, sent, bodyLength ?? -1, task, context.lane)
    (said.handedBytes, said.handedTime) = (sent, loop.now)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didSendBodyData, task: task.identity) {
        task.session.delegate?.urlSession(
          task.session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
      })
  }
}
