package import XferEvents

/// Reads Chromium's NetLog, as `chrome://net-export` and `--log-net-log` write it.
package struct NetLogImporter: EventImporter {
  package let format = "netlog"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      scanner.takeWhiteSpace()
      guard scanner.take(0x7B) else { return false }
      scanner.takeWhiteSpace()
      guard scanner.take("\"constants\"") else { return false }
      return [
        "\"activeFieldTrialGroups\"", "\"addressFamily\"", "\"certStatusFlag\"", "\"clientInfo\"", "\"logEventTypes\"",
        "\"logEventPhase\"",
      ]
      .contains { bytes.first(Array($0.utf8), from: 0) != nil }
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex) { NetLogReader($0) }
  }
}
