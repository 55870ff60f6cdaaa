package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension RecordedArgument {
  /// The argument as it appears in the message, in the format and width that the logging code requested.
  package var text: String {
    let shown = shown
    let missing = style.columns - DisplayWidth.columns(of: shown)
    if missing <= 0 { return shown }
    let padding = String(repeating: " ", count: missing)
    return style.isLeft ? shown + padding : padding + shown
  }

  private var shown: String {
    switch value {
    case .text(let text): text.description
    case .signed(let value): integer(value.magnitude, isNegative: value < 0)
    case .unsigned(let value): integer(value, isNegative: false)
    case .double(let value): double(value)
    case .flag(let flag): style.notation == .answer ? (flag ? "yes" : "no") : (flag ? "true" : "false")
    // os_log prints masked values in this form.
    case .hashed(let hash, _): RecordedText.hashed(hash).description
    case .redacted: RecordedText.redacted.description
    }
  }

  private func integer(_ magnitude: UInt64, isNegative: Bool) -> String {
    if style.notation == .byteCount, let bytes = Int64(exactly: magnitude) {
      return (isNegative ? "-" : style.hasSign ? "+" : "") + ByteCount(bytes).description
    }
    let (radix, prefix) =
      switch style.notation {
      case .hexadecimal: (16, style.hasPrefix ? "0x" : "")
      case .octal: (8, style.hasPrefix ? "0o" : "")
      default: (10, "")
      }
    let digits = String(magnitude, radix: radix, uppercase: style.isUppercase)
    let zeros = String(repeating: "0", count: max(0, (style.digits ?? 0) - digits.count))
    return (isNegative ? "-" : style.hasSign ? "+" : "") + prefix + zeros + digits
  }

  private func double(_ value: Double) -> String {
    let letter =
      switch style.notation {
      case .hexadecimal: "a"
      case .exponential: "e"
      case .hybrid: "g"
      default: "f"
      }
    let precision = style.digits.map { ".\($0)" } ?? ""
    let format = "%\(style.hasSign ? "+" : "")\(precision)\(style.isUppercase ? letter.uppercased() : letter)"
    // The largest number has 309 digits before its point, and the precision is at most 254.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 640) { buffer in
      let count = withVaList([value]) { vsnprintf(buffer.baseAddress, buffer.count, format, $0) }
      return String(decoding: UnsafeRawBufferPointer(buffer)[..<max(0, min(Int(count), buffer.count - 1))], as: UTF8.self)
    }
  }
}
