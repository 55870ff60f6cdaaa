package import HTTPTypes
internal import XferEvents

// Complete request and response heads, including secrets, for logs in the `full` capture mode.
extension EventSink {
  /// Logs a message if the sink keeps secrets. The message's arguments must be marked sensitive, so that other logs redact them.
  func capture(_ message: @autoclosure () -> LogMessage, of task: TaskIdentity) {
    guard keepsSecrets else { return }
    emit(MessageDefault(subsystem: "xferlog", category: "capture", eventMessage: message(), task: task))
  }
}

extension HTTPRequest {
  /// The URL as the caller wrote it.
  package var writtenURL: String { "\(scheme ?? "")://\(authority ?? "")\(path ?? "")" }
}

extension RequestPlan {
  /// The request line and the fields, without the fields that libcurl adds.
  var written: String { (["\(method.rawValue) \(url.text)"] + fields.written).joined(separator: "\n") }
}

extension ResponseHead {
  /// The status line and the fields.
  var written: String { (["\(protocolName) \(status) \(reason)"] + fields.written).joined(separator: "\n") }
}

extension HTTPFields {
  fileprivate var written: [String] { map { "\($0.name.rawName): \($0.value)" } }
}
