import HTTPTypes
import Testing
import XferEvents

@testable import XferEngine

/// Tests of the freshness and storage rules of RFC 9111, without a server.
struct CacheFreshnessTests {
  /// The reference time of the tests: 2026-11-21 00:00:00 UTC, in seconds since 1970.
  private static let now: Int64 = 1_795_219_200

  private func head(_ fields: HTTPFields, status: Int = 200, received: Int64 = now, requested: Int64? = nil) -> StoredHead {
    StoredHead(
      status: status, reason: "", protocolName: "http/1.1", fields: fields, requestTime: requested ?? received,
      responseTime: received, selection: [], isDecoded: false)
  }

  private func request(_ fields: HTTPFields = [:], _ method: HTTPRequest.Method = .get) -> CacheRequest {
    CacheRequest(
      method: method, key: CacheKey(urlText: "http://a/", trust: ""), fields: fields, identity: nil, cookies: nil, decodes: true)
  }

  private func verdict(
    _ response: HTTPFields, _ request: HTTPFields = [:], policy: TransferSession.RequestCachePolicy = .useProtocolCachePolicy,
    after seconds: Int64
  ) -> CacheVerdict {
    CacheVerdict(head(response), for: self.request(request), policy: policy, now: Self.now + seconds)
  }

  // MARK: Age and lifetime

  static let lifetimes: [(fields: HTTPFields, lifetime: Int64)] = [
    ([.cacheControl: "max-age=60"], 60),
    ([.cacheControl: "MAX-AGE = \"60\""], 60),
    ([.cacheControl: "max-age=60, max-age=10"], 10),
    ([.cacheControl: "max-age=-1"], 0),
    ([.cacheControl: "max-age=sixty"], 0),
    ([.cacheControl: "max-age=99999999999999999999"], 1 << 31),
    ([.cacheControl: "x=\"a, max-age=5\", max-age=60"], 60),
    ([.cacheControl: "s-maxage=500"], 0),
    ([.cacheControl: "max-age=60", .expires: "Sat, 21 Nov 2026 01:00:00 GMT"], 60),
    ([.expires: "Sat, 21 Nov 2026 01:00:00 GMT", .date: "Sat, 21 Nov 2026 00:00:00 GMT"], 3600),
    ([.expires: "Sat, 21 Nov 2026 01:00:00 GMT", .date: "Fri, 20 Nov 2026 23:00:00 GMT"], 7200),
    ([.expires: "0"], 0),
    ([.expires: "Fri, 20 Nov 2026 00:00:00 GMT"], 0),
    ([.lastModified: "Fri, 20 Nov 2026 23:50:00 GMT", .date: "Sat, 21 Nov 2026 00:00:00 GMT"], 60),
    ([.lastModified: "Thu, 21 Nov 1996 00:00:00 GMT"], 24 * 3600),
    ([.lastModified: "Sun, 22 Nov 2026 00:00:00 GMT"], 0),
    ([:], 0),
  ]

  @Test(arguments: lifetimes)
  func `A response's lifetime is the declared one or a tenth of its age`(_ fields: HTTPFields, _ lifetime: Int64) {
    #expect(Freshness(head(fields), now: Self.now).lifetime == lifetime)
  }

  @Test func `Only cacheable statuses get a heuristic lifetime`() {
    let fields: HTTPFields = [.lastModified: "Fri, 20 Nov 2026 23:50:00 GMT"]
    #expect(Freshness(head(fields, status: 404), now: Self.now).lifetime == 60)
    #expect(Freshness(head(fields, status: 500), now: Self.now).lifetime == 0)
  }

  @Test func `A response's age includes its Age and Date fields, the transfer time and the time since`() {
    let old = head([.date: "Fri, 20 Nov 2026 23:59:00 GMT", .init("Age")!: "10"], requested: Self.now - 3)
    #expect(Freshness(old, now: Self.now + 5).age == 65, "60 s by Date is more than 10 s by Age plus 3 s of transfer time")
    let told = head([.date: "Sat, 21 Nov 2026 00:00:00 GMT", .init("Age")!: "100"], requested: Self.now - 3)
    #expect(Freshness(told, now: Self.now + 5).age == 108)
    let future = head([.date: "Sun, 22 Nov 2026 00:00:00 GMT"])
    #expect(Freshness(future, now: Self.now + 5).age == 5)
  }

  @Test func `A response is not fresh after the clock was set back before its arrival`() {
    let head = head([.cacheControl: "max-age=60"])
    #expect(Freshness(head, now: Self.now + 59).isFresh)
    #expect(!Freshness(head, now: Self.now + 60).isFresh)
    #expect(!Freshness(head, now: Self.now - 1).isFresh)
  }

  // MARK: Verdicts

  private static let stored: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

  @Test(arguments: [
    ("", 59, CacheVerdict.answer(.fresh)), ("", 60, .validate(.stale)), ("no-cache", 0, .validate(.reload)),
    ("max-age=0", 1, .validate(.stale)), ("max-age=5", 5, .answer(.fresh)), ("max-age=5", 6, .validate(.stale)),
    ("min-fresh=20", 40, .answer(.fresh)), ("min-fresh=20", 41, .validate(.stale)), ("max-stale", 100_000, .answer(.stale)),
    ("max-stale=10", 70, .answer(.stale)), ("max-stale=10", 71, .validate(.stale)), ("only-if-cached", 59, .answer(.fresh)),
    ("only-if-cached", 60, .fail), ("only-if-cached, max-stale", 60, .answer(.stale)),
  ])
  func `Cache-Control in a request limits which stored responses are used`(
    _ control: String, _ seconds: Int, _ expected: CacheVerdict
  ) {
    let fields: HTTPFields = control.isEmpty ? [:] : [.cacheControl: control]
    #expect(verdict(Self.stored, fields, after: Int64(seconds)) == expected)
  }

  @Test(arguments: [
    ("max-age=60, must-revalidate", "max-stale", 60, CacheVerdict.validate(.mustValidate)),
    ("max-age=60, no-cache", "", 0, .validate(.mustValidate)),
    ("max-age=60, no-cache=\"Set-Cookie\"", "", 0, .validate(.mustValidate)),
    ("max-age=60, no-cache", "max-stale", 0, .validate(.mustValidate)),
    ("max-age=60, immutable", "max-age=0", 1, .answer(.fresh)),
    ("max-age=60, immutable", "no-cache", 1, .validate(.reload)), ("max-age=60, immutable", "max-age=0", 61, .validate(.stale)),
  ])
  func `Cache-Control in a response decides when the response must be revalidated`(
    _ control: String, _ wanted: String, _ seconds: Int, _ expected: CacheVerdict
  ) {
    let fields: HTTPFields = wanted.isEmpty ? [:] : [.cacheControl: wanted]
    #expect(verdict([.cacheControl: control, .eTag: "\"1\""], fields, after: Int64(seconds)) == expected)
  }

  @Test(arguments: [
    (TransferSession.RequestCachePolicy.useProtocolCachePolicy, CacheVerdict.answer(.fresh), CacheVerdict.validate(.stale)),
    (.reloadIgnoringLocalCacheData, .fetch(.reload), .fetch(.reload)),
    (.returnCacheDataElseLoad, .answer(.fresh), .answer(.ageIgnored)),
    (.returnCacheDataDontLoad, .answer(.fresh), .answer(.ageIgnored)),
    (.reloadRevalidatingCacheData, .validate(.reload), .validate(.reload)),
  ])
  func `A cache policy takes precedence over header fields`(
    _ policy: TransferSession.RequestCachePolicy, _ fresh: CacheVerdict, _ stale: CacheVerdict
  ) {
    #expect(verdict(Self.stored, policy: policy, after: 0) == fresh)
    #expect(verdict(Self.stored, policy: policy, after: 60) == stale)
    let nothing = CacheVerdict(nil, for: request(), policy: policy, now: Self.now)
    let missing: CacheVerdict =
      switch policy {
      case .returnCacheDataDontLoad: .fail
      case .reloadIgnoringLocalCacheData: .fetch(.reload)
      default: .fetch(.absent)
      }
    #expect(nothing == missing)
  }

  @Test func `A stale response without a validator is fetched again`() {
    #expect(verdict([.cacheControl: "max-age=60"], after: 60) == .fetch(.stale))
    #expect(verdict([.cacheControl: "max-age=60", .lastModified: "yesterday"], after: 60) == .fetch(.stale))
  }

  @Test func `stale-if-error in the response or the request permits stale responses unless revalidation is mandatory`() {
    func standsIn(_ control: String, _ wanted: String = "", after seconds: Int64) -> Bool {
      let fields: HTTPFields = wanted.isEmpty ? [:] : [.cacheControl: wanted]
      return head([.cacheControl: control]).standsIn(for: request(fields), now: Self.now + seconds)
    }
    #expect(standsIn("max-age=60, stale-if-error=30", after: 90))
    #expect(!standsIn("max-age=60, stale-if-error=30", after: 91))
    #expect(standsIn("max-age=60", "stale-if-error=30", after: 90))
    #expect(!standsIn("max-age=60", after: 60))
    #expect(!standsIn("max-age=60, stale-if-error=30, must-revalidate", after: 61))
    #expect(!standsIn("max-age=60, stale-if-error=30, no-cache", after: 61))
  }

  // MARK: Storage

  @Test(arguments: [
    (200, "", true), (200, "no-store", false), (200, "private, max-age=5", true), (404, "", true), (500, "", false),
    (500, "max-age=5", true), (302, "max-age=5", true), (206, "max-age=5", false), (401, "max-age=5", false), (100, "", false),
    (304, "max-age=5", false), (201, "", false), (201, "public", true), (412, "max-age=5", false),
  ])
  func `The status and the header fields decide whether a response may be stored`(
    _ status: Int, _ control: String, _ isKept: Bool
  ) {
    let fields: HTTPFields = control.isEmpty ? [:] : [.cacheControl: control]
    #expect(StoragePolicy.mayKeep(head(fields, status: status), of: request()) == isKept)
  }

  @Test func `The request's header fields and method decide whether its response may be stored`() {
    #expect(!StoragePolicy.mayKeep(head([:]), of: request([.cacheControl: "no-store"])))
    #expect(!StoragePolicy.mayKeep(head([:]), of: request([:], .head)))
    let redirect = head([.location: "/b", .cacheControl: "max-age=5"], status: 301)
    #expect(!StoragePolicy.mayKeep(redirect, of: request()))
  }

  @Test func `Hop-by-hop header fields and cookies are not stored`() {
    let fields: HTTPFields = [
      .connection: "X-Hop, close", .init("X-Hop")!: "1", .init("Keep-Alive")!: "1", .transferEncoding: "chunked",
      .setCookie: "a=secret", .eTag: "\"1\"", .init("X-Other")!: "2",
    ]
    #expect(StoredHead.kept(fields).map(\.name.canonicalName).sorted() == ["etag", "x-other"])
  }

  // MARK: Status 304

  @Test func `A 304 response updates the stored header fields except those that describe the body`() throws {
    let old = head([.eTag: "\"1\"", .contentLength: "5", .contentType: "text/a", .init("Age")!: "9", .cacheControl: "max-age=1"])
    let fields: HTTPFields = [
      .eTag: "W/\"1\"", .contentLength: "0", .contentType: "text/b", .cacheControl: "max-age=60", .init("X-New")!: "1",
    ]
    let new = try #require(old.freshened(by: fields, requestTime: Self.now + 100, responseTime: Self.now + 101))
    #expect(new.fields[.contentLength] == "5")
    #expect(new.fields[.contentType] == "text/a")
    #expect(new.fields[.init("X-New")!] == "1")
    #expect(new.fields[.init("Age")!] == nil)
    #expect(Freshness(new, now: Self.now + 101) == Freshness(new, now: Self.now + 101))
    #expect(Freshness(new, now: Self.now + 110).age == 10)
    #expect(Freshness(new, now: Self.now + 110).lifetime == 60)
  }

  @Test func `A 304 response for another version does not refresh the stored response`() {
    let old = head([.eTag: "\"1\"", .lastModified: "Fri, 20 Nov 2026 23:50:00 GMT"])
    #expect(old.freshened(by: [.eTag: "\"2\""], requestTime: 0, responseTime: 0) == nil)
    #expect(old.freshened(by: [.lastModified: "Fri, 20 Nov 2026 23:51:00 GMT"], requestTime: 0, responseTime: 0) == nil)
    #expect(old.freshened(by: [.lastModified: "Friday, 20-Nov-26 23:50:00 GMT"], requestTime: 0, responseTime: 0) != nil)
  }

  // MARK: Matching requests

  @Test func `A stored response matches requests with equal Vary fields and the same user`() {
    func request(_ fields: HTTPFields, identity: String? = nil, cookies: String? = nil, decodes: Bool = true) -> CacheRequest {
      CacheRequest(
        method: .get, key: CacheKey(urlText: "http://a/", trust: ""), fields: fields, identity: identity, cookies: cookies,
        decodes: decodes)
    }
    func matches(_ response: HTTPFields, _ first: CacheRequest, _ second: CacheRequest) -> Bool {
      var stored = head(response)
      guard let selection = first.selection(for: response) else { return false }
      stored.selection = selection
      return second.matches(stored)
    }
    let (german, french) = (request([.acceptLanguage: "de"]), request([.acceptLanguage: "fr"]))
    #expect(matches([:], german, french))
    #expect(matches([.vary: "Accept-Encoding, Accept-Language"], german, german))
    #expect(!matches([.vary: "Accept-Encoding, Accept-Language"], german, french))
    #expect(!matches([.vary: "Accept-Language"], german, request([:])))
    #expect(!matches([.vary: "*"], german, german))
    let (ann, bob) = (request([:], identity: "ann"), request([:], identity: "bob"))
    #expect(matches([:], ann, ann))
    #expect(!matches([:], ann, bob))
    #expect(!matches([:], ann, request([:])))
    #expect(!matches([:], request([:]), ann))
    #expect(matches([.cacheControl: "public"], ann, bob))
    #expect(!matches([.vary: "Cookie"], request([:], cookies: "a=1"), request([:], cookies: "a=2")))
    #expect(
      !matches([.contentEncoding: "gzip"], request([:]), request([:])), "an encoded body is not served to a request that decodes")
    #expect(matches([.contentEncoding: "gzip"], request([:], decodes: false), request([:], decodes: false)))
  }

  @Test func `A session that accepts any server certificate has separate cache entries for https`() {
    var anybody = TransferSession.ServerTrust()
    anybody.allowsAnyServer = true
    let key = { (trust: TransferSession.ServerTrust, scheme: String) in
      CacheKey(urlText: "\(scheme)://a/", trust: trust.partition(for: scheme))
    }
    #expect(key(anybody, "https") != key(.init(), "https"))
    #expect(key(anybody, "http") == key(.init(), "http"))
  }
}
