import XferScript

/// One thing that a server does wrong, or oddly, and what a correct client can make of it.
///
/// What can be made of it is decided here, from what the server does, never from what the engine did.
struct HostileKnob: Sendable {
  let name: String
  /// What follows after it, in turn; the last for ever.
  let responses: [ScriptedResponse]
  let remedy: Remedy
  /// What the client has when it takes the response of a turn for whole; `nil` where that is the response's entity.
  var wholes: [Int: [UInt8]] = [:]
  /// Whether the silence of the other end is what the client has to notice.
  var isSilent = false

  /// Who gets the resource in spite of it.
  enum Remedy: Sendable {
    /// Everybody: this is no fault, or an answer that is the result.
    case everybody
    /// Who tries again, once or more; of itself or by hand.
    case tryingAgain
    /// Who is sent to try again by somebody: the server breaks HTTP, which does not pass by itself.
    case askingAgain
    /// Nobody.
    case nobody
  }

  /// How the resource is asked for.
  enum Asking: String, CaseIterable, Sendable {
    case data, dataRetrying, download, downloadRetrying
    /// A download that failed is gone on with by its resume data, or begun once more.
    case downloadResumedByHand
  }

  func canRecover(_ asking: Asking) -> Bool {
    switch remedy {
    case .everybody: true
    case .tryingAgain: asking != .data && asking != .download
    case .askingAgain: asking == .downloadResumedByHand
    case .nobody: false
    }
  }
}

extension HostileKnob {
  /// All of them, for one size and one place to cut.
  ///
  /// - Parameter cut: from 0 up to the size.
  static func all(size: Int, cut: Int, seed: UInt64) -> [HostileKnob] {
    let make = Maker(size: size, cut: cut, seed: seed)
    return make.harmless + make.brokenOff + make.misframed + make.malformed + make.passing
      + (cut > 0 && cut < size ? make.stitching : [])
  }
}

/// Makes the responses for one size and one place.
private struct Maker {
  let size: Int
  let cut: Int
  let seed: UInt64

  private static let tag: ScriptHeaders = ["ETag": "\"1\""]

  /// A version of the resource, as an honest server sends it.
  private func version(
    _ number: UInt64 = 1, _ headers: ScriptHeaders = tag, size: Int? = nil, _ change: (inout ScriptedResponse) -> Void = { _ in }
  ) -> ScriptedResponse {
    var response = ScriptedResponse(
      headers: headers, body: .generated(size: size ?? self.size, seed: .value(seed &* 16 &+ number)), ranges: .honour)
    change(&response)
    return response
  }

  private func knob(_ name: String, _ remedy: HostileKnob.Remedy, _ responses: [ScriptedResponse], silent: Bool = false)
    -> HostileKnob
  {
    HostileKnob(name: name, responses: responses, remedy: remedy, isSilent: silent)
  }

  /// Odd, but allowed.
  var harmless: [HostileKnob] {
    [
      knob("none", .everybody, [version()]), knob("chunked", .everybody, [version { $0.chunked = .init(size: 1000) }]),
      knob("trailers", .everybody, [version { $0.chunked = .init(trailers: ["X-Sum": "1"]) }]),
      knob("until close", .everybody, [version { $0.contentLength = .none }]),
      knob("pieces", .everybody, [version { $0.pieces = .init(size: max(1, size / 7)) }]),
      knob("stall", .everybody, [version { $0.pieces = .init(size: max(1, size / 2 + 1), delay: .milliseconds(20)) }]),
      knob(
        "slow start", .everybody, [version { $0.delay = .init(beforeStatus: .milliseconds(5), beforeBody: .milliseconds(5)) }]),
      knob("interim", .everybody, [version { $0.informational = [103, 102, 103] }]),
      knob("closed behind", .everybody, [version { $0.cut = .init(.afterBody, .close) }]),
      knob(
        "length twice", .everybody, [version(1, ["ETag": "\"1\"", "Content-Length": "\(size)", "content-length": "\(size)"])]),
      knob("length and chunks", .everybody, [version { ($0.chunked, $0.contentLength) = (.init(), .value(size)) }]),
      knob("wrong length and chunks", .everybody, [version { ($0.chunked, $0.contentLength) = (.init(), .value(size / 2)) }]),
      knob("length twice in one field", .everybody, [version(1, ["ETag": "\"1\"", "Content-Length": "\(size), \(size)"])]),
      knob("many fields", .everybody, [version { $0.headerFlood = .init(count: 1000) }]),
      knob("error page", .everybody, [version { $0.status = 404 }]),
      knob("not closed", .everybody, [version { $0.keepAlive = true }]),
    ]
  }

  /// Broken off once, in every way and place.
  var brokenOff: [HostileKnob] {
    var places: [(String, ScriptedResponse.Cut.Place)] = [("before status", .beforeStatus), ("in head", .midHeaders)]
    if size > 0 { places += [("after head", .afterHeaders)] }
    if cut < size { places += [("in body", .afterBodyBytes(cut))] }
    var once: [HostileKnob] = []
    for (name, place) in places {
      for how in ScriptedResponse.Cut.Manner.allCases {
        let cut = version { $0.cut = .init(place, how) }
        once.append(knob("\(how.rawValue) \(name)", .tryingAgain, [cut, version()], silent: how == .hang))
      }
    }
    guard cut < size else { return once }
    let cutOff = ScriptedResponse.Cut(.afterBodyBytes(cut), .close)
    return once + [
      knob("close in chunks", .tryingAgain, [version { ($0.chunked, $0.cut) = (.init(size: 1000), cutOff) }, version()]),
      knob(
        "reset, no length", .tryingAgain,
        [version { ($0.contentLength, $0.cut) = (.none, .init(.afterBodyBytes(cut), .reset)) }, version()]),
      knob("close, twice", .tryingAgain, [version { $0.cut = cutOff }, version { $0.cut = .init(.afterHeaders) }, version()]),
      knob("close, always", .nobody, [version { ($0.cut, $0.ranges) = (cutOff, .ignore) }]),
      knob("close, no validator", .tryingAgain, [version(1, [:]) { $0.cut = cutOff }, version(2, [:])]),
    ]
  }

  /// The body does not end where its framing says: as good as a lost connection.
  var misframed: [HostileKnob] {
    let lengths = [("one too long", size + 1), ("far too long", size + 10_000_000)].map { name, length in
      knob("length \(name)", .tryingAgain, [version { $0.contentLength = .value(length) }, version()])
    }
    guard size > 0 else { return lengths }
    let chunks = ScriptedResponse.Chunking.Malformation.allCases.map { malformation in
      knob(
        "chunks \(malformation.rawValue)", .tryingAgain,
        [version { $0.chunked = .init(size: 1000, malformed: malformation) }, version()])
    }
    // The declared length is the message's; what comes behind it is not of it (RFC 9112 §6.3).
    var short = knob("length one too short", .everybody, [version { $0.contentLength = .value(size - 1) }])
    short.wholes[0] = Array(ScriptBody.bytes(seed: seed &* 16 &+ 1, size: size).dropLast())
    return lengths + chunks + [short]
  }

  /// A head that is none.
  var malformed: [HostileKnob] {
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
    return raw.map { name, text in knob(name, .askingAgain, [.raw(.text(text)), version()]) } + [
      knob("too many fields", .askingAgain, [version { $0.headerFlood = .init(count: 6000) }, version()]),
      knob("too large fields", .askingAgain, [version { $0.headerFlood = .init(count: 40, size: 10_000) }, version()]),
      knob("malformed, always", .nobody, [.raw(.text(raw[0].1))]),
    ]
  }

  /// Answers that say themselves that they pass. Who does not try again has them as the result.
  var passing: [HostileKnob] {
    [408, 429, 500, 502, 503, 504].map { status in
      knob(
        "\(status) once", .everybody, [ScriptedResponse(status: status, headers: ["Retry-After": "0"], body: "later"), version()])
    }
  }

  /// The rest of a download that broke off is asked for, and the server does something with that.
  var stitching: [HostileKnob] {
    let first = version { $0.cut = .init(.afterBodyBytes(cut)) }
    var knobs = ScriptedResponse.RangePolicy.allCases.map { policy in
      knob("rest: \(policy.rawValue)", .tryingAgain, [first, version { $0.ranges = policy }])
    }
    func rest(_ name: String, _ second: ScriptedResponse, first: ScriptedResponse = first) {
      knobs.append(knob("rest: \(name)", .tryingAgain, [first, second]))
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
    knobs += [
      knob("rest: 503", .tryingAgain, [first, ScriptedResponse(status: 503, body: "later"), version()]),
      knob("rest: reset", .tryingAgain, [first, version { $0.cut = .init(.afterHeaders, .reset) }, version()]),
      knob(
        "rest: wrong, then changed", .tryingAgain, [first, version { $0.ranges = .lyingStart }, version(2, ["ETag": "\"2\""])]),
      knob("rest: malformed", .askingAgain, [first, .raw(.text("HTTP/1.1 206 x\r\nContent-Length: -1\r\n\r\n")), version()]),
    ]
    return knobs
  }
}
