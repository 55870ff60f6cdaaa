package import XferEvents

/// Reads systemd's journal as `journalctl -o export` and `journalctl -o json` print it.
package struct JournalImporter: EventImporter {
  package let format = "journal"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      // The first record is examined: in the export format, a line for each field; else one JSON object.
      if bytes.first == 0x7B || bytes.first == 0x5B || bytes.first == 0x1E || bytes.hasPrefix("data: {") {
        return bytes.first("\"__REALTIME_TIMESTAMP\"") != nil || bytes.first("\"__CURSOR\"") != nil
      }
      let first = bytes.slice(0, bytes.first(0x0A, from: 0) ?? bytes.count)
      guard first.hasPrefix("__") || first.hasPrefix("_BOOT_ID=") || first.hasPrefix("MESSAGE=") else { return false }
      return bytes.first("\n_BOOT_ID=") != nil || bytes.first("__REALTIME_TIMESTAMP=") != nil
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex) { JournalReader($0) }
  }
}
