package import HTTPTypes
internal import XferEvents

// What only a log is told that keeps everything: the heads of messages as they are, with all that is secret in them.
extension EventSink {
  /// Says it in words whose arguments are sensitive, so that no other log would keep them either.
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
  /// Request line and fields; libcurl adds its own.
  var written: String { (["\(method.rawValue) \(url.text)"] + fields.written).joined(separator: "\n") }
}

extension ResponseHead {
  /// Status line and fields.
  var written: String { (["\(protocolName) \(status) \(reason)"] + fields.written).joined(separator: "\n") }
}

extension HTTPFields {
  fileprivate var written: [String] { map { "\($0.name.rawName): \($0.value)" } }
}
