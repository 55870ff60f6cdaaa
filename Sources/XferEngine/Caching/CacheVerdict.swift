internal import HTTPTypes
internal import XferEvents

/// The cache's decision on how to answer a request (RFC 9111 §4).
enum CacheVerdict: Equatable {
  /// The stored response is used.
  case answer(CacheAnswer)
  /// The server is asked to validate the stored response.
  case validate(CacheMiss)
  case fetch(CacheMiss)
  /// No usable response is stored, and the server must not be asked.
  case fail

  /// - Parameters:
  ///   - stored: the stored head for the URL; `nil` when none is stored.
  ///   - now: the current time, in seconds since 1970.
  init(_ stored: StoredHead?, for request: CacheRequest, policy: TransferSession.RequestCachePolicy, now: Int64) {
    let isOffline = request.control.isOnlyIfCached || policy == .returnCacheDataDontLoad
    let verdict = Self.online(stored, request, policy, now)
    switch verdict {
    case .validate, .fetch: self = isOffline ? .fail : verdict
    case .answer, .fail: self = verdict
    }
  }

  private static func online(
    _ stored: StoredHead?, _ request: CacheRequest, _ policy: TransferSession.RequestCachePolicy, _ now: Int64
  ) -> CacheVerdict {
    if policy == .reloadIgnoringLocalCacheData { return .fetch(.reload) }
    guard let stored else { return .fetch(.absent) }
    guard request.matches(stored) else { return .fetch(.otherRequest) }
    if policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad {
      let isFresh = Freshness(stored, now: now).isFresh && !stored.control.isNoCache
      return .answer(isFresh ? .fresh : .ageIgnored)
    }
    let usable = use(stored, request, policy, now)
    guard case .fetch(let miss) = usable, request.method == .get, stored.conditions != nil else { return usable }
    return .validate(miss)
  }

  /// Decides from the age of a matching response and from the `Cache-Control` of the request and the response whether to use it.
  ///
  /// - Returns: `answer`, or `fetch` with the reason why the server has to be asked.
  private static func use(
    _ stored: StoredHead, _ request: CacheRequest, _ policy: TransferSession.RequestCachePolicy, _ now: Int64
  ) -> CacheVerdict {
    let (freshness, control, wanted) = (Freshness(stored, now: now), stored.control, request.control)
    if wanted.isNoCache { return .fetch(.reload) }
    if control.isNoCache { return .fetch(.mustValidate) }
    if policy == .reloadRevalidatingCacheData, !(control.isImmutable && freshness.isFresh) { return .fetch(.reload) }
    // A fresh immutable response needs no validation (RFC 8246 §2).
    if let limit = wanted.maxAge, freshness.age > limit, !(control.isImmutable && freshness.isFresh) { return .fetch(.stale) }
    if let least = wanted.minFresh, freshness.left < least { return .fetch(.stale) }
    if freshness.isFresh { return .answer(.fresh) }
    if control.mustRevalidate { return .fetch(.mustValidate) }
    if let most = wanted.maxStale, -freshness.left <= most { return .answer(.stale) }
    return .fetch(.stale)
  }
}

extension StoredHead {
  /// Whether `stale-if-error` of the stored response or of the request permits answering with the stored response while the
  /// server fails (RFC 5861 §4).
  func standsIn(for request: CacheRequest, now: Int64) -> Bool {
    guard request.matches(self), !control.mustRevalidate, !control.isNoCache, !request.control.isNoCache else { return false }
    let limits = [control.staleIfError, request.control.staleIfError].compactMap { $0 }
    guard let limit = limits.max() else { return false }
    return -Freshness(self, now: now).left <= limit
  }
}
