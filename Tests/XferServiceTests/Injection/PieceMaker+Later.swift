import LogTestSupport

// Faults that show only when time has passed.
extension PieceMaker {
  mutating func later(_ cause: InjectedCause, isCaused: Bool) -> InjectedPiece? {
    var piece = InjectedPiece(isCaused ? cause : nil)
    let name = nextName()
    let second = name + "b"
    let body = "body: { size: \(size()), seed: \(number(1...99)) }"
    piece.advance = 120
    let sign = "{ write: { path: $FILES/sign-\(name), text: x } }"
    let patient = InjectedSession(name: "patient", settings: "request-timeout: none")
    switch cause {
    case .neverResumed:
      piece.download(name, session, "{ \(body) }", options: ", resume: \(!isCaused)")
      if isCaused { piece.endings = ["{ cancel: \(name) }"] }
    case .challengeUnanswered:
      piece.data(name, patient, "{ status: 401, headers: { WWW-Authenticate: 'Basic realm=\"x\"' } }")
      piece.react("challenge", name, isCaused ? sign : "{ answer: cancel }")
      if isCaused { (piece.endings, piece.signs) = (["{ cancel: \(name) }"], ["file: sign-\(name)"]) }
      piece.advance = 300
    case .redirectUnanswered:
      piece.route("/\(name)", "{ redirect: { to: /\(name)-end } }")
      piece.route("/\(name)-end", "{ \(body) }")
      piece.data(name, patient, nil)
      piece.react("redirect", name, isCaused ? sign : "{ answer: follow }")
      if isCaused { (piece.endings, piece.signs) = (["{ cancel: \(name) }"], ["file: sign-\(name)"]) }
      piece.advance = 300
    case .delayUnanswered:
      piece.download(name, .background, "{ \(body) }", options: ", begin: 1m")
      piece.react("delayed", name, isCaused ? sign : "{ answer: continue }")
      piece.isAskedLater = true
      if isCaused { (piece.endings, piece.signs) = (["{ cancel: \(name) }"], ["file: sign-\(name)"]) }
    case .bodyStopped:
      piece.download(name, patient, isCaused ? "{ \(body), hang: mid-body }" : "{ \(body) }")
      piece.react("progress", name, sign)
      if isCaused { (piece.endings, piece.signs) = (["{ cancel: \(name) }"], ["file: sign-\(name)"]) }
      piece.advance = 600
    case .temporaryFileKept:
      piece.upload(name, session, "{ status: 201 }", size: size(), options: ", temporary: true")
      if !isCaused {
        piece.react("completed", name, "{ outcome: auto }", "{ delete: { path: $FILES/\(name).source, record: true } }")
      }
      piece.advance = 660
    case .recordDeleted:
      piece.data(name, .work, "{ \(body), delay: { beforeBody: 300ms } }", options: ", intent: { key: \(name), bind: uid }")
      if isCaused {
        piece.creation.append("{ unbind: { key: \(name), task: \(name), reason: tidied up } }")
        piece.react("completed", name, "leave")
      }
    case .addressExpired:
      piece.route("/\(name)", isCaused ? "{ status: 403 }" : "{ \(body) }")
      piece.download(
        name, .background, nil, options: ", begin: 10m",
        url: "$SERVER/\(name)?Expires=$NOW+\(isCaused ? number(30...300) : 3600)&Signature=abc")
      piece.advance = 660
    case .networkNotAllowed:
      let session = InjectedSession(name: "com.example.wifi", isBackground: true, settings: "cellular: \(!isCaused)")
      piece.download(name, session, "{ \(body) }")
      piece.conditions = "network: cellular"
      if isCaused { piece.endings = ["{ cancel: \(name) }"] }
    case .noRoute:
      let session = InjectedSession(name: "waiting", settings: "waits-for-connectivity: \(isCaused)")
      piece.download(name, session, nil, url: "http://255.255.255.255/\(name)")
      piece.react("waiting", name, sign)
      if isCaused { (piece.endings, piece.signs) = (["{ cancel: \(name) }"], ["file: sign-\(name)"]) }
    case .connectionsHeld:
      let session = InjectedSession(
        name: "narrow", settings: "connections-per-host: \(isCaused ? 1 : 2), request-timeout: none")
      piece.download(name, session, isCaused ? "{ \(body), hang: mid-body }" : "{ \(body) }")
      piece.download(second, session, "{ \(body) }")
      piece.react("progress", name, sign)
      if isCaused { (piece.endings, piece.signs) = (["{ cancel: \(name) }"], ["file: sign-\(name)"]) }
      piece.advance = 360
    case .discretionaryOnBattery:
      let session = InjectedSession(
        name: "com.example.optional", isBackground: true, settings: "discretionary: \(isCaused)")
      piece.download(name, session, "{ \(body) }")
      piece.conditions = "power: battery"
      if isCaused { piece.endings = ["{ cancel: \(name) }"] }
      piece.advance = 7200
    case .timeoutsHidden:
      let session = InjectedSession(
        name: "com.example.slow", isBackground: true, settings: "request-timeout: 1s, resource-timeout: 24h")
      piece.download(name, session, isCaused ? "{ body: { text: x }, hang: before-status }" : "{ \(body) }")
      if isCaused {
        (piece.endings, piece.signs) = (
          ["{ cancel: \(name) }"], ["event: attempt.ended, with: { end: timeout, session: com.example.slow }, count: 2"]
        )
      }
    default: return nil
    }
    return piece
  }
}
