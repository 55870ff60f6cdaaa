internal import HTTPTypes

/// What `Cache-Control` says, of a request or of a response (RFC 9111 §5.2).
struct CacheControl: Sendable, Equatable {
  /// Arguments by lower-case name; empty where a directive has none.
  private var directives: [String: String] = [:]

  init(_ fields: HTTPFields) {
    for value in fields[values: .cacheControl] { read(value) }
    // Of a time before HTTP/1.1 (RFC 9111 §5.4).
    let pragma = fields[values: .init("Pragma")!]
    if directives.isEmpty, pragma.contains(where: { $0.lowercased().contains("no-cache") }) { directives["no-cache"] = "" }
  }

  /// Splits at commas outside of quotes.
  private mutating func read(_ text: String) {
    var piece: [UInt8] = []
    var (isQuoted, isEscaped) = (false, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ","), !isQuoted {
        add(String(decoding: piece, as: UTF8.self))
        piece = []
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() } else { piece.append(byte) }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    add(String(decoding: piece, as: UTF8.self))
  }

  private mutating func add(_ piece: String) {
    let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
      String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
    let name = parts[0].lowercased()
    guard !name.isEmpty else { return }
    let argument = parts.count > 1 ? parts[1] : ""
    // Of two times the shorter one: whoever contradicts himself is asked sooner.
    if let known = directives[name].map(Self.seconds), let new = Optional(Self.seconds(argument)), known <= new { return }
    directives[name] = argument
  }

  /// A time that cannot be read has passed.
  private static func seconds(_ text: String) -> Int64 {
    guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return 0 }
    return min(Int64(text) ?? .max, 1 << 31)
  }

  private func seconds(_ name: String) -> Int64? { directives[name].map(Self.seconds) }

  var isEmpty: Bool { directives.isEmpty }
  var isNoStore: Bool { directives["no-store"] != nil }
  /// With names of fields, too: what may not be used in part is not used at all.
  var isNoCache: Bool { directives["no-cache"] != nil }
  var isPublic: Bool { directives["public"] != nil }
  var isPrivate: Bool { directives["private"] != nil }
  var mustRevalidate: Bool { directives["must-revalidate"] != nil }
  /// RFC 8246.
  var isImmutable: Bool { directives["immutable"] != nil }
  var isOnlyIfCached: Bool { directives["only-if-cached"] != nil }
  /// Seconds, as all of these.
  var maxAge: Int64? { seconds("max-age") }
  var minFresh: Int64? { seconds("min-fresh") }
  /// Without an argument any staleness will do.
  var maxStale: Int64? { directives["max-stale"] == "" ? .max : seconds("max-stale") }
  /// RFC 5861 §4.
  var staleIfError: Int64? { seconds("stale-if-error") }
}
