internal import CCurl
internal import CCurlShims
internal import HTTPTypes
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension TransferSession {
  /// An in-memory cookie storage that several sessions can share.
  ///
  /// Uses libcurl's cookie engine, with the public suffix list if libcurl was built with it.
  // @unchecked Sendable: libcurl locks the share on each use, and `easy` is used only while `access` is locked. Both pointers
  // are constant.
  public final class CookieStorage: @unchecked Sendable {
    /// The cookie storage of all default sessions.
    public static let shared = CookieStorage()

    private let share: OpaquePointer
    private let easy: UnsafeMutableRawPointer
    private let access = Mutex(())

    public init() {
      guard let share = cc_share_create(), let easy = curl_easy_init() else { preconditionFailure("libcurl is out of memory") }
      self.share = share
      self.easy = easy
      cc_set_pointer(easy, CURLOPT_SHARE, cc_share_handle(share))
    }

    deinit {
      curl_easy_cleanup(easy)
      cc_share_destroy(share)
    }

    /// The value of `CURLOPT_SHARE` for a handle that sends and stores these cookies.
    var handle: UnsafeMutableRawPointer { cc_share_handle(share) }

    /// All cookies that have not expired, in libcurl's order.
    public var cookies: [Cookie] {
      let now = Int64(time(nil))
      // libcurl keeps an expired cookie until it searches for a cookie to send, so expired cookies are left out here.
      return access.withLock { _ in CookieList.cookies(of: easy) }.filter { $0.expires.map { $0 > now } ?? true }
    }

    /// Adds a cookie, or replaces the cookie with the same name, domain and path. Ignores a cookie with control characters.
    public func setCookie(_ cookie: Cookie) { if cookie.isWritable { tell(cookie.netscapeLine) } }

    /// Adds a cookie from a complete `Set-Cookie` header line, including the field's name. Ignores a line with control
    /// characters.
    public func setCookie(headerLine line: String) {
      if line.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) { tell(line) }
    }

    public func removeCookies() { tell("ALL") }

    /// Removes all cookies without an expiry time.
    public func removeSessionCookies() { tell("SESS") }

    /// Passes a cookie or a command such as `ALL`, which removes all cookies, to libcurl's cookie engine.
    private func tell(_ text: String) { access.withLock { _ in _ = cc_set_string(easy, CURLOPT_COOKIELIST, text) } }
  }
}

/// The way in which one request uses the session's cookies.
enum CookieUse {
  case none
  /// Sends the stored cookies and stores received cookies.
  case shared(TransferSession.CookieStorage)
  /// Sends no stored cookies, but stores received cookies when the request ends.
  case storedOnly(TransferSession.CookieStorage)
  /// Sends these cookies and discards received cookies.
  case sentOnly([TransferSession.Cookie])

  init(_ configuration: TransferSession.Configuration, _ plan: RequestPlan) {
    // A `Cookie` field in the request takes precedence over the storage: stored cookies are not sent then, because libcurl would
    // send both.
    let sends = configuration.httpShouldSetCookies && !plan.fields.contains(.cookie)
    switch (configuration.httpCookieStorage, configuration.httpCookieAcceptPolicy) {
    case (nil, _): self = .none
    case (let storage?, .always): self = sends ? .shared(storage) : .storedOnly(storage)
    case (let storage?, .never): self = sends ? .sentOnly(storage.cookies.filter { $0.matches(plan.url) }) : .none
    }
  }

  /// Returns the cookies that a request for the URL carries, judged by the URL's host, path and scheme.
  func cookies(for url: URLFacts) -> [TransferSession.Cookie] {
    switch self {
    case .none, .storedOnly: []
    case .shared(let storage): storage.cookies.filter { $0.matches(url) }
    case .sentOnly(let cookies): cookies
    }
  }

  func isSent(to url: URLFacts) -> Bool { !cookies(for: url).isEmpty }
}

extension EasyHandle {
  /// Configures the handle's cookies for one request.
  ///
  /// A reused handle keeps the cookies of its previous request, so `storedOnly` and `sentOnly` clear them first.
  func prepareCookies(_ use: CookieUse) {
    if case .shared(let storage) = use {
      set(CURLOPT_SHARE, storage.handle)
      // The empty file name enables libcurl's cookie engine without reading a file.
      return set(CURLOPT_COOKIEFILE, "")
    }
    cc_set_pointer(pointer, CURLOPT_SHARE, nil)
    switch use {
    case .none, .shared: break
    case .storedOnly:
      set(CURLOPT_COOKIEFILE, "")
      set(CURLOPT_COOKIELIST, "ALL")
    case .sentOnly(let cookies):
      set(CURLOPT_COOKIEFILE, "")
      set(CURLOPT_COOKIELIST, "ALL")
      for cookie in cookies { set(CURLOPT_COOKIELIST, cookie.netscapeLine) }
    }
  }

  /// Copies the cookies that the server has set to the storage. Called when the request has ended.
  func keepCookies(_ use: CookieUse) {
    guard case .storedOnly(let storage) = use else { return }
    for cookie in CookieList.cookies(of: pointer) { storage.setCookie(cookie) }
  }
}

enum CookieList {
  /// Returns all cookies of a handle.
  static func cookies(of easy: UnsafeMutableRawPointer) -> [TransferSession.Cookie] {
    var list: UnsafeMutablePointer<curl_slist>?
    guard cc_get_list(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
    defer { curl_slist_free_all(list) }
    var cookies: [TransferSession.Cookie] = []
    var next = list
    while let item = next {
      if let cookie = TransferSession.Cookie(netscapeLine: String(cString: item.pointee.data)) { cookies.append(cookie) }
      next = item.pointee.next
    }
    return cookies
  }
}
