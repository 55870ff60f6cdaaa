internal import HTTPTypes

/// The `Cache-Control` directives of a request or a response (RFC 9111 §5.2).
struct CacheControl: Sendable, Equatable {
  /// The arguments by lower-case directive name. A directive without an argument has an empty string.
  private var directives: [String: String] = [:]

  init(_ fields: HTTPFields) {
    for value in fields[values: .cacheControl] { read(value) }
    // `Pragma: no-cache` is the HTTP/1.0 equivalent of `Cache-Control: no-cache`, and counts only without a `Cache-Control` field
    // (RFC 9111 §5.4).
    let pragma = fields[values: .init("Pragma")!]
    if directives.isEmpty, pragma.contains(where: { $0.lowercased().contains("no-cache") }) { directives["no-cache"] = "" }
  }

  /// Adds the directives of one field value, which are separated by commas outside quotes.
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
    // If a directive occurs with different times, the shorter time counts, so that the response is validated sooner.
    if let known = directives[name].map(Self.seconds), let new = Optional(Self.seconds(argument)), known <= new { return }
    directives[name] = argument
  }

  /// Parses a number of seconds. An invalid number counts as 0.
  private static func seconds(_ text: String) -> Int64 {
    guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return 0 }
    return min(Int64(text) ?? .max, 1 << 31)
  }

  private func seconds(_ name: String) -> Int64? { directives[name].map(Self.seconds) }

  var isEmpty: Bool { directives.isEmpty }
  var isNoStore: Bool { directives["no-store"] != nil }
  /// Whether the response must be validated before use. A `no-cache` with field names counts as if it had none.
  var isNoCache: Bool { directives["no-cache"] != nil }
  var isPublic: Bool { directives["public"] != nil }
  var isPrivate: Bool { directives["private"] != nil }
  var mustRevalidate: Bool { directives["must-revalidate"] != nil }
  /// Whether the response does not change while it is fresh (RFC 8246).
  var isImmutable: Bool { directives["immutable"] != nil }
  var isOnlyIfCached: Bool { directives["only-if-cached"] != nil }
  /// The value of `max-age`, in seconds. `nil` without the directive.
  var maxAge: Int64? { seconds("max-age") }
  /// The value of `min-fresh`, in seconds. `nil` without the directive.
  var minFresh: Int64? { seconds("min-fresh") }
  /// The value of `max-stale`, in seconds. `Int64.max` (unlimited) if the directive has no argument. `nil` without the directive.
  var maxStale: Int64? { directives["max-stale"] == "" ? .max : seconds("max-stale") }
  /// The value of `stale-if-error`, in seconds (RFC 5861 §4). `nil` without the directive.
  var staleIfError: Int64? { seconds("stale-if-error") }
}
