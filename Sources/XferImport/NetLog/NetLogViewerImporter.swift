package import XferEvents

/// Reads the events of a NetLog as the NetLog viewer shows them, which people copy into reports of bugs.
package struct NetLogViewerImporter: EventImporter {
  package let format = "netlog-viewer"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      bytes.split(separator: 0x0A).contains { NetLogViewerLine(UnsafeRawBufferPointer(rebasing: $0)).isEvent }
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    // The viewer shows one source after the other.
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { NetLogViewerReader($0) }
  }
}
