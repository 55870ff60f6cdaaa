package import XferEvents

/// One fact about a transfer, in a record with named values.
package struct TransferFact {
  package enum Step: String, Sendable {
    case created, started, sent, response, progress, retried, finished, failed, cancelled
  }

  package var task: String
  package var step: Step
  package var url: URLParts?
  package var method: String?
  package var type: TaskType?
  package var status: Int?
  package var received: Int64?
  package var bytesSent: Int64?
  package var expected: Int64?
  package var error: String?
  package var errorCode: Int?
  package var message: String?
  package var duration: Int64?

  package init(task: String, step: Step) { (self.task, self.step) = (task, step) }

  /// - Parameter value: returns the value with a name such as `TASK`, `EVENT`, `URL`, `METHOD`, `TYPE`, `STATUS`, `RECEIVED`, `SENT`,
  ///   `EXPECTED`, `ERROR`.
  /// - Returns: `nil` if the record names no task, or no known event.
  package init?(named value: (String) -> String?, message: String?) {
    guard let task = value("TASK") else { return nil }
    self.task = task
    status = value("STATUS").flatMap { Int($0) }
    error = value("ERROR")
    guard let step = value("EVENT").map(Self.step) ?? Self.step(status: status, error: error) else { return nil }
    self.step = step
    url = value("URL").flatMap { URLParts($0) }
    method = value("METHOD")
    type = value("TYPE").flatMap { name in TaskType.allCases.first { $0.name == name } }
    received = value("RECEIVED").flatMap { Int64($0) }
    bytesSent = value("SENT").flatMap { Int64($0) }
    expected = value("EXPECTED").flatMap { Int64($0) }
    errorCode = value("ERROR_CODE").flatMap { Int($0) }
    self.message = message
  }

  /// Returns the step that a word names. Words of many programs are known.
  package static func step(_ word: String) -> Step? {
    var name = word.lowercased()
    if let dot = name.lastIndex(where: { $0 == "." || $0 == ":" || $0 == "/" }) { name = String(name[name.index(after: dot)...]) }
    switch name.filter({ $0.isLetter }) {
    case "created", "create", "enqueued", "enqueue", "queued", "scheduled", "submitted", "pending": return .created
    case "started", "start", "begin", "begun", "running", "resumed", "resume", "downloading", "uploading", "inprogress",
      "attemptstarted":
      return .started
    case "sent", "requestsent", "request": return .sent
    case "response", "responsereceived", "headers": return .response
    case "progress", "bytesreceived", "bytes", "data": return .progress
    case "retry", "retried", "retrying": return .retried
    case "finished", "finish", "completed", "complete", "succeeded", "success", "successful", "ok", "done", "end", "ended":
      return .finished
    case "failed", "fail", "failure", "error", "errored", "timeout", "timedout", "aborted": return .failed
    case "cancelled", "canceled", "cancel", "stopped": return .cancelled
    default: return nil
    }
  }

  private static func step(status: Int?, error: String?) -> Step? { error != nil ? .failed : status != nil ? .finished : nil }

  /// Returns the key of the task in a tracker.
  ///
  /// - Parameter process: the process that names the task, if the log tells it. Only a UUID names a task beyond its process.
  package func key(session: String, process: String?) -> String {
    let key = "\(session)\u{0}\(task)"
    return TaskUID(task) == nil ? key + (process.map { "\u{0}\($0)" } ?? "") : key
  }

  /// Tells a tracker.
  package func tell(
    _ tracker: ForeignTracker, session: String, uid: TaskUID? = nil, number: UInt32? = nil, process: String? = nil
  ) {
    let key = key(session: session, process: process)
    let uid = uid ?? TaskUID(task)
    // A task that is named by a number keeps it.
    let number = number ?? UInt32(task)
    if step == .created || step == .started || step == .sent {
      tracker.create(
        key, uid: uid, session: session, number: number, type: type, method: method, url: url, isResumed: step != .created)
    } else if !tracker.isKnown(key) {
      if url != nil {
        tracker.create(key, uid: uid, session: session, number: number, type: type, method: method, url: url)
      } else {
        tracker.observe(key, uid: uid, session: session, number: number, type: type)
      }
    }
    switch step {
    case .created: break
    case .started: tracker.startAttempt(key, url: url)
    case .sent: tracker.send(key, method: method)
    case .response: if let status { tracker.respond(key, status: status, expected: expected) }
    case .progress: tracker.progress(key, received: received, sent: bytesSent, expected: expected)
    case .retried: tracker.endAttempt(key, failure ?? ForeignFailure(.transport, name: "retried"), retryIn: .zero)
    case .finished:
      noteResponse(key, tracker)
      tracker.complete(key, nil, status: status, received: received, sent: bytesSent)
    case .failed:
      noteResponse(key, tracker)
      // The server sent an error status, so the network worked, even if the record also names an error.
      let isStatus = status.map { $0 >= 400 } ?? false
      tracker.complete(
        key, isStatus ? nil : failure ?? ForeignFailure(.transport, name: nil, message: message), status: status,
        received: received,
        sent: bytesSent)
    case .cancelled:
      tracker.requestCancel(key, by: nil)
      tracker.complete(key, ForeignFailure(.cancelled, name: "cancelled", message: message), status: status, received: received)
    }
  }

  /// Notes the response that a record of the end implies, unless an earlier record told it.
  private func noteResponse(_ key: String, _ tracker: ForeignTracker) {
    guard let status, tracker.hasOpenAttempt(key), tracker.status(key) != status else { return }
    tracker.respond(key, status: status)
  }

  private var failure: ForeignFailure? {
    guard error != nil || errorCode != nil else { return nil }
    if let error, error.hasPrefix("net::ERR_") || error.hasPrefix("ERR_") {
      return ForeignFailure(chromium: error, message: message)
    }
    var failure = ForeignFailure(exception: error ?? "error \(errorCode ?? -1)", message: message)
    if let errorCode { failure.code = errorCode }
    // The numbers of NSURLErrorDomain are known by themselves.
    if let errorCode, (-3007 ... -995).contains(errorCode) { failure.domain = .url }
    return failure
  }
}
