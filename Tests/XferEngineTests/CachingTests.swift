import Foundation
import HTTPTypes
import Synchronization
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of data tasks with a cache and a server.
struct CachingTests {
  private static func response(
    _ body: String, _ headers: ScriptHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""], status: Int = 200
  ) -> ScriptedResponse { ScriptedResponse(status: status, headers: headers, body: .text(body)) }

  private static let notModified = response("", ["ETag": "\"1\"", "Cache-Control": "max-age=60"], status: 304)

  private func text(_ bench: Bench, _ path: String = "/a", _ fields: HTTPFields = [:]) async throws -> String {
    String(decoding: try await bench.session.data(for: bench.request(path, .get, fields)).0, as: UTF8.self)
  }

  private func gets(
    _ expected: String, _ bench: Bench, _ path: String = "/a", _ fields: HTTPFields = [:],
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let got = try await text(bench, path, fields)
    #expect(got == expected, sourceLocation: place)
  }

  private func kinds(_ bench: Bench, _ kind: EventKind, _ field: String) -> [String?] {
    bench.log.all(kind).map { $0.text(field) }
  }

  // MARK: Fresh and stale

  @Test func `A fresh response is served from the cache and logged`() async throws {
    let delegate = RecordingDelegate()
    let clock = ManualClock()
    try await Bench.run([.init("/a", [Self.response("one"), Self.response("two")])], delegate: delegate, clock: clock) { bench in
      try await gets("one", bench)
      clock.advance(by: .seconds(59))
      let (data, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(String(decoding: data, as: UTF8.self) == "one")
      #expect(response.statusCode == 200)
      #expect(response.headerFields[.init("Age")!] == "59")
      #expect(response.expectedContentLength == 3)
      #expect(bench.server.requests.count == 1)
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged, 3)
      #expect(delegate.seen.data[3] == Array("one".utf8))
      #expect(delegate.seen.metrics[3]?.transactionMetrics.map(\.resourceFetchType) == [.localCache])
      #expect(delegate.seen.calls.contains("caching") == false, "a response from the cache is not offered for storing")
      #expect(bench.log.all(.attemptStarted).count == 1)
      let answered = bench.log.all(.cacheAnswered)
      #expect(answered.map { $0.text("cacheAnswer") } == ["fresh", "fresh"])
      #expect(answered[0].duration("age") == .seconds(59))
      #expect(answered[0].number("size") == 3)
      #expect(bench.log.all(.taskTransferred)[1].number("received") == 0, "no bytes were received from the server")
      #expect(kinds(bench, .cacheMissed, "cacheMiss") == ["absent"])
      #expect(bench.log.all(.cacheStored).count == 1)
    }
  }

  @Test func `A stale response is revalidated and is fresh again after a 304`() async throws {
    let clock = ManualClock()
    try await Bench.run([.init("/a", [Self.response("one"), Self.notModified])], clock: clock) { bench in
      try await gets("one", bench)
      clock.advance(by: .seconds(60))
      let (data, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(String(decoding: data, as: UTF8.self) == "one")
      #expect(response.statusCode == 200)
      #expect(bench.server.requests[1].headers["If-None-Match"] == "\"1\"")
      clock.advance(by: .seconds(59))
      try await gets("one", bench)
      #expect(bench.server.requests.count == 2)
      #expect(kinds(bench, .cacheAnswered, "cacheAnswer") == ["validated", "fresh"])
      #expect(bench.log.all(.attemptResponseReceived).map { $0.number("status") } == [200, 304])
      #expect(bench.log.all(.taskTransferred).map { $0.number("status") } == [200, 200, 200])
      #expect(kinds(bench, .attemptEnded, "end") == ["finished", "finished"])
    }
  }

  @Test func `A changed response replaces the stored one`() async throws {
    let clock = ManualClock()
    let new = Self.response("two", ["Cache-Control": "max-age=60", "ETag": "\"2\""])
    try await Bench.run([.init("/a", [Self.response("one"), new])], clock: clock) { bench in
      try await gets("one", bench)
      clock.advance(by: .seconds(60))
      try await gets("two", bench)
      try await gets("two", bench)
      #expect(bench.server.requests.count == 2)
    }
  }

  @Test func `A response with only a modification date is revalidated with If-Modified-Since`() async throws {
    let date = "Fri, 20 Nov 2020 00:00:00 GMT"
    let first = Self.response("one", ["Last-Modified": date, "Cache-Control": "no-cache"])
    let second = Self.response("", ["Last-Modified": date], status: 304)
    try await Bench.run([.init("/a", [first, second])]) { bench in
      try await gets("one", bench)
      try await gets("one", bench)
      #expect(bench.server.requests[1].headers["If-Modified-Since"] == date)
      #expect(bench.server.requests[1].headers["If-None-Match"] == nil)
    }
  }

  @Test func `A 304 response for another version causes an unconditional request`() async throws {
    let other = Self.response("", ["ETag": "\"9\""], status: 304)
    let routes = [ServerScript.Route("/a", [Self.response("one", ["ETag": "\"1\""]), other, Self.response("two")])]
    try await Bench.run(routes) { bench in
      try await gets("one", bench)
      try await gets("two", bench)
      #expect(bench.server.requests[2].headers["If-None-Match"] == nil)
      #expect(kinds(bench, .cacheRemoved, "cacheRemoval") == ["contradicted"])
      try await gets("two", bench)
      #expect(bench.server.requests.count == 3)
    }
  }

  // MARK: Responses that are not stored

  static let uncacheable: [ScriptHeaders] = [
    ["Cache-Control": "no-store, max-age=60"], ["Cache-Control": "max-age=60", "Vary": "*"],
  ]

  @Test(arguments: uncacheable)
  func `A response that must not be stored is fetched each time`(_ headers: ScriptHeaders) async throws {
    try await Bench.run([.init("/a", [Self.response("one", headers), Self.response("two", headers)])]) { bench in
      try await gets("one", bench)
      try await gets("two", bench)
      #expect(bench.log.all(.cacheStored).isEmpty)
    }
  }

  @Test func `A new response that must not be stored removes the stored one`() async throws {
    let clock = ManualClock()
    let new = Self.response("two", ["Cache-Control": "no-store"])
    try await Bench.run([.init("/a", [Self.response("one"), new])], clock: clock) { bench in
      try await gets("one", bench)
      clock.advance(by: .seconds(60))
      try await gets("two", bench)
      #expect(kinds(bench, .cacheRemoved, "cacheRemoval") == ["superseded"])
      clock.advance(by: .seconds(-60))
      try await gets("two", bench)
    }
  }

  @Test func `A body that ends with the connection is not stored`() async throws {
    let headers: ScriptHeaders = ["Cache-Control": "max-age=60"]
    let open = ScriptedResponse(headers: headers, body: "open", contentLength: .none)
    let chunked = ScriptedResponse(headers: headers, body: "chunked", chunked: .init(size: 3))
    try await Bench.run([.init("/open", open), .init("/chunked", chunked)]) { bench in
      for path in ["/open", "/open", "/chunked", "/chunked"] { try await gets(String(path.dropFirst()), bench, path) }
      #expect(bench.server.requests.map(\.target) == ["/open", "/open", "/chunked"])
    }
  }

  @Test func `A truncated or too large body is not stored`() async throws {
    let headers: ScriptHeaders = ["Cache-Control": "max-age=60"]
    let cut = ScriptedResponse(headers: headers, body: .generated(size: 1000), cut: .init(.midBody))
    let large = ScriptedResponse(headers: headers, body: .generated(size: 1 << 21))
    let chunked = ScriptedResponse(headers: headers, body: .generated(size: 1 << 21), chunked: .init())
    try await Bench.run([.init("/cut", cut), .init("/large", large), .init("/chunked", chunked)]) { bench in
      _ = await failure { _ = try await text(bench, "/cut") }
      for path in ["/large", "/chunked"] { #expect(try await bench.session.data(for: bench.request(path)).0.count == 1 << 21) }
      let task = try bench.session.dataTask(with: bench.request("/chunked"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged, 4)
      #expect(bench.log.all(.cacheStored).isEmpty)
    }
  }

  @Test func `Range requests, conditional requests, downloads and other methods bypass the cache`() async throws {
    try await Bench.run([.init("/a", Self.response("one"))]) { bench in
      try await gets("one", bench)
      try await gets("one", bench, "/a", [.range: "bytes=0-"])
      try await gets("one", bench, "/a", [.ifNoneMatch: "\"7\""])
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("file"))
      _ = try await bench.session.data(for: bench.request("/a", .options))
      #expect(bench.server.requests.count == 5)
      #expect(bench.log.all(.cacheAnswered).isEmpty)
      #expect(bench.log.all(.cacheStored).count == 1)
    }
  }

  @Test func `A session without a cache stores no responses`() async throws {
    try await Bench.run([.init("/a", [Self.response("one"), Self.response("two")])]) {
      $0.urlCache = nil
    } _: { bench in
      try await gets("one", bench)
      try await gets("two", bench)
      #expect(bench.log.all(.cacheMissed).isEmpty)
    }
  }

  @Test func `A stored GET response answers a HEAD request`() async throws {
    try await Bench.run([.init("/a", Self.response("one"))]) { bench in
      try await gets("one", bench)
      let (data, response) = try await bench.session.data(for: bench.request("/a", .head))
      #expect(data.isEmpty)
      #expect(response.headerFields[.eTag] == "\"1\"")
      #expect(bench.server.requests.count == 1)
    }
  }

  // MARK: Policies

  @Test func `A task's cache policy takes precedence over its session's`() async throws {
    let clock = ManualClock()
    try await Bench.run([.init("/a", [Self.response("one"), Self.response("two"), Self.notModified])], clock: clock) { bench in
      func gets(
        _ expected: String, by policy: TransferSession.RequestCachePolicy, at place: SourceLocation = #_sourceLocation
      ) async throws {
        let (data, _) = try await bench.session.data(for: bench.request("/a"), cachePolicy: policy)
        #expect(String(decoding: data, as: UTF8.self) == expected, sourceLocation: place)
      }
      let error = await failure { try await gets("", by: .returnCacheDataDontLoad) }
      #expect(error?.code == .resourceUnavailable)
      #expect(bench.server.requests.isEmpty)
      try await gets("one", by: .returnCacheDataElseLoad)
      clock.advance(by: .seconds(3600))
      try await gets("one", by: .returnCacheDataElseLoad)
      try await gets("one", by: .returnCacheDataDontLoad)
      try await gets("two", by: .reloadIgnoringLocalCacheData)
      #expect(bench.server.requests[1].headers["If-None-Match"] == nil)
      try await gets("two", by: .useProtocolCachePolicy)
      try await gets("two", by: .reloadRevalidatingCacheData)
      #expect(bench.server.requests[2].headers["If-None-Match"] == "\"1\"")
      #expect(bench.server.requests[2].headers["Cache-Control"] == "max-age=0")
      #expect(bench.server.requests.count == 3)
      #expect(
        kinds(bench, .cacheAnswered, "cacheAnswer") == ["ageIgnored", "ageIgnored", "fresh", "validated"])
    }
  }

  @Test func `A request with only-if-cached fails without a stored response`() async throws {
    try await Bench.run([.init("/a", Self.response("one"))]) { bench in
      let error = await failure { _ = try await text(bench, "/a", [.cacheControl: "only-if-cached"]) }
      #expect(error?.code == .resourceUnavailable)
      try await gets("one", bench)
      try await gets("one", bench, "/a", [.cacheControl: "only-if-cached"])
      #expect(bench.server.requests.count == 1)
    }
  }

  // MARK: Failing servers

  @Test func `A stored response with stale-if-error replaces a failing server's response until it expires`() async throws {
    let clock = ManualClock()
    let first = Self.response("one", ["Cache-Control": "max-age=60, stale-if-error=60", "ETag": "\"1\""])
    // Closes the connection, because libcurl retries by itself on a reused one.
    let failing = ScriptedResponse(status: 503, keepAlive: false)
    let routes = [
      ServerScript.Route("/a", [first, failing, ScriptedResponse(cut: .init(.beforeStatus, .reset)), .status(503)])
    ]
    try await Bench.run(routes, clock: clock) { bench in
      try await gets("one", bench)
      clock.advance(by: .seconds(61))
      try await gets("one", bench)
      try await gets("one", bench)
      #expect(kinds(bench, .cacheAnswered, "cacheAnswer") == ["staleIfError", "staleIfError"])
      #expect(kinds(bench, .attemptEnded, "end") == ["finished", "finished", "transport"])
      clock.advance(by: .seconds(60))
      #expect(try await bench.session.data(for: bench.request("/a")).1.statusCode == 503)
      #expect(bench.log.all(.cacheRemoved).isEmpty, "a failing response does not remove the stored one")
    }
  }

  @Test func `A failing server's response is the result without stale-if-error`() async throws {
    let clock = ManualClock()
    try await Bench.run([.init("/a", [Self.response("one"), .status(503)])], clock: clock) { bench in
      try await gets("one", bench)
      clock.advance(by: .seconds(61))
      #expect(try await bench.session.data(for: bench.request("/a")).1.statusCode == 503)
    }
  }

  // MARK: Matching requests

  @Test func `A response with Vary is served only to requests with equal fields`() async throws {
    let headers: ScriptHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
    try await Bench.run([.init("/a", [Self.response("ja", headers), Self.response("oui", headers)])]) { bench in
      try await gets("ja", bench, "/a", [.acceptLanguage: "de"])
      try await gets("ja", bench, "/a", [.acceptLanguage: "de"])
      try await gets("oui", bench, "/a", [.acceptLanguage: "fr"])
      #expect(kinds(bench, .cacheMissed, "cacheMiss") == ["absent", "otherRequest"])
    }
  }

  @Test func `A response to one user's credential is not served to other users`() async throws {
    try await Bench.run([.init("/a", [Self.response("Ann's"), Self.response("Bob's"), Self.response("nobody's")])]) { bench in
      try await gets("Ann's", bench, "/a", [.authorization: "Bearer ann"])
      try await gets("Ann's", bench, "/a", [.authorization: "Bearer ann"])
      try await gets("Bob's", bench, "/a", [.authorization: "Bearer bob"])
      try await gets("nobody's", bench)
      #expect(bench.server.requests.count == 3)
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch])
  func `A successful unsafe request invalidates the stored responses of its URLs`(_ method: HTTPRequest.Method) async throws {
    try await Bench.run([
      .init("/a", method: "GET", [Self.response("one"), Self.response("two")]),
      .init("/b", method: "GET", [Self.response("three"), Self.response("four")]),
      .init("/a", [.status(500), ScriptedResponse(status: 200, headers: ["Content-Location": "/b"])]),
    ]) { bench in
      try await gets("one", bench)
      try await gets("three", bench, "/b")
      _ = try await bench.session.upload(for: bench.request("/a", method), from: Data("x".utf8))
      // The first upload failed, so the stored response is still valid.
      try await gets("one", bench)
      _ = try await bench.session.upload(for: bench.request("/a", method), from: Data("x".utf8))
      try await gets("two", bench)
      try await gets("four", bench, "/b")
      #expect(kinds(bench, .cacheRemoved, "cacheRemoval") == ["invalidated", "invalidated"])
    }
  }

  // MARK: Delivery

  @Test func `A redirect can lead to a stored response`() async throws {
    try await Bench.run([.init("/a", .redirect(to: "/b")), .init("/b", Self.response("there"))]) { bench in
      try await gets("there", bench, "/b")
      let (data, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(String(decoding: data, as: UTF8.self) == "there")
      #expect(response.urlText == bench.server.url("/b"))
      #expect(bench.server.requests.map(\.target) == ["/b", "/a"])
    }
  }

  @Test func `A stored body is delivered at the reader's pace`() async throws {
    let size = 5 << 20
    let cache = TransferSession.ResponseCache(memoryCapacity: 200 << 20, diskCapacity: 0)
    let response = ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: .generated(size: size, seed: 4))
    let seen = Mutexed(0)
    let delegate = RecordingDelegate(data: { task in
      // Suspends and resumes the task while it receives the stored body.
      guard task.taskIdentifier == 2, seen.value == 0 else { return }
      seen.value = 1
      task.suspend()
      task.resume()
    })
    try await Bench.run([.init("/a", response)], configure: { $0.urlCache = cache }, delegate: delegate) { bench in
      for number in 1...2 {
        try bench.session.dataTask(with: bench.request("/a")).resume()
        await bench.log.wait(for: .taskAcknowledged, number)
      }
      for number in 1...2 { #expect(delegate.seen.data[number] == ScriptBody.bytes(seed: 4, size: size)) }
      #expect(delegate.seen.largestData <= 3 << 19)
      let (body, head) = try await bench.session.bytes(for: bench.request("/a"))
      #expect(head.statusCode == 200)
      var bytes: [UInt8] = []
      for try await part in body { bytes += part }
      #expect(bytes == ScriptBody.bytes(seed: 4, size: size))
      #expect(bench.server.requests.count == 1)
    }
  }

  @Test func `A task that is cancelled while it gets a stored body completes once`() async throws {
    let cache = TransferSession.ResponseCache(memoryCapacity: 200 << 20, diskCapacity: 0)
    let response = ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: .generated(size: 5 << 20))
    let delegate = RecordingDelegate(data: { if $0.taskIdentifier == 2 { $0.cancel() } })
    try await Bench.run([.init("/a", response)], configure: { $0.urlCache = cache }, delegate: delegate) { bench in
      for number in 1...2 {
        try bench.session.dataTask(with: bench.request("/a")).resume()
        await bench.log.wait(for: .taskAcknowledged, number)
      }
      #expect(delegate.seen.errors[2]??.code == .cancelled)
      #expect(delegate.seen.completions == [1: 1, 2: 1])
    }
  }

  @Test func `A stored decoded body is not served to a request for the encoded body`() async throws {
    let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAC/0tJTc5PSU1RSKESDQCvYN9gUAAAAA=="))
    let headers: ScriptHeaders = ["Cache-Control": "max-age=60", "Content-Encoding": "gzip"]
    try await Bench.run([.init("/a", ScriptedResponse(headers: headers, body: .bytes(Array(gzip))))]) { bench in
      for _ in 1...2 { try await gets(String(repeating: "decoded ", count: 10), bench) }
      #expect(bench.server.requests.count == 1)
      let (raw, _) = try await bench.session.data(for: bench.request("/a", .get, [.acceptEncoding: "gzip"]))
      #expect(raw == gzip)
      #expect(bench.server.requests.count == 2)
    }
  }

  // MARK: Delegate

  @Test func `The delegate can change or reject a response before it is stored`() async throws {
    let delegate = RecordingDelegate(caching: { proposed in
      switch proposed.response.urlText.last {
      case "1": return proposed
      case "2":
        var changed = proposed
        changed.data = Data("changed".utf8)
        changed.userInfo = ["mark": "2"]
        return changed
      case "3":
        var declined = proposed
        declined.storagePolicy = .notAllowed
        return declined
      default: return nil
      }
    })
    try await Bench.run([.init("/*", Self.response("body"))], delegate: delegate) { bench in
      for (index, path) in ["/1", "/2", "/3", "/4"].enumerated() {
        try bench.session.dataTask(with: bench.request(path)).resume()
        await bench.log.wait(for: .taskAcknowledged, index + 1)
      }
      #expect(delegate.seen.calls.count { $0 == "caching" } == 4)
      #expect(delegate.seen.calls.prefix(5) == ["response", "data", "caching", "metrics", "complete"])
      let cache = try #require(bench.session.configuration.urlCache)
      try await gets("body", bench, "/1")
      try await gets("changed", bench, "/2")
      #expect(cache.cachedResponse(for: bench.request("/2"))?.userInfo == ["mark": "2"])
      #expect(cache.cachedResponse(for: bench.request("/3")) == nil)
      #expect(cache.cachedResponse(for: bench.request("/4")) == nil)
      #expect(bench.server.requests.count == 4)
    }
  }

  @Test func `A response with the in-memory policy is not stored on disk`() async throws {
    let delegate = RecordingDelegate(caching: { proposed in
      var changed = proposed
      changed.storagePolicy = .allowedInMemoryOnly
      return changed
    })
    try await Bench.run([.init("/a", Self.response("one"))], delegate: delegate) { bench in
      try bench.session.dataTask(with: bench.request("/a")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      let cache = try #require(bench.session.configuration.urlCache)
      #expect(cache.currentDiskUsage == 0)
      #expect(cache.currentMemoryUsage > 0)
      try await gets("one", bench)
      #expect(bench.server.requests.count == 1)
    }
  }
}
