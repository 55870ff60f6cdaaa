import LogTestSupport

// Faults of the server, and the same requests to a correct server.
extension PieceMaker {
  mutating func ofServer(_ cause: InjectedCause, isCaused: Bool) -> InjectedPiece? {
    var piece = InjectedPiece(isCaused ? cause : nil)
    let name = nextName()
    let second = name + "b"
    let size = size() + 2000
    let body = "body: { size: \(size), seed: \(number(1...99)) }"
    switch cause {
    case .emptyAnswerKept:
      let empty = choose(["{ status: 200, body: { size: 0, seed: 1 } }", "{ contentLength: none, keepAlive: false }"])
      piece.download(
        name, .own("once-\(name)", "retries: 1"),
        "[{ \(body), cut: { afterBodyBytes: \(choose([0, size / 2])), how: reset } }, \(isCaused ? empty : "{ \(body) }")]")
      piece.react("completed", name, "{ outcome: success }")
    case .shortBodyKept:
      piece.download(
        name, .own("never-\(name)", "retries: 0"), "{ \(body), cut: { afterBodyBytes: \(number(1...size - 1)) } }")
      piece.react("completed", name, "{ outcome: \(isCaused ? "success" : "auto") }")
    case .portalPageKept:
      let type = isCaused ? "text/html" : "application/json"
      piece.data(
        name, .work, "{ headers: { Content-Type: \(type) }, body: { text: \"<html>Welcome</html>\" } }",
        options: ", headers: { Accept: application/json }")
      piece.react("completed", name, "{ outcome: success }")
    case .redirectCircle:
      let length = number(1...3)
      for place in 0..<length {
        let isEnd = place == length - 1 && !isCaused
        piece.route("/\(name)/\(place)", "{ redirect: { to: /\(name)/\(isEnd ? "end" : "\((place + 1) % length)") } }")
      }
      piece.route("/\(name)/end", "{ \(body) }")
      piece.data(name, .work, nil, path: "/\(name)/0")
    case .credentialsNeededAfterRedirect:
      piece.route("/\(name)/{port}", "{ redirect: { to: \"http://localhost:{port}/\(name)-store\" } }")
      piece.route("/\(name)-store", "{ status: \(isCaused ? choose([401, 403]) : 200) }")
      piece.data(name, .work, nil, options: ", headers: { Authorization: Bearer abc }", url: "$SERVER/\(name)/$PORT")
    case .orderSentTwice:
      let key = isCaused ? "" : ", Idempotency-Key: \(name)"
      piece.use(.own("unsafe-\(name)", "retries: 1, retries-unsafe: true"))
      piece.route("/\(name)", "[{ cut: { at: before-status } }, { status: 201 }]")
      piece.tasks = [name]
      piece.creation = [
        """
        { upload: { url: $SERVER/\(name), session: unsafe-\(name), as: \(name), method: POST, body: { size: \(size), seed: 1 }, \
        headers: { Content-Type: application/octet-stream\(key) } } }
        """
      ]
      piece.react("completed", name, "{ outcome: auto }")
    case .rangeRefusedAgain:
      let answer = "headers: { ETag: '\"a\"' }, body: { size: 300000, seed: 1 }, cut: { afterBodyBytes: \(number(100...250))kB }"
      piece.download(
        name, .own("ranges-\(name)", "retries: 4, retry-delay: 10ms"), "{ \(answer), ranges: \(isCaused ? "\"416\"" : "honour") }"
      )
    case .resourceChanged:
      let first =
        "{ \(Self.resumable), body: { size: 600000, seed: 1 }, rate: 3MiB/s, cut: { afterBodyBytes: 400kB, how: reset } }"
      let tag = isCaused ? "b" : "a"
      piece.download(
        name, .own("changes-\(name)", "retries: 2"),
        "[\(first), { headers: { ETag: '\"\(tag)\"' }, body: { size: 600000, seed: \(isCaused ? 2 : 1) }, ranges: honour }]")
    case .partSentAsWhole:
      let range = "headers: { Content-Range: bytes \(10_000 - size % 9000)-9999/10000 }, "
      piece.download(name, session, "{ \(isCaused ? range : "")body: { size: \(size % 9000), seed: 1 } }")
    case .answerCut:
      piece.upload(
        name, .own("stored-\(name)", "retries: \(isCaused ? 1 : 0)"),
        "[{ status: 201, \(body), cut: { afterBodyBytes: \(size / 2) } }, { status: 201, \(body) }]", size: size,
        options: ", handler: true")
      // The completion handler is not told of which task it is. No other task has one.
      piece.react(
        "handler", nil, "{ append: { path: $FILES/told, text: \"\(name) $STATUS $ERROR\\n\" } }",
        "{ write: { path: $FILES/told-\(name), text: x } }", "default")
    case .uploadExpired, .offsetConflict: continueUpload(&piece, cause, name, second)
    case .tooSlow:
      let hang = isCaused ? ", hang: \(choose(["before-status", "mid-body"]))" : ""
      piece.download(
        name, session, "{ \(body)\(hang) }", options: ", resource-timeout: \(isCaused ? "\(number(300...900))ms" : "60s")")
    case .waitedInQueue:
      let session = InjectedSession.own(
        "queue-\(name)", "connections-per-host: 1, timeout-origin: \(isCaused ? "resume" : "connection")")
      piece.download(
        name, session, "{ \(body), delay: { beforeBody: 2200ms } }", options: ", request-timeout: 30s")
      piece.download(second, session, "{ \(body) }", options: ", request-timeout: 1s")
    case .progressFell:
      let tag = isCaused ? "" : "headers: { ETag: '\"a\"' }, ranges: honour, "
      let body = "body: { size: 1500000, seed: 1 }"
      piece.download(
        name, .background,
        "[{ \(tag)\(body), rate: 1MiB/s, cut: { afterBodyBytes: \(number(900...1200))kB, how: reset } }, { \(tag)\(body), rate: 2MiB/s }]"
      )
    default: return nil
    }
    return piece
  }

  private mutating func continueUpload(
    _ piece: inout InjectedPiece, _ cause: InjectedCause, _ name: String, _ second: String
  ) {
    let isExpired = cause == .uploadExpired
    let (start, end) = (number(1...500), 1000)
    let isCaused = piece.cause != nil
    func part(_ task: String, from offset: Int) -> String {
      """
      { upload: { url: $SERVER/\(name), session: work, as: \(task), method: PATCH, file: $FILES/\(name).source, \
      headers: { Upload-Offset: "\(offset)", Tus-Resumable: 1.0.0 } } }
      """
    }
    func answer(_ status: Int, _ offset: Int, _ more: String = "") -> String {
      "{ status: \(status), headers: { Upload-Offset: \"\(offset)\"\(more) } }"
    }
    let expiry = ", Upload-Expires: \"Wed, 01 Jan 2020 00:00:00 GMT\""
    if isExpired {
      let gone = "{ status: \(choose([404, 410])) }"
      piece.route("/\(name)", "[\(answer(204, start + end, expiry)), \(isCaused ? gone : answer(204, start + 2 * end))]")
    } else {
      piece.route(
        "/\(name)", "[\(answer(409, start + 300)), \(isCaused ? answer(409, start + 300) : answer(204, start + 300 + end))]")
    }
    piece.tasks = [name, second]
    piece.use(.work)
    piece.files = ["\(name).source: { size: \(end), seed: 3 }"]
    piece.creation = [part(name, from: start)]
    let next = isExpired ? start + end : isCaused ? start : start + 300
    piece.react("completed", name, "{ outcome: auto }", part(second, from: next))
    piece.react("completed", second, "{ outcome: auto }")
  }
}
