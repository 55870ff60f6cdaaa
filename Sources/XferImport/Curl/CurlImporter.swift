package import XferEvents

/// Reads what curl prints about its transfers: the output of `--trace`, `--trace-ascii` and `-v`, and its error messages.
package struct CurlImporter: EventImporter {
  package let format = "curl"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { UnsafeRawBufferPointer(rebasing: $0) }
      return Self.isResponse(lines) || lines.contains(where: Self.isDistinctive)
    }
  }

  /// Whether a text begins with the header of a response, as `curl -I` prints it, possibly after the command.
  private static func isResponse(_ lines: [UnsafeRawBufferPointer]) -> Bool {
    let lines = lines.lazy.filter { !$0.isBlank && $0.first(" curl ") == nil && !$0.hasPrefix("curl ") }.prefix(2)
    guard let first = lines.first, let second = lines.dropFirst().first, case .status = CurlLine(first.withoutReturn).kind,
      let colon = second.first(0x3A, from: 1)
    else { return false }
    return second[..<colon].allSatisfy { $0 == 0x2D || $0.isDigit || (0x61...0x7A).contains($0 | 0x20) }
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
    // The status of a response, as `-v` prints it.
    case .received(let text): return text.hasPrefix("HTTP/")
    case .sent, .data, .row, .warning, .status, .wholeMeter, .other: return false
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex) { CurlReader($0) }
  }
}
