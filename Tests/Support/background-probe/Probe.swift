import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// An app with background sessions, for tests that kill the app and may relaunch it.
///
/// Usage: `background-probe KEY=VALUE… [URL…]`. Downloads each URL into the directory `files`, under the last component of the
/// URL. Each line written to the file `said` is a callback that returned, or the exit of the process.
///
/// - `sessions`: session identifiers, separated by commas. The first URL uses the first session. The default is `probe`.
/// - `until`: when to exit. `created`: when all tasks are created; `resumed`: when they are resumed; `finished`: when no task
///   is left; `drained`: when a session has finished its events; `handled`: when a completion handler was called; `refused`:
///   after trying all invalid operations; `rest`: after resuming the tasks of an earlier process and finishing all tasks
/// - `upload`: a file to upload to each URL instead of downloading; `method`: the method of the requests; `key`: an
///   `Idempotency-Key`; `repeats`: whether the requests may be repeated (`yes` or `no`)
/// - `slow`: the seconds that the app takes to terminate after it has closed its log; `retry=N`: creates the next task in the
///   completion callback of a failed one, up to N tasks; `intents=1`: declares the URL as the intent of each task
/// - `quiet=1`: disables launches by the daemon
/// - `discretionary=1`: lets the system choose the time; `begin`: seconds from now before which no task may start; `expects`:
///   the number of bytes that each task expects to receive
/// - `suspendable=1`: lets the daemon suspend and end the app like an app on a device
/// - `late`: a file without which the app does not call the completion handler of a wake
/// - `large`: the size in bytes of an additional header field in each request
/// - `password`: the password of the user `probe`, for servers that request authentication
/// - `many`: the number of downloads per URL, with `/0`, `/1` and so on appended
/// - `remake`: see `ProbeApp+Relaunch.swift`
/// - `gate=1`: stops itself first and continues after SIGCONT
/// - `lives=1`: starts each line with the process id, writes the line `lives` first, and writes `began` for each resumed task
@main
enum Probe {
  static func main() throws {
    let app = try ProbeApp(Array(CommandLine.arguments.dropFirst()))
    app.start()
    BackgroundApp.run()
  }
}

final class ProbeApp: TransferSessionDelegate, BackgroundAppDelegate {
  let options: [String: String]
  let urls: [String]
  private let log: EventLog
  let state = Mutex(State())

  struct State {
    var sessions: [String: TransferSession] = [:]
    var handlers: [String: @Sendable () -> Void] = [:]
    var open = 0
    /// The sessions whose events this relaunched process has finished handling.
    var done: Set<String> = []
    /// The tasks to resume later.
    var kept: [TransferTask] = []
    var isFinished = false
  }

  init(_ arguments: [String]) throws {
    var options: [String: String] = [:]
    var urls: [String] = []
    for argument in arguments {
      if argument.contains("://") {
        urls.append(argument)
      } else {
        let parts = argument.split(separator: "=", maxSplits: 1)
        options[String(parts[0])] = String(parts[1])
      }
    }
    (self.options, self.urls) = (options, urls)
    if options["gate"] != nil, !BackgroundApp.isWoken { kill(getpid(), SIGSTOP) }
    let environment = ProcessInfo.processInfo.environment.withoutEmptyVariables
    // The daemon uses the same key, so that the log belongs to one installation.
    let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
    var configuration = LogConfiguration(
      role: .app, privacy: PrivacyPolicy(mode: .hashed, key: key), startReason: BackgroundApp.startReason)
    configuration.killHook = environment["XFERLOG_TEST_KILL"].flatMap(KillHook.init)
    log = try EventLog(directory: LogDirectory.standard(environment: environment), configuration: configuration)
    if options["lives"] != nil { say("lives") }
  }

  var until: String { BackgroundApp.isWoken ? "handled" : options["until"] ?? "finished" }
  /// The identifiers of the app's sessions.
  var identifiers: [String] { (options["sessions"] ?? "probe").split(separator: ",").map(String.init) }

  func start() {
    let kept = options.filter { $0.key != "until" }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    BackgroundApp.start(sink: log, arguments: kept, isSuspendable: options["suspendable"] != nil, delegate: self) {
      identifier, completionHandler in
      self.say("woken \(identifier)")
      self.take(identifier, completionHandler)
    }
    guard !BackgroundApp.isWoken else { return exitAfterTest() }
    for identifier in identifiers { open(identifier) }
    if until == "undelivered" || until == "inCallback" { return awaitKill() }
    let many = options["many"].flatMap { Int($0) }
    if until != "refused" {
      for url in urls { for place in 0..<(many ?? 1) { begin(many == nil ? url : "\(url)/\(place)", in: identifiers[0]) } }
    }
    switch until {
    case "created", "resumed": finish(0)
    case "refused": tryInvalidOperations()
    case "rest": resumeRemainingTasks()
    default: break
    }
  }

  /// Exits after the test has ended and removed its files, because the daemon may launch this app after the test.
  private func exitAfterTest() {
    DispatchQueue.global().async {
      while access(self.options["files"] ?? ".", F_OK) == 0 { sleep(1) }
      exit(0)
    }
  }

  private func resumeRemainingTasks() {
    guard let session = session(identifiers[0]) else { return }
    session.getAllTasks { tasks in
      if tasks.isEmpty { return self.finish(0) }
      self.state.withLock { $0.open = tasks.count }
      for task in tasks { task.resume() }
    }
  }

  private func tryInvalidOperations() {
    guard let session = session(identifiers[0]), let url = URL(string: urls[0]) else { return }
    func trying(_ name: String, _ make: () throws(TransferError) -> Void) {
      do throws(TransferError) {
        try make()
      } catch {
        say("\(name) \(error.code.rawValue)")
      }
    }
    let request = HTTPRequest(url: url)
    defer {
      BackgroundApp.declareExtension()
      trying("extension") { () throws(TransferError) in _ = try session.downloadTask(with: request) }
    }
    trying("closure") { () throws(TransferError) in _ = try session.downloadTask(with: request) { _, _, _ in } }
    trying("data") { () throws(TransferError) in _ = try session.dataTask(with: request) }
    trying("memory") { () throws(TransferError) in _ = try session.uploadTask(with: request, from: Data([1])) }
    trying("stream") { () throws(TransferError) in _ = try session.uploadTask(withStreamedRequest: request) }
    let second = TransferSession(
      configuration: session.configuration, delegate: self, delegateExecutor: QueueExecutor(.main), sink: log)
    trying("second") { () throws(TransferError) in _ = try second.downloadTask(with: request) }
  }

  func session(_ identifier: String) -> TransferSession? { state.withLock { $0.sessions[identifier] } }

  func open(_ identifier: String) {
    guard session(identifier) == nil else { return }
    var configuration = TransferSession.Configuration.background(withIdentifier: identifier)
    configuration.sessionSendsLaunchEvents = options["quiet"] == nil
    configuration.isDiscretionary = options["discretionary"] != nil
    let session = TransferSession(
      configuration: configuration, delegate: self,
      delegateExecutor: QueueExecutor(options["slow"] == nil ? .main : DispatchQueue(label: "probe.delegate")), sink: log)
    state.withLock { $0.sessions[identifier] = session }
  }

  /// - Parameter isKept: Whether the task is resumed later instead of immediately.
  func begin(_ url: String, in identifier: String, isKept: Bool = false) {
    guard let session = session(identifier) else { return }
    do throws(TransferError) {
      let method = options["method"].flatMap { HTTPRequest.Method($0) } ?? (options["upload"] == nil ? .get : .put)
      var request = HTTPRequest(method: method, urlText: url)
      request.headerFields[HTTPField.Name("Idempotency-Key")!] = options["key"]
      request.headerFields[.authorization] = options["authorization"]
      if let count = options["large"].flatMap({ Int($0) }) {
        request.headerFields[HTTPField.Name("X-Large")!] = String(repeating: "x", count: count)
      }
      var told = TransferSession.TaskOptions(taskDescription: url)
      told.allowsRepetition = options["repeats"].map { $0 == "yes" }
      told.earliestBeginDate = options["begin"].flatMap { Double($0) }.map { BackgroundApp.now + $0 }
      told.countOfBytesClientExpectsToReceive = options["expects"].flatMap { Int64($0) } ?? -1
      let task: TransferTask =
        if let file = options["upload"] {
          try session.uploadTask(with: request, fromFile: URL(fileURLWithPath: file), options: told)
        } else {
          try session.downloadTask(with: request, options: told)
        }
      if let description = options["describes"] { task.taskDescription = description }
      state.withLock { state in
        state.open += 1
        if isKept { state.kept.append(task) }
      }
      if options["intents"] != nil { log.emit(AppIntentDeclared(intent: url, task: task.identity)) }
      if until != "created", !isKept { task.resume() }
      if options["lives"] != nil { say("began \(task.taskIdentifier)") }
    } catch {
      say("rejected \(error.code.rawValue)")
    }
  }

  func say(_ text: String) {
    let line = "\(options["lives"] == nil ? "" : "\(getpid()) ")\(text)\n"
    guard let path = options["said"] else { return print(line, terminator: "") }
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    // Write directly, without buffering, because a kill could otherwise leave half a line.
    _ = line.withCString { Foundation.write(descriptor, $0, strlen($0)) }
  }

  func finish(_ code: Int32) {
    let isFirst = state.withLock { state in
      defer { state.isFinished = true }
      return !state.isFinished
    }
    guard isFirst else { return }
    log.close(exitCode: Int(code), reason: .exitCall)
    say("exit \(code)")
    exit(code)
  }

  func willTerminate() {
    log.close(exitCode: 0, reason: .exitCall)
    sleep(options["slow"].flatMap { UInt32($0) } ?? 0)
  }

  // MARK: Delegate callbacks

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    if until == "inCallback" { blockForever() }
    let name = (downloadTask.taskDescription ?? "").split(separator: "/").last.map(String.init) ?? "nameless"
    do throws(TransferError) {
      try location.move(to: "\(options["files"] ?? ".")/\(name)", replacing: true)
      say("file \(name)")
    } catch {
      say("lost \(name): \(error)")
    }
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, willBeginDelayedRequest request: HTTPRequest,
    completionHandler: @escaping @Sendable (TransferSession.DelayedRequestDisposition, HTTPRequest?) -> Void
  ) {
    say("asked \(task.taskIdentifier)")
    completionHandler(.continueLoading, nil)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
  ) {
    guard let password = options["password"] else { return completionHandler(.performDefaultHandling, nil) }
    say("challenged \(challenge.protectionSpace.realm ?? "")")
    completionHandler(.useCredential, .init(user: "probe", password: password))
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {
    say("body \(String(decoding: data, as: UTF8.self))")
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let reason = error?.cancelReason.map { " \($0.name)" } ?? ""
    say("completed \(task.taskIdentifier) \(error.map(\.code.rawValue) ?? "\(task.response?.statusCode ?? 0)")\(reason)")
    if error != nil, let limit = options["retry"].flatMap({ Int($0) }), task.taskIdentifier < limit {
      begin(task.taskDescription ?? "", in: session.name)
    }
    let isLast = state.withLock { state in
      state.open -= 1
      // The count is negative when a task of an earlier process completes in this one.
      return state.open <= 0
    }
    // Query the tasks after the completion is acknowledged. Tasks of an earlier process may have ended before this query.
    if isLast && until == "finished" || until == "rest" { session.getAllTasks { if $0.isEmpty { self.finish(0) } } }
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession) {
    say("events finished")
    let handler = state.withLock { $0.handlers.removeValue(forKey: session.name) }
    DispatchQueue.global().async {
      if let file = self.options["late"] { while access(file, F_OK) != 0 { usleep(5_000) } }
      self.callHandler(handler, session)
    }
  }

  private func callHandler(_ handler: (@Sendable () -> Void)?, _ session: TransferSession) {
    DispatchQueue.main.async {
      handler?()
      if self.until == "drained" || self.until == "handled" && self.isDone(session.name) { self.finish(0) }
    }
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    say("invalid \(error.map(\.code.rawValue) ?? "")")
    if until == "refused" { return finish(0) }
    // Another process of this program owns the session, so there is nothing to do.
    if error?.code == .backgroundSessionWasDisconnected { finish(2) }
  }
}
