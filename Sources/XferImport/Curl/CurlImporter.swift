package import XferEvents

/// Reads what curl prints about its transfers: the output of `--trace`, `--trace-ascii` and `-v`, and its error messages.
package struct CurlImporter: EventImporter {
  package let format = "curl"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains {
        Self.isDistinctive(UnsafeRawBufferPointer(rebasing: $0))
      }
    }
  }

  /// Whether only curl writes such a line.
  private static func isDistinctive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let line = CurlLine(bytes)
    switch line.kind {
    // A time and the numbers of a transfer, as `--trace-time --trace-ids` prints them.
    case .info where line.ofDay != nil && line.transfer != nil: return true
    case .info(let text):
      // Lists in Markdown begin like curl's lines.
      switch CurlMessage(text.trimmed) {
      case .trying(let address): return address.contains(":") || address.contains(".") && address.contains { $0.isNumber }
      case .connected(_, let address, let port, _): return address != nil && port != nil
      case .resolved(let host): return host != nil && text.first("was ") != nil
      case .intact, .again, .fresh: return true
      case .failed: return true
      case .reused(let connection): return connection != nil || text.first(" with host ") != nil
      case .secured, .protocol, .closed, nil: return false
      }
    case .trace: return true
    case .failure: return true
    case .sent, .received, .data, .row, .warning, .other: return false
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex) { CurlReader($0) }
  }
}
