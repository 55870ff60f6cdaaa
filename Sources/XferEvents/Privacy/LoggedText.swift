/// What a log may have of texts from the other end: bounded, and nothing in which a server may say what it likes.
package enum LoggedText {
  package static func bounded(_ text: String, _ limit: Int = 128) -> String {
    text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
  }

  /// Names of header fields, without their values.
  package static func names(_ names: [String]) -> String { bounded(names.joined(separator: ","), 1024) }

  /// `Content-Type` without its parameters, in which a server may name the file; `nil` for what is no media type.
  package static func mediaType(_ text: String) -> String? {
    let type = text.prefix { $0 != ";" }
    let parts = type.split(separator: "/", omittingEmptySubsequences: false).map { $0.filter { $0 != " " && $0 != "\t" } }
    guard parts.count == 2, parts.allSatisfy(isToken) else { return nil }
    return bounded(parts.joined(separator: "/"))
  }

  /// Media types of an `Accept`, without their parameters; `nil` where every type is taken.
  package static func acceptedTypes(_ text: String) -> String? {
    let types = text.split(separator: ",").compactMap { mediaType(String($0))?.lowercased() }
    return types.isEmpty || types.contains("*/*") ? nil : bounded(types.joined(separator: ","), 256)
  }

  /// Content codings by their registered names; a server's own word for one may say anything.
  package static func codings(_ text: String) -> String {
    let codings = text.lowercased().split { ", \t".contains($0) }.map { known.contains(String($0)) ? String($0) : "other" }
    return bounded(codings.joined(separator: ","))
  }

  /// Whether it may be a field's name (RFC 9110 §5.6.2).
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: marks.contains(byte)
        }
      }
  }

  private static let marks: Set<UInt8> = Set("!#$%&'*+-.^_`|~".utf8)

  private static let known: Set<String> = [
    "aes128gcm", "aws-chunked", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "identity", "pack200-gzip",
    "x-compress", "x-gzip", "zstd",
  ]
}
