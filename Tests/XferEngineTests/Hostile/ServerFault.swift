import XferScript

/// A fault or unusual behaviour of a server, and whether a correct client can still get the resource.
///
/// The expectation is derived from the server's behaviour, never from the engine's.
struct ServerFault: Sendable {
  let name: String
  /// The server's responses, in turn. The last one repeats.
  let responses: [ScriptedResponse]
  let remedy: Remedy
  /// The complete body of a response, by turn, if it differs from the body that the script declares.
  var wholes: [Int: [UInt8]] = [:]
  /// Whether the server stops sending without closing the connection, so that only a timeout detects the fault.
  var isSilent = false

  /// The retry that is needed to get the resource.
  enum Remedy: Sendable {
    /// No retry is needed: the behaviour is allowed, or the response is the result.
    case unneeded
    /// One or more automatic or manual retries.
    case retry
    /// A manual retry: the response violates HTTP, and such errors are not retried automatically.
    case manualRetry
    /// No retry helps.
    case impossible
  }

  /// The way in which the resource is requested.
  enum RequestMode: String, CaseIterable, Sendable {
    case data, dataRetrying, download, downloadRetrying
    /// A failed download is resumed by its resume data, or restarted if it has none.
    case downloadResumedByHand
  }

  func canRecover(_ mode: RequestMode) -> Bool {
    switch remedy {
    case .unneeded: true
    case .retry: mode != .data && mode != .download
    case .manualRetry: mode == .downloadResumedByHand
    case .impossible: false
    }
  }
}

extension ServerFault {
  /// Returns all faults for one size and one position of truncation.
  ///
  /// - Parameter cut: The position, from 0 up to but excluding the size.
  static func all(size: Int, cut: Int, seed: UInt64) -> [ServerFault] {
    let make = Maker(size: size, cut: cut, seed: seed)
    return make.harmless + make.brokenOff + make.misframed + make.malformed + make.passing
      + (cut > 0 && cut < size ? make.stitching : [])
  }
}

/// A factory of faults for one size and one position of truncation.
private struct Maker {
  let size: Int
  let cut: Int
  let seed: UInt64

  private static let tag: ScriptHeaders = ["ETag": "\"1\""]

  /// Returns a correct response with one version of the resource, changed by `change`.
  private func version(
    _ number: UInt64 = 1, _ headers: ScriptHeaders = tag, size: Int? = nil, _ change: (inout ScriptedResponse) -> Void = { _ in }
  ) -> ScriptedResponse {
    var response = ScriptedResponse(
      headers: headers, body: .generated(size: size ?? self.size, seed: .value(seed &* 16 &+ number)), ranges: .honour)
    change(&response)
    return response
  }

  private func fault(_ name: String, _ remedy: ServerFault.Remedy, _ responses: [ScriptedResponse], silent: Bool = false)
    -> ServerFault
  {
    ServerFault(name: name, responses: responses, remedy: remedy, isSilent: silent)
  }

  /// Unusual but allowed behaviour.
  var harmless: [ServerFault] {
    [
      fault("none", .unneeded, [version()]), fault("chunked", .unneeded, [version { $0.chunked = .init(size: 1000) }]),
      fault("trailers", .unneeded, [version { $0.chunked = .init(trailers: ["X-Sum": "1"]) }]),
      fault("until close", .unneeded, [version { $0.contentLength = .none }]),
      fault("pieces", .unneeded, [version { $0.pieces = .init(size: max(1, size / 7)) }]),
      fault("stall", .unneeded, [version { $0.pieces = .init(size: max(1, size / 2 + 1), delay: .milliseconds(20)) }]),
      fault(
        "slow start", .unneeded, [version { $0.delay = .init(beforeStatus: .milliseconds(5), beforeBody: .milliseconds(5)) }]),
      fault("interim", .unneeded, [version { $0.informational = [103, 102, 103] }]),
      fault("closed behind", .unneeded, [version { $0.cut = .init(.afterBody, .close) }]),
      fault(
        "length twice", .unneeded, [version(1, ["ETag": "\"1\"", "Content-Length": "\(size)", "content-length": "\(size)"])]),
      fault("length and chunks", .unneeded, [version { ($0.chunked, $0.contentLength) = (.init(), .value(size)) }]),
      fault("wrong length and chunks", .unneeded, [version { ($0.chunked, $0.contentLength) = (.init(), .value(size / 2)) }]),
      fault("length twice in one field", .unneeded, [version(1, ["ETag": "\"1\"", "Content-Length": "\(size), \(size)"])]),
      fault("many fields", .unneeded, [version { $0.headerFlood = .init(count: 1000) }]),
      fault("error page", .unneeded, [version { $0.status = 404 }]),
      fault("not closed", .unneeded, [version { $0.keepAlive = true }]),
    ]
  }

  /// Responses that are truncated once, in all manners and at all positions.
  var brokenOff: [ServerFault] {
    var places: [(String, ScriptedResponse.Cut.Place)] = [("before status", .beforeStatus), ("in head", .midHeaders)]
    if size > 0 { places += [("after head", .afterHeaders)] }
    if cut < size { places += [("in body", .afterBodyBytes(cut))] }
    var once: [ServerFault] = []
    for (name, place) in places {
      for how in ScriptedResponse.Cut.Manner.allCases {
        let cut = version { $0.cut = .init(place, how) }
        once.append(fault("\(how.rawValue) \(name)", .retry, [cut, version()], silent: how == .hang))
      }
    }
    guard cut < size else { return once }
    let cutOff = ScriptedResponse.Cut(.afterBodyBytes(cut), .close)
    return once + [
      fault("close in chunks", .retry, [version { ($0.chunked, $0.cut) = (.init(size: 1000), cutOff) }, version()]),
      fault(
        "reset, no length", .retry,
        [version { ($0.contentLength, $0.cut) = (.none, .init(.afterBodyBytes(cut), .reset)) }, version()]),
      fault("close, twice", .retry, [version { $0.cut = cutOff }, version { $0.cut = .init(.afterHeaders) }, version()]),
      fault("close, always", .impossible, [version { ($0.cut, $0.ranges) = (cutOff, .ignore) }]),
      fault("close, no validator", .retry, [version(1, [:]) { $0.cut = cutOff }, version(2, [:])]),
    ]
  }

  /// Bodies that do not end where their framing says, which are handled like a lost connection.
  var misframed: [ServerFault] {
    let lengths = [("one too long", size + 1), ("far too long", size + 10_000_000)].map { name, length in
      fault("length \(name)", .retry, [version { $0.contentLength = .value(length) }, version()])
    }
    guard size > 0 else { return lengths }
    let chunks = ScriptedResponse.Chunking.Malformation.allCases.map { malformation in
      fault(
        "chunks \(malformation.rawValue)", .retry,
        [version { $0.chunked = .init(size: 1000, malformed: malformation) }, version()])
    }
    // The declared length determines the body; further bytes are not part of the message (RFC 9112 §6.3).
    var short = fault("length one too short", .unneeded, [version { $0.contentLength = .value(size - 1) }])
    short.wholes[0] = Array(ScriptBody.bytes(seed: seed &* 16 &+ 1, size: size).dropLast())
    return lengths + chunks + [short]
  }

  /// Responses with a malformed head.
  var malformed: [ServerFault] {
    let raw: [(String, String)] = [
      ("length negative", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc"),
      ("length of words", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nabc"),
      ("length beyond 64 bits", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc"),
      ("lengths differ", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
      ("lengths differ in one field", "HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\nabcd"),
      ("length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc"),
      ("length hexadecimal", "HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\nabc"), ("no HTTP", "SSH-2.0-OpenSSH_9.2p1\r\n"),
      ("no status", "HTTP/1.1 \r\n\r\n"), ("folded at once", "HTTP/1.1 200 OK\r\n folded: x\r\nContent-Length: 3\r\n\r\nabc"),
      ("unknown version", "HTTP/7.3 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
    ]
    return raw.map { name, text in fault(name, .manualRetry, [.raw(.text(text)), version()]) } + [
      fault("too many fields", .manualRetry, [version { $0.headerFlood = .init(count: 6000) }, version()]),
      fault("too large fields", .manualRetry, [version { $0.headerFlood = .init(count: 40, size: 10_000) }, version()]),
      fault("malformed, always", .impossible, [.raw(.text(raw[0].1))]),
    ]
  }

  /// Responses with a temporary error status, which are the result unless the client retries.
  var passing: [ServerFault] {
    [408, 429, 500, 502, 503, 504].map { status in
      fault(
        "\(status) once", .unneeded, [ScriptedResponse(status: status, headers: ["Retry-After": "0"], body: "later"), version()])
    }
  }

  /// Truncated downloads whose remaining bytes are requested, with various responses of the server to that request.
  var stitching: [ServerFault] {
    let first = version { $0.cut = .init(.afterBodyBytes(cut)) }
    var faults = ScriptedResponse.RangePolicy.allCases.map { policy in
      fault("rest: \(policy.rawValue)", .retry, [first, version { $0.ranges = policy }])
    }
    func rest(_ name: String, _ second: ScriptedResponse, first: ScriptedResponse = first) {
      faults.append(fault("rest: \(name)", .retry, [first, second]))
    }
    rest("changed", version(2, ["ETag": "\"2\""]))
    rest("changed, range served", version(2, ["ETag": "\"2\""]) { $0.ifRange = .ignore })
    rest("tag lost", version(2, [:]))
    rest("tag now weak, range served", version(2, ["ETag": "W/\"1\""]) { $0.ifRange = .ignore })
    rest("same tag, other size", version(2, size: size + 1) { $0.ifRange = .ignore })
    rest("same tag, smaller", version(2, size: cut) { $0.ifRange = .ignore })
    rest(
      "weak tag", version(2, ["ETag": "W/\"1\""]), first: version(1, ["ETag": "W/\"1\""]) { $0.cut = .init(.afterBodyBytes(cut)) }
    )
    let young: ScriptHeaders = ["Last-Modified": "Tue, 01 Jan 2030 00:00:00 GMT", "Date": "Tue, 01 Jan 2030 00:00:30 GMT"]
    rest("young date", version(2, young), first: version(1, young) { $0.cut = .init(.afterBodyBytes(cut)) })
    let old: ScriptHeaders = ["Last-Modified": "Tue, 01 Jan 2030 00:00:00 GMT", "Date": "Tue, 01 Jan 2030 01:00:00 GMT"]
    let newer: ScriptHeaders = ["Last-Modified": "Tue, 01 Jan 2030 00:00:01 GMT", "Date": "Tue, 01 Jan 2030 01:00:00 GMT"]
    rest("old date", version(1, old), first: version(1, old) { $0.cut = .init(.afterBodyBytes(cut)) })
    rest(
      "newer date, range served", version(2, newer) { $0.ifRange = .ignore },
      first: version(1, old) { $0.cut = .init(.afterBodyBytes(cut)) })
    faults += [
      fault("rest: 503", .retry, [first, ScriptedResponse(status: 503, body: "later"), version()]),
      fault("rest: reset", .retry, [first, version { $0.cut = .init(.afterHeaders, .reset) }, version()]),
      fault(
        "rest: wrong, then changed", .retry, [first, version { $0.ranges = .lyingStart }, version(2, ["ETag": "\"2\""])]),
      fault("rest: malformed", .manualRetry, [first, .raw(.text("HTTP/1.1 206 x\r\nContent-Length: -1\r\n\r\n")), version()]),
    ]
    return faults
  }
}
