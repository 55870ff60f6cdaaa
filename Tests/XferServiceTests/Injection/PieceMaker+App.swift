import LogTestSupport

// Faults of the app's code, and the same code without the fault.
extension PieceMaker {
  mutating func ofApp(_ cause: InjectedCause, isCaused: Bool) -> InjectedPiece? {
    var piece = InjectedPiece(isCaused ? cause : nil)
    let name = nextName()
    let second = name + "b"
    let body = "body: { size: \(size()), seed: \(number(1...99)) }"
    switch cause {
    case .fileMovedLate:
      piece.download(name, session, success())
      if isCaused {
        piece.react("finished", name, "{ move: $FILES/\(name), on: global, after: \(number(50...200))ms }", when: "status: ok")
      }
    case .fileLeft:
      piece.download(name, session, success())
      piece.react("finished", name, isCaused ? "leave" : "{ copy: $FILES/\(name) }", when: "status: ok")
    case .folderMissing:
      piece.download(name, session, success())
      let folder = isCaused ? "{ note: folder }" : "{ folder: $FILES/\(name)-folder }"
      piece.react("finished", name, folder, "{ move: $FILES/\(name)-folder/file }", when: "status: ok")
      if isCaused { piece.react("completed", name, "{ outcome: success }") }
    case .folderInTheWay:
      piece.download(name, session, success())
      let folder = isCaused ? "{ folder: $FILES/\(name) }" : "{ folder: $FILES/\(name)-other }"
      piece.react("finished", name, folder, "{ move: $FILES/\(name) }", when: "status: ok")
    case .errorPageKept:
      piece.download(name, session, "{ status: \(choose([400, 401, 403, 404, 410, 500])), body: { text: not here } }")
      piece.react("completed", name, "{ outcome: \(isCaused ? "success" : "failure") }")
    case .startedTwice:
      let delay = "delay: { beforeBody: \(number(300...600))ms }"
      piece.download(name, session, "{ \(body), \(delay) }", options: ", intent: \(name)")
      piece.download(second, session, nil, path: "/\(name)", options: ", intent: \(isCaused ? name : second)")
    case .twoOutcomes:
      piece.download(name, session, success())
      piece.react("completed", name, "{ outcome: success }", isCaused ? "{ outcome: failure }" : "{ note: failed }")
    case .recordedAfterResume:
      piece.download(
        name, .background, "{ \(body) }",
        options: ", intent: { key: \(name), durable: true, declared: \(isCaused ? "after" : "before") }")
    case .uploadFileMissing:
      piece.upload(name, session, "{ status: 201 }", size: size(), options: ", resume: false")
      piece.creation.append(isCaused ? "{ delete: $FILES/\(name).source }" : "{ note: kept }")
      piece.creation.append("{ resume: \(name) }")
    case .uploadFileDeletedEarly:
      piece.upload(
        name, .background, "[{ cut: { at: before-status, how: reset } }, { status: 201 }]", size: 5000 + number(0...9000))
      let deletion = "{ delete: { path: $FILES/\(name).source, record: true } }"
      if isCaused {
        piece.react("sent", name, deletion, when: "once: true")
      } else {
        piece.react("completed", name, "{ outcome: auto }", deletion)
      }
    case .uploadFileChanged:
      piece.upload(name, session, "{ status: 201 }", size: size(), options: ", resume: false")
      piece.creation.append("{ append: { path: $FILES/\(name)\(isCaused ? ".source" : ".other"), text: more } }")
      if !isCaused { piece.files.append("\(name).other: { size: 1, seed: 1 }") }
      piece.creation.append("{ resume: \(name) }")
    case .oneDictionary:
      for (task, key) in [(name, "number"), (second, isCaused ? "number" : "session+number")] {
        piece.download(
          task, .own("films-\(task)", ""), "{ \(body) }",
          options: ", resume: false, intent: { key: \(task), bind: \(key) }")
      }
      piece.creation += ["{ resume: \(name) }", "{ resume: \(second) }"]
    case .retriedAtOnce: retry(&piece, name, isCaused)
    case .credentialsSentToAll:
      piece.route("/\(name)/{port}", "{ redirect: { to: \"http://localhost:{port}/\(name)-store\" } }")
      piece.route("/\(name)-store", "{ \(body) }")
      piece.data(
        name, .work, nil, options: ", headers: { Authorization: Bearer abc }", url: "$SERVER/\(name)/$PORT")
      let field = isCaused ? "Authorization: Bearer abc" : "Accept: image/png"
      piece.react("redirect", name, "{ answer: { word: follow, headers: { \(field) } } }")
    case .resumeDataIgnored, .resumeDataDamaged, .resumeDataUsedTwice: resume(&piece, cause, name)
    case .dataTaskInBackground:
      piece.concernedSessions = [InjectedSession.background.name]
      if isCaused {
        piece.use(.background)
        piece.creation = ["{ data: { url: $SERVER/\(name), session: com.example.a, as: \(name) }, otherwise: [leave] }"]
      } else {
        piece.download(name, .background, "{ \(body) }")
      }
    case .handlerTaskInBackground:
      piece.concernedSessions = [InjectedSession.background.name]
      if isCaused {
        piece.use(.background)
        piece.creation = [
          "{ download: { url: $SERVER/\(name), session: com.example.a, as: \(name), handler: true }, otherwise: [leave] }"
        ]
      } else {
        piece.download(name, .background, "{ \(body) }")
      }
    case .taskOnInvalidSession:
      let session = InjectedSession.own("closed-\(name)", "")
      piece.download(name, session, "{ \(body), delay: { beforeBody: 200ms } }")
      if isCaused {
        piece.creation += [
          "{ invalidate: \(session.name) }",
          "{ download: { url: $SERVER/\(second), session: \(session.name), as: \(second) }, otherwise: [leave] }",
        ]
      }
    case .noDelegate, .sessionMadeTwice: makeSession(&piece, cause, name)
    case .sessionReissued:
      let identifier = "com.example.\(name)"
      let session = InjectedSession(name: identifier, isBackground: true)
      piece.download(name, session, "{ \(body) }")
      piece.concernedSessions = [identifier]
      piece.react("finished", name, "{ move: $FILES/\(name) }", "invalidate", when: "status: ok")
      // The invalidation is confirmed when the session's last callback has returned.
      if isCaused { piece.react("completed", name, "{ outcome: auto }", "{ session: \(identifier) }") }
    case .sessionPerRequest:
      let count = number(20...25)
      piece.data(name, InjectedSession(name: "request-\(count)"), "{ \(body) }")
      piece.sessions = []
      let create = "{ session: { name: request-$N, kind: default } }"
      // A correct app invalidates each session when it has resumed the session's task.
      let others = isCaused ? create : "{ do: [\(create), { invalidate: request-$N }] }"
      piece.creation.insert("{ do: [\(others)], times: \(count - 1) }", at: 0)
      piece.creation.insert("{ session: { name: request-\(count), kind: default } }", at: 1)
      if !isCaused { piece.creation.append("{ invalidate: request-\(count) }") }
    default: return nil
    }
    return piece
  }

  private mutating func retry(_ piece: inout InjectedPiece, _ name: String, _ isCaused: Bool) {
    // Without the fault, the app retries once.
    let names = [name] + (1...(isCaused ? 7 : 1)).map { "\(name)r\($0)" }
    let options = ", intent: \(name)"
    piece.route("/\(name)", "{ cut: { at: before-status, how: reset } }")
    for task in names { piece.download(task, .own("tries", "retries: 0"), nil, path: "/\(name)", options: options) }
    let later = piece.creation.dropFirst()
    piece.creation = [piece.creation[0]]
    for (task, next) in zip(names, later) { piece.react("completed", task, "{ outcome: auto }", next) }
    piece.sessions = [InjectedSession(name: "tries", settings: "retries: 0")]
  }

  private mutating func resume(_ piece: inout InjectedPiece, _ cause: InjectedCause, _ name: String) {
    let (second, third, kept) = (name + "b", name + "c", "kept-\(name)")
    piece.download(name, .work, "{ \(Self.resumable), body: { size: 900000, seed: 4 }, rate: 1MiB/s }")
    func task(_ name: String, _ source: String) -> String { "{ download: { \(source), session: work, as: \(name) } }" }
    let again = "resume-data: \(kept)"
    var next = [task(second, again)]
    piece.tasks.append(second)
    switch (cause, piece.cause != nil) {
    case (.resumeDataIgnored, true): next = [task(second, "url: $SERVER/\(name)")]
    case (.resumeDataDamaged, true):
      piece.tasks.removeLast()
      next = ["{ corrupt-resume-data: \(kept) }", "{ download: { \(again), session: work, as: \(second) }, otherwise: [leave] }"]
    case (.resumeDataUsedTwice, true):
      piece.tasks.append(third)
      next.append(task(third, again))
    default: break
    }
    piece.react(
      "progress", name, "{ cancel: { task: \(name), resume-data: \(kept), then: [\(next.joined(separator: ", "))] } }",
      when: "received: \(number(100...400))kB, once: true")
    for task in [second, third] {
      piece.react("finished", task, "{ move: $FILES/\(task) }", when: "status: ok")
      piece.react("completed", task, "{ outcome: auto }")
    }
  }

  private mutating func makeSession(_ piece: inout InjectedPiece, _ cause: InjectedCause, _ name: String) {
    let identifier = "com.example.\(name)"
    piece.concernedSessions = [identifier]
    piece.route("/\(name)", "{ body: { size: 3000, seed: 1 } }")
    let task = "{ download: { url: $SERVER/\(name), session: \(identifier), as: \(name) }, otherwise: [leave] }"
    let isCaused = piece.cause != nil
    let isWithoutDelegate = cause == .noDelegate
    piece.creation = [
      "{ session: { identifier: \(identifier), delegate: \(isCaused && isWithoutDelegate ? "null" : "app") } }", task,
      isCaused && !isWithoutDelegate ? "{ session: \(identifier) }" : "{ note: created }",
    ]
    // A session without a delegate rejects the task.
    if isCaused && isWithoutDelegate { return }
    piece.tasks = [name]
    piece.react("finished", name, "{ move: $FILES/\(name) }", when: "status: ok")
    piece.react("completed", name, "{ outcome: auto }")
  }
}
