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
  /// The cookies of the sessions that share it, in memory: libcurl's engine, with the public suffix list where that was built in.
  // @unchecked Sendable: libcurl takes the share's own locks wherever it uses it, and the handle that looks into it is used under
  // `looking` alone. Both pointers are constant.
  public final class CookieStorage: @unchecked Sendable {
    /// That of all default sessions.
    public static let shared = CookieStorage()

    private let share: OpaquePointer
    private let easy: UnsafeMutableRawPointer
    private let looking = Mutex(())

    public init() {
      guard let share = cc_share_create(), let easy = curl_easy_init() else { preconditionFailure("libcurl has no memory") }
      self.share = share
      self.easy = easy
      cc_set_pointer(easy, CURLOPT_SHARE, cc_share_handle(share))
    }

    deinit {
      curl_easy_cleanup(easy)
      cc_share_destroy(share)
    }

    /// What a handle is given to send and take these cookies.
    var handle: UnsafeMutableRawPointer { cc_share_handle(share) }

    /// In libcurl's order; those that have expired are gone.
    public var cookies: [Cookie] {
      let now = Int64(time(nil))
      // libcurl keeps those that have expired until it looks for one to send.
      return looking.withLock { _ in CookieList.cookies(of: easy) }.filter { $0.expires.map { $0 > now } ?? true }
    }

    /// Adds a cookie, or replaces the one of the same name, domain and path; one with control characters is left out.
    public func setCookie(_ cookie: Cookie) { if cookie.isWritable { tell(cookie.netscapeLine) } }

    /// Adds a cookie as a server sets it: the line of a `Set-Cookie` field, its name included.
    public func setCookie(headerLine line: String) {
      if line.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) { tell(line) }
    }

    public func removeCookies() { tell("ALL") }

    /// Those that end with the session.
    public func removeSessionCookies() { tell("SESS") }

    private func tell(_ text: String) { looking.withLock { _ in _ = cc_set_string(easy, CURLOPT_COOKIELIST, text) } }
  }
}

/// How one request has to do with the session's cookies.
enum CookieUse {
  case none
  /// It sends those of the storage and adds what the server sets.
  case shared(TransferSession.CookieStorage)
  /// It sends none of them: what the server sets is added when it is over.
  case taken(TransferSession.CookieStorage)
  /// It sends these, and what the server sets is gone with it.
  case sent([TransferSession.Cookie])

  init(_ configuration: TransferSession.Configuration, _ plan: RequestPlan) {
    // A field of the request's own comes before the storage; libcurl would send both.
    let sends = configuration.httpShouldSetCookies && !plan.fields.contains(.cookie)
    switch (configuration.httpCookieStorage, configuration.httpCookieAcceptPolicy) {
    case (nil, _): self = .none
    case (let storage?, .always): self = sends ? .shared(storage) : .taken(storage)
    case (let storage?, .never): self = sends ? .sent(storage.cookies.filter { $0.matches(plan.url) }) : .none
    }
  }

  /// Those that a request for the URL carries, as far as can be told.
  func cookies(for url: URLFacts) -> [TransferSession.Cookie] {
    switch self {
    case .none, .taken: []
    case .shared(let storage): storage.cookies.filter { $0.matches(url) }
    case .sent(let cookies): cookies
    }
  }

  func isSent(to url: URLFacts) -> Bool { !cookies(for: url).isEmpty }
}

extension EasyHandle {
  /// Sends and takes cookies, as far as the request does. A handle keeps what it had from use to use.
  func prepareCookies(_ use: CookieUse) {
    if case .shared(let storage) = use {
      set(CURLOPT_SHARE, storage.handle)
      // No file: only this begins to keep them.
      return set(CURLOPT_COOKIEFILE, "")
    }
    cc_set_pointer(pointer, CURLOPT_SHARE, nil)
    switch use {
    case .none, .shared: break
    case .taken:
      set(CURLOPT_COOKIEFILE, "")
      set(CURLOPT_COOKIELIST, "ALL")
    case .sent(let cookies):
      set(CURLOPT_COOKIEFILE, "")
      set(CURLOPT_COOKIELIST, "ALL")
      for cookie in cookies { set(CURLOPT_COOKIELIST, cookie.netscapeLine) }
    }
  }

  /// Adds what the server has set, once the request is over.
  func keepCookies(_ use: CookieUse) {
    guard case .taken(let storage) = use else { return }
    for cookie in CookieList.cookies(of: pointer) { storage.setCookie(cookie) }
  }
}

enum CookieList {
  /// Those that a handle has.
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
