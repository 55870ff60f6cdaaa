import Foundation
import Logging

/// The swift-log contender, which uses swift-log's own StreamLogHandler and a file.
struct SwiftLogMix: MixSink {
  private let logger: Logger

  init(path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let stream = FileStream(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    logger = Logger(label: "benchmark") { StreamLogHandler(label: $0, stream: stream) }
  }

  func received(_ step: Int) {
    logger.notice(
      "attempt.bytesReceived",
      metadata: ["task": "\(step & 15)", "attempt": "1", "received": "\(step)", "expected": "1048576"])
  }

  func entered(_ step: Int) {
    logger.notice(
      "delivery.entered",
      metadata: [
        "task": "\(step & 15)", "delivery": "\(step)", "callback": "didComplete", "queue": "delegate", "main": "false",
      ])
  }

  func redirected(_ step: Int) {
    logger.notice(
      "attempt.redirectReceived",
      metadata: [
        "task": "\(step & 15)", "attempt": "1", "transaction": "1", "status": "302", "host": "cdn.example.",
        "path": "/files/objects/abc/12345",
      ])
  }
}

/// An output stream that appends text to a file.
private struct FileStream: TextOutputStream, Sendable {
  private let handle: FileHandle
  init(_ handle: FileHandle) { self.handle = handle }
  mutating func write(_ text: String) { handle.write(Data(text.utf8)) }
}
