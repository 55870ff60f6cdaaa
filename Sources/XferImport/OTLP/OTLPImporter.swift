package import XferEvents

/// Reads spans and log records of OpenTelemetry in OTLP's JSON encoding: one document, or one document on each line.
package struct OTLPImporter: EventImporter {
  package let format = "otlp"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      scanner.takeWhiteSpace()
      guard scanner.take(0x7B) else { return false }
      scanner.takeWhiteSpace()
      // Tempo names the spans `batches`.
      let names = ["resourceSpans", "resourceLogs", "resourceMetrics", "resource_spans", "resource_logs", "batches"]
      return names.contains { bytes.first(Array("\"\($0)\"".utf8), from: scanner.place) == scanner.place }
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { OTLPReader($0) }
  }
}
