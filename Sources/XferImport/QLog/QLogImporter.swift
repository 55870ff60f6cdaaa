package import XferEvents

/// Reads qlog, the log of QUIC and HTTP/3, as a JSON document or as a sequence of JSON texts.
package struct QLogImporter: EventImporter {
  package let format = "qlog"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      _ = scanner.take(0x1E)
      scanner.takeWhiteSpace()
      guard scanner.peek == 0x7B else { return false }
      return bytes.first("\"qlog_version\"") != nil || bytes.first("\"qlog_format\"") != nil
        || bytes.first("urn:ietf:params:qlog") != nil
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { QLogReader($0) }
  }
}
