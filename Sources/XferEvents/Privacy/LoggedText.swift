/// The parts of a server's texts that a log may contain. They are limited in length, and a server cannot choose their content
/// freely.
package enum LoggedText {
  package static func bounded(_ text: String, _ limit: Int = 128) -> String {
    text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
  }

  /// The names of header fields, without their values, joined by commas.
  package static func names(_ names: [String]) -> String { bounded(names.joined(separator: ","), 1024) }

  /// The media type of a `Content-Type` without its parameters, which may contain a file name; `nil` if the text is not a media
  /// type.
  package static func mediaType(_ text: String) -> String? {
    let type = text.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    let parts = type.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isTokenByte) }) else { return nil }
    return bounded(String(decoding: type, as: UTF8.self))
  }

  /// The media types of an `Accept` without their parameters; `nil` if every type is accepted.
  package static func acceptedTypes(_ text: String) -> String? {
    let types = text.split(separator: ",").compactMap { mediaType(String($0))?.lowercased() }
    return types.isEmpty || types.contains("*/*") ? nil : bounded(types.joined(separator: ","), 256)
  }

  /// The registered names of content codings. An unregistered coding becomes `other`, because a server can choose any name.
  package static func codings(_ text: String) -> String {
    let codings = text.lowercased().split { ", \t".contains($0) }.map { known.contains(String($0)) ? String($0) : "other" }
    return bounded(codings.joined(separator: ","))
  }

  /// Whether the text is a valid field name (RFC 9110 §5.6.2).
  package static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let known: Set<String> = [
    "aes128gcm", "aws-chunked", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "identity", "pack200-gzip",
    "x-compress", "x-gzip", "zstd",
  ]
}
