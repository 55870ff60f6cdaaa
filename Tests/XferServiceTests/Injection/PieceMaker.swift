import LogTestSupport

/// Draws the pieces of a lifecycle.
struct PieceMaker {
  var random: SeededRandom
  /// The session of transfers that either kind of session can run.
  var session = InjectedSession.background
  private var count = 0

  init(random: SeededRandom) { self.random = random }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func choose<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }
  mutating func size() -> Int { (1 << number(8...16)) + number(1...200) }

  mutating func nextName() -> String {
    count += 1
    return "t\(count)"
  }

  static let resumable = "headers: { ETag: '\"a\"' }, ranges: honour"

  /// The responses of a download that succeeds in the drawn session, one of which may be interrupted.
  mutating func success() -> String {
    let size = size() + 2000
    let body = "body: { size: \(size), seed: \(number(1...99)) }"
    switch number(0...(session.isBackground ? 5 : 4)) {
    case 0: return "{ \(body), chunked: { size: \(number(64...8192)) } }"
    case 1: return "{ \(body), delay: { beforeStatus: \(number(1...200))ms } }"
    case 2: return "{ \(body), pieces: { size: 4000, delay: 1ms } }"
    case 3, 4: return "{ \(body) }"
    default:
      return "[{ \(Self.resumable), \(body), cut: { afterBodyBytes: \(size / 2) } }, { \(Self.resumable), \(body) }]"
    }
  }

  // MARK: Correct transfers

  /// A transfer without a fault of the app, although the server may refuse or interrupt it.
  mutating func correct(delayed milliseconds: Int? = nil) -> InjectedPiece {
    var piece = InjectedPiece(nil)
    let name = nextName()
    // A delay keeps the result until the app has exited.
    let delay = milliseconds.map { ", delay: { beforeStatus: \($0)ms }" } ?? ""
    let body = "body: { size: \(size()), seed: \(number(1...99)) }"
    switch number(0...(milliseconds == nil ? 16 : 8)) {
    case 0, 1: piece.download(name, session, "{ \(body)\(delay) }")
    case 2: piece.download(name, session, "{ \(body), chunked: { size: \(number(64...8192)) }\(delay) }")
    case 3: piece.download(name, session, "{ \(body), contentLength: none, keepAlive: false\(delay) }")
    case 4:
      piece.download(name, session, "{ status: \(choose([400, 403, 404, 410, 500])), body: { text: no }\(delay) }")
    case 5: uploadCorrectly(&piece, name, delay)
    case 6:
      piece.route("/\(name)", "{ redirect: { to: /there/\(name), status: \(choose([301, 302, 307])) }\(delay) }")
      piece.download(name, session, nil)
      piece.route("/there/\(name)", "{ \(body) }")
    case 7:
      let size = size() + 20_000
      let body = "\(Self.resumable), body: { size: \(size), seed: 5 }\(delay)"
      let how = choose(["reset", "close"])
      piece.download(
        name, session, "[{ \(body), cut: { afterBodyBytes: \(size / 2), how: \(how) } }, { \(body) }]")
    case 8: piece.download(name, session, "{ status: 404 \(delay) }", options: ", intent: \(name)-key")
    case 9: piece.download(name, session, "{ \(body), delay: { beforeStatus: \(number(1...200))ms } }")
    case 10: piece.download(name, session, "{ \(body), pieces: { size: 4000, delay: 1ms } }")
    case 11: piece.data(name, .work, "{ \(body) }")
    case 12: piece.data(name, .work, "{ headers: { ETag: x } }", options: ", method: HEAD")
    case 13: cancelCorrectly(&piece, name)
    case 14:
      // No server listens, no host has the name, or the server does not speak TLS.
      let url = choose(["http://127.0.0.1:1/\(name)", "http://no-such-host.invalid/\(name)", "https://127.0.0.1:$PORT/\(name)"])
      piece.download(name, .own("never-\(name)", "retries: 0"), nil, url: url)
    case 15: piece.download(name, .work, "{ \(body) }", options: ", priority: 0.9, metadata: { key: value }")
    default:
      piece.data(
        name, .work, "[{ status: 401, headers: { WWW-Authenticate: 'Basic realm=\"x\"' } }, { \(body) }]")
      piece.react("challenge", name, "{ answer: { user: me, password: secret } }")
    }
    return piece
  }

  private mutating func uploadCorrectly(_ piece: inout InjectedPiece, _ name: String, _ delay: String) {
    let isTemporary = Bool.random(using: &random)
    piece.upload(
      name, session, "{ status: \(choose([200, 201, 201, 404]))\(delay) }", size: size(),
      options: isTemporary ? ", temporary: true" : "", method: choose(["PUT", "POST"]))
    if isTemporary {
      piece.react("completed", name, "{ outcome: auto }", "{ delete: { path: $FILES/\(name).source, record: true } }")
    }
  }

  private mutating func cancelCorrectly(_ piece: inout InjectedPiece, _ name: String) {
    piece.download(name, session, "{ body: { size: 100, seed: 1 }, hang: before-status }")
    piece.creation.append("{ cancel: \(name), after: \(number(1...150))ms }")
  }
}
