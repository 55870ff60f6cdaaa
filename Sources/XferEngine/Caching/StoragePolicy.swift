internal import HTTPTypes

/// The rules for which responses a private cache may store (RFC 9111 §3).
enum StoragePolicy {
  /// Statuses that are never stored: they concern the exchange rather than the resource, or have only part of the resource.
  private static let unstored: Set<Int> = [206, 304, 401, 407, 412, 416]

  /// Whether a response may be stored.
  ///
  /// - Parameter head: the head with the fields that would be stored.
  static func mayKeep(_ head: StoredHead, of request: CacheRequest) -> Bool {
    guard request.method == .get, !request.control.isNoStore, !head.control.isNoStore else { return false }
    guard head.status >= 200, !unstored.contains(head.status),
      !RedirectPolicy.applies(to: head.status, location: head.fields[.location])
    else { return false }
    return Freshness.heuristicStatuses.contains(head.status) || Freshness.isDeclared(head)
  }

  /// Whether the end of the body is declared, so that a lost connection cannot be mistaken for the end.
  static func declaresEnd(_ head: ResponseHead) -> Bool {
    head.isChunked || head.contentLength != nil || head.protocolName == "h2" || !head.hasBody(for: .get)
  }

  /// Whether a successful request with this method invalidates the stored response (RFC 9111 §4.4).
  static func invalidates(_ method: HTTPRequest.Method, status: Int) -> Bool {
    ![.get, .head, .options, .trace].contains(method) && 200..<400 ~= status
  }
}
