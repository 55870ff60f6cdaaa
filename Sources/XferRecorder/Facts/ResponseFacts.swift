internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The loggable parts of a response's header.
struct ResponseFacts: Sendable {
  /// The HTTP status. `nil` when the response is not HTTP.
  var status: Int?
  /// The declared length of the body, in bytes. `nil` when it is not declared.
  var expected: Int64?
  var contentType: String?
  /// The content codings. `nil` when there are none other than `identity`.
  var contentEncoding: String?
  var isChunked = false
  var etag: String?
  var lastModified: String?
  var rangeStart: Int64?
  var rangeTotal: Int64?
  var acceptsRanges: Bool?
  var retryAfter: Duration?
  /// The names of the header fields, separated by commas. `nil` when the response is not HTTP.
  var headers: String?
  var host: String?
  var uploadOffset: Int64?

  init(_ response: URLResponse) {
    expected = response.expectedContentLength.known
    host = response.url.map(URLFacts.init)?.host
    guard let response = response as? HTTPURLResponse else {
      contentType = response.mimeType.flatMap { LoggedText.mediaType($0) }
      return
    }
    let field = { response.value(forHTTPHeaderField: $0) }
    status = response.statusCode
    contentType = field("Content-Type").flatMap { LoggedText.mediaType($0) }
    contentEncoding = field("Content-Encoding").flatMap {
      ["", "identity"].contains($0.lowercased()) ? nil : LoggedText.codings($0)
    }
    isChunked = field("Transfer-Encoding")?.lowercased().contains("chunked") ?? false
    etag = field("ETag").map { LoggedText.bounded($0) }
    lastModified = field("Last-Modified").map { LoggedText.bounded($0) }
    (rangeStart, rangeTotal) = Self.range(field("Content-Range"))
    acceptsRanges = field("Accept-Ranges").map { $0.lowercased() == "bytes" }
    retryAfter = field("Retry-After").flatMap { Int64($0) }.flatMap { 0...86_400_000 ~= $0 ? .seconds($0) : nil }
    uploadOffset = field("Upload-Offset").flatMap { Int64($0) }
    headers = LoggedText.names(response.allHeaderFields.keys.compactMap { $0 as? String }.loggedNames)
    if isChunked || status == 204 || status == 304 { expected = nil }
  }

  /// Returns the first byte position and the full length from a `Content-Range` field. Either is `nil` when unknown.
  private static func range(_ text: String?) -> (start: Int64?, total: Int64?) {
    guard let text, text.lowercased().hasPrefix("bytes ") else { return (nil, nil) }
    let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
    return (parts.first.flatMap { Int64($0.prefix { $0 != "-" }) }, parts.count > 1 ? Int64(parts[1]) : nil)
  }
}
