internal import HTTPTypes

/// Whether a response may be kept (RFC 9111 §3), as a cache that only one user has.
enum StoragePolicy {
  /// Statuses that are about the exchange rather than the resource, that have only part of it, or that lead elsewhere.
  private static let passing: Set<Int> = [206, 304, 401, 407, 412, 416]

  /// - Parameter head: with the fields that are kept.
  static func mayKeep(_ head: StoredHead, of request: CacheRequest) -> Bool {
    guard request.method == .get, !request.control.isNoStore, !head.control.isNoStore else { return false }
    guard head.status >= 200, !passing.contains(head.status),
      !RedirectPolicy.applies(to: head.status, location: head.fields[.location])
    else { return false }
    return Freshness.heuristicStatuses.contains(head.status) || Freshness.isDeclared(head)
  }

  /// Whether the end of the body was told, so that a connection that breaks does not pass for it.
  static func knowsEnd(_ head: ResponseHead) -> Bool {
    head.isChunked || head.contentLength != nil || head.protocolName == "h2" || !head.hasBody(for: .get)
  }

  /// Methods after which what was stored of the resource is no longer so (RFC 9111 §4.4).
  static func invalidates(_ method: HTTPRequest.Method, status: Int) -> Bool {
    ![.get, .head, .options, .trace].contains(method) && 200..<400 ~= status
  }
}
