import Foundation
import HTTPTypes
import LogTestSupport
import Logging
import XferEngine
import XferEvents
import XferLogStore
import XferScript
import XferSwiftLog

/// A log written by every kind of writer, with a canary in every place where a secret may occur.
final class CanaryRun {
  let directory = TemporaryDirectory()
  let mode: CaptureMode

  var log: String { directory.path("log.xlog") }
  var environment: [String: String] {
    [
      "XFERLOG_DIR": log, "XDG_STATE_HOME": directory.path("state"), "XDG_CACHE_HOME": directory.path("cache"),
      "SECRET": Canary.environment.text,
    ]
  }

  init(_ mode: CaptureMode) async throws {
    self.mode = mode
    try await ScriptedServer.serving(ServerScript(Self.routes)) { server in
      let log = try EventLog(
        directory: self.log,
        configuration: LogConfiguration(
          role: .app, privacy: PrivacyPolicy(mode: mode, key: try MaskKey.load(stateDirectory: directory.path("state/xferlog"))),
          lowestLevel: .debug))
      try await transfer(server, log)
      logMessages(log)
      log.close()
      try runCommands(server)
    }
  }

  // MARK: Transfers

  private static let routes: [ServerScript.Route] = [
    .init(
      "/p/*",
      ScriptedResponse(
        status: 401, reason: "Go away, \(Canary.reasonPhrase.text)",
        headers: [
          "Set-Cookie": "id=\(Canary.setCookie.text)", "WWW-Authenticate": "Bearer realm=\"\(Canary.challenge.text)\"",
          "Content-Disposition": "attachment; filename=\"\(Canary.suggestedName.text).pdf\"",
          "Content-Type": "text/plain; name=\(Canary.mediaTypeParameter.text)",
          "X-Of-Its-Own": Canary.responseField.text,
        ], body: .text(Canary.body.text))),
    .init("/coded", ScriptedResponse(headers: ["Content-Encoding": Canary.contentCoding.text], body: .text("x"))),
    .init(
      "/redirect",
      .redirect(
        to: "http://u:\(Canary.redirectUser.text)@127.0.0.1:1/\(Canary.redirectPath.text)?q=\(Canary.redirectQuery.text)")),
    .init("/*", ScriptedResponse(body: .text("body"))),
  ]

  private func transfer(_ server: ScriptedServer, _ log: EventLog) async throws {
    let temporary = directory.path(Canary.temporaryDirectory.text)
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    var configuration = TransferSession.Configuration.ephemeral
    configuration.temporaryDirectory = temporary
    let session = TransferSession(configuration: configuration, sink: log, names: SessionNames())
    func get(_ path: String, _ fields: HTTPFields = [:]) -> HTTPRequest {
      let url = server.url(path).replacing("http://", with: "http://\(Canary.urlUser.text):\(Canary.urlPassword.text)@")
      return HTTPRequest(method: .get, urlText: url, headerFields: fields)
    }
    _ = try await session.data(for: get(Self.path, Self.fields))
    _ = try? await session.data(for: get("/redirect"))
    _ = try? await session.data(for: get("/coded"))
    let there = "/nowhere/\(Canary.destination.text)"
    _ = try? await session.download(for: get("/file")) { file, _ in try? file.move(to: there) }
    _ = try await session.data(for: get("/described"), taskDescription: Canary.description.text)
    let refused = HTTPRequest(method: .get, urlText: "\(Canary.rejectedURL.text)://host/")
    _ = try? session.dataTask(with: refused)
    session.invalidateAndCancel()
  }

  private static let path: String = {
    let parameters: [(name: String, canary: Canary)] = [
      ("note", .queryValue), ("X-Amz-Signature", .amazonSignature), ("X-Amz-Credential", .amazonCredential),
      ("x-goog-signature", .googleSignature), ("sig", .azureSignature), ("sv", .azureExpiry), ("Policy", .cloudFrontPolicy),
      ("token", .tokenParameter), ("%74oke%6E", .encodedName), ("clientSecret", .camelCaseName),
    ]
    let query = parameters.map { "\($0.name)=\($0.canary.text)" }.joined(separator: "&")
    let path = "/p/\(Canary.urlPath.text);jsessionid=\(Canary.pathParameter.text)"
    return "\(path)?\(query)#\(Canary.fragment.text)"
  }()

  private static let fields: HTTPFields = [
    .authorization: "Bearer \(Canary.authorization.text)", .proxyAuthorization: "Basic \(Canary.proxyAuthorization.text)",
    .cookie: "id=\(Canary.cookie.text)", .init("X-Api-Key")!: Canary.apiKey.text, .init("X-Auth-Token")!: Canary.authToken.text,
    .referer: "http://example.com/\(Canary.referer.text)", .userAgent: "agent/\(Canary.userAgent.text)",
    .init("X-Of-My-Own")!: Canary.requestField.text,
  ]

  // MARK: Log messages

  private struct Nested: Error, CustomStringConvertible {
    let reason: Canary
    var description: String { "cannot continue: \(NSError(domain: reason.text, code: 1))" }
  }

  private func logMessages(_ log: EventLog) {
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "app", number: 1)
    log.emit(TaskCreated(task: task, type: .upload, sourceFile: "/home/\(Canary.sourceFile.text)"))
    log.emit(AppNoted(message: "noted: \(Canary.noted.text)"))
    log.emit(AppIntentDeclared(intent: "https://\(Canary.intentUser.text)@example.com/a?b=\(Canary.intentQuery.text)"))
    log.emit(AppOutcomeRecorded(outcome: .failure, message: Canary.outcome.text))

    let logger = EventLogger(subsystem: "com.example", category: "privacy", log: log)
    logger.notice("auto \(Canary.argument.text)")
    logger.notice("private \(Canary.privateArgument.text, privacy: .private)")
    logger.notice("unhashed \(Canary.unhashedArgument.text, privacy: .private(mask: .none))")
    logger.notice("sensitive \(Canary.sensitiveArgument.text, privacy: .sensitive)")
    logger.error("failed: \(Nested(reason: .nestedError))")
    var message: LogMessage = "named"
    message.attach("userPassword", Canary.namedArgument.text)
    logger.notice(message)

    var others = Logger(label: "privacy") { XferLogHandler(label: $0, subsystem: "com.example", log: log) }
    others[metadataKey: "user"] = ["names": ["\(Canary.swiftLogMetadata.text)"]]
    others.notice("hello \(Canary.swiftLogMessage.text)")
    others.error("failed", error: Nested(reason: .swiftLogError))
  }

  // MARK: Commands

  private func runCommands(_ server: ScriptedServer) throws {
    let emit = ["emit", "--capture", mode.name]
    try run("xferlog", emit + ["--private", Canary.emittedMessage.text, "--field", "user=\(Canary.emittedField.text)"])
    try run("xferlog", emit + ["--field", "token=\(Canary.emittedToken.text)", "with a token"])
    let intent = #"{"event": "app.intentDeclared", "fields": {"intent": "\#(Canary.emittedIntent.text)"}}"#
    try run("xferlog", emit + ["--private", "--input", "ndjson"], input: Array(intent.utf8))
    let get = ["get", "--silent", "--capture", mode.name]
    try run(
      "xfer", get + ["--private", server.url("/\(Canary.fetchedPath.text)"), "-o", directory.path(Canary.fetchedFile.text)])
    let url = server.url("/f;jsessionid=\(Canary.fetchedSession.text)?access_token=\(Canary.fetchedToken.text)")
      .replacing("http://", with: "http://me:\(Canary.fetchedPassword.text)@")
    try run("xfer", get + [url, "-o", directory.path("f")])
  }

  struct Failure: Error { let said: String }

  private func run(_ program: String, _ arguments: [String], input: [UInt8]? = nil) throws {
    let run = try ToolRun(program, arguments, input: input, environment: environment)
    if run.status != 0 { throw Failure(said: "\(arguments): \(run.status) \(run.standardError)") }
  }
}
