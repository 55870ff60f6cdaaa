package import XferEvents

/// Reads the events that `xferlog show -o ndjson` prints.
package struct EventLinesImporter: EventImporter {
  package let format = "xferlog-ndjson"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      return scanner.takeFirstMember("\"schema\"") && scanner.take("\"xferlog.event/1\"")
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex) { EventLinesReader($0) }
  }
}
