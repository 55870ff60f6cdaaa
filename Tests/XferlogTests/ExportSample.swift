import Foundation
import LogTestSupport
import XferEvents

/// A log with a retried download, a download that gets a 404, and an upload that has not ended.
enum ExportSample {
  static let upload = TaskIdentity(uid: TaskUID(high: 3, low: 4), session: "docs", number: 2)

  /// A text that is secret where the capture mode hides private values.
  static let privatePath = "/album/canary.jpg"

  /// Writes the log, and returns its path.
  static func write(in directory: TemporaryDirectory, name: String = "run.xlog", mode: CaptureMode = .full) throws -> String {
    let log = try RecordedLog(in: directory, name: name, mode: mode)
    let (photo, missing) = (RecordedLog.task, RecordedLog.other)
    log.emit(
      at: 0,
      TaskCreated(
        task: photo, type: .download, method: "GET", scheme: "https", host: "img.example.com", port: 8443, path: privatePath,
        urlQuery: "size=2"))
    log.emit(at: 1, TaskResumed(task: photo))
    // The first attempt loses its connection.
    log.emit(at: 10, AttemptStarted(task: photo, attempt: 1, scheme: "https", host: "img.example.com", port: 8443))
    log.emit(
      at: 40,
      AttemptConnectionAcquired(
        task: photo, attempt: 1, transaction: 1, connection: CorrelationID(5), reused: false, protocol: "h2",
        host: "img.example.com", remoteAddress: "192.0.2.1", remotePort: 8443, queueTime: .milliseconds(2),
        nameLookupTime: .milliseconds(3), connectTime: .milliseconds(10), secureTime: .milliseconds(15)))
    log.emit(
      at: 41,
      AttemptRequestSent(
        task: photo, attempt: 1, transaction: 1, method: "GET", requestBytes: 120, headers: "host, user-agent, accept"))
    log.emit(
      at: 60,
      AttemptEnded(
        task: photo, attempt: 1, end: .transport, domain: .curl, error: 56, errorName: "networkConnectionLost", received: 0,
        retryIn: .milliseconds(100)))
    // The second attempt follows a redirect.
    log.emit(at: 160, AttemptStarted(task: photo, attempt: 2, scheme: "https", host: "img.example.com", port: 8443))
    for (transaction, time) in [(1, 170), (2, 200)] as [(Int, Int64)] {
      log.emit(
        at: time,
        AttemptConnectionAcquired(
          task: photo, attempt: 2, transaction: transaction, connection: CorrelationID(6), reused: transaction == 2,
          protocol: "h2", host: "img.example.com"))
      log.emit(
        at: time + 1, AttemptRequestSent(task: photo, attempt: 2, transaction: transaction, method: "GET", requestBytes: 120))
      log.emit(
        at: time + 15,
        AttemptResponseReceived(
          task: photo, attempt: 2, transaction: transaction, status: transaction == 1 ? 302 : 200,
          expected: transaction == 1 ? nil : 5000, contentType: transaction == 1 ? nil : "image/jpeg", protocol: "h2",
          headers: transaction == 1 ? "location" : "content-length, content-type, x-served-by"))
      if transaction == 1 {
        log.emit(
          at: 186,
          AttemptRedirectReceived(
            task: photo, attempt: 2, transaction: 1, status: 302, scheme: "https", host: "img.example.com", port: 8443,
            path: "/album/2"))
        log.emit(at: 187, AttemptRedirectAnswered(task: photo, attempt: 2, transaction: 1, decision: .followed))
      }
    }
    log.emit(at: 220, AttemptBytesReceived(task: photo, attempt: 2, received: 5000, expected: 5000))
    log.emit(at: 230, AttemptEnded(task: photo, attempt: 2, end: .finished, received: 5000, sent: 0))
    log.emit(at: 231, TaskTransferred(task: photo, received: 5000, sent: 0, status: 200))
    log.emit(at: 232, TaskCompleted(task: photo, received: 5000, sent: 0, status: 200))
    log.emit(at: 233, MessageError(subsystem: "com.example", category: "photos", eventMessage: "stored \(1, privacy: .public)"))
    // A 404, and an upload without an end.
    log.emit(
      at: 300,
      TaskCreated(task: missing, type: .data, method: "HEAD", scheme: "http", host: "docs.example.com", path: "/=formula"))
    log.emit(at: 301, AttemptStarted(task: missing, attempt: 1, scheme: "http", host: "docs.example.com"))
    log.emit(
      at: 302,
      AttemptConnectionAcquired(
        task: missing, attempt: 1, transaction: 1, connection: CorrelationID(9), reused: false, protocol: "http/1.1",
        host: "docs.example.com"))
    log.emit(at: 303, AttemptRequestSent(task: missing, attempt: 1, transaction: 1, method: "HEAD", requestBytes: 90))
    log.emit(at: 320, AttemptResponseReceived(task: missing, attempt: 1, transaction: 1, status: 404, protocol: "http/1.1"))
    log.emit(at: 321, AttemptEnded(task: missing, attempt: 1, end: .finished, received: 0, sent: 0))
    log.emit(at: 322, TaskCompleted(task: missing, received: 0, sent: 0, status: 404))
    log.emit(
      at: 400,
      TaskCreated(task: upload, type: .upload, method: "PUT", scheme: "http", host: "docs.example.com", path: "/new"))
    log.emit(at: 401, AttemptStarted(task: upload, attempt: 1, scheme: "http", host: "docs.example.com"))
    log.emit(at: 450, AttemptBytesSent(task: upload, attempt: 1, sent: 700, expected: 1000))
    log.close()
    return log.path
  }
}

/// The tools of other projects that read exports, which Tests/run installs.
enum ExportTools {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static let python = "\(root)/.build/python-tools/bin/python3"
  static func script(_ name: String) -> String { "\(root)/Tests/Support/\(name)" }

  /// Exports a log to a file, and returns what another tool reads in it.
  static func read(_ tool: String, _ format: String, of log: String, _ options: String..., in directory: TemporaryDirectory)
    throws
    -> [String: Any]
  {
    let path = directory.path("export-\(UUID()).\(tool)")
    let run = try ToolRun.xferlog(["export", "--format", format, "-o", path] + options + [log])
    guard run.status == 0 else { throw Failure(text: run.standardError) }
    return try read(tool, path)
  }

  static func read(_ tool: String, _ path: String) throws -> [String: Any] {
    let run = try ToolRun(python, [script("read-export"), tool, path])
    guard run.status == 0, let document = try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any]
    else { throw Failure(text: "\(tool): \(run.standardError)\nTests/run installs the tools that this test needs.") }
    return document
  }

  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}
