import Dispatch
import Foundation
import HTTPTypes
import LogTestSupport
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// The app of the lifecycle probe, without its flaws.
final class PlannedApp: TransferSessionDelegate, BackgroundAppDelegate {
  let plan: AppPlan
  let log: EventLog
  let state = Mutex(State())

  struct State {
    var sessions: [String: TransferSession] = [:]
    var handlers: [String: @Sendable () -> Void] = [:]
    /// The number of delayed actions that this process will still perform, such as moving a file or creating a session.
    var late = 0
    /// Whether the process has started all of its own work.
    var hasBegun = false
    /// The sessions that this process was woken for.
    var woken: Set<String> = []
    var isOver = false
  }

  init(_ plan: AppPlan) throws {
    self.plan = plan
    let environment = ProcessInfo.processInfo.environment.withoutEmptyVariables
    // The daemon uses the same key, so that the log belongs to one installation.
    let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
    var configuration = LogConfiguration(
      role: .app, privacy: PrivacyPolicy(mode: .hashed, key: key), startReason: BackgroundApp.startReason)
    configuration.startsInBackground = BackgroundApp.startsInBackground
    configuration.hasMainThreadContract = true
    log = try EventLog(directory: LogDirectory.standard(environment: environment), configuration: configuration)
    say("lives")
  }

  func start(later: [String], begins: Bool) {
    BackgroundApp.start(sink: log, arguments: later, isSuspendable: true, delegate: self) { identifier, completionHandler in
      self.say("woken \(identifier)")
      self.state.withLock { _ = $0.woken.insert(identifier) }
      self.take(identifier, completionHandler)
    }
    for identifier in plan.sessions where !isLeftOut(identifier) { open(identifier) }
    say("opened")
    watchTest()
    DispatchQueue.global().async {
      if begins {
        self.await("go")
        self.makeTasks()
        if self.plan.leavesAtOnce { self.leave() }
      }
      DispatchQueue.main.async {
        self.state.withLock { $0.hasBegun = true }
        self.endIfDone()
      }
    }
  }

  func open(_ identifier: String) {
    let session = TransferSession(
      configuration: .background(withIdentifier: identifier), delegate: self,
      delegateExecutor: QueueExecutor(.main), sink: log)
    state.withLock { $0.sessions[identifier] = session }
  }

  private func makeTasks() {
    for planned in plan.tasks {
      guard let session = state.withLock({ $0.sessions[planned.session] }) else { continue }
      do throws(TransferError) {
        var options = TransferSession.TaskOptions(taskDescription: planned.name)
        options.sourceIsTemporary = planned.isTemporary
        if let limit = planned.resourceTimeout { options.timeoutIntervalForResource = .after(.seconds(limit)) }
        let task: TransferTask =
          if let source = planned.source {
            try session.uploadTask(
              with: HTTPRequest(method: .put, urlText: planned.url), fromFile: URL(fileURLWithPath: source), options: options)
          } else {
            try session.downloadTask(with: HTTPRequest(method: .get, urlText: planned.url), options: options)
          }
        log.emit(AppIntentDeclared(intent: planned.name, task: identity(task), durable: true))
        say("made \(planned.name) \(task.uid) \(task.taskIdentifier)")
        task.resume()
        if let source = planned.source, does(.deletesSource, planned.name) {
          // Log the deletion first, because the task may fail before this thread continues.
          log.emit(FileDeleted(task: identity(task), file: source, by: .app))
          unlink(source)
        }
      } catch {
        say("refused \(planned.name) \(error.code.rawValue)")
      }
    }
    say("resumed")
  }

  // MARK: Wakes

  private func take(_ identifier: String, _ completionHandler: @escaping @Sendable () -> Void) {
    if does(.callsHandlerAtOnce, identifier) {
      completionHandler()
      say("called \(identifier)")
      return openLate(identifier)
    }
    if !does(.forgetsHandler, identifier) { state.withLock { $0.handlers[identifier] = completionHandler } }
    endIfDone()
  }

  func callHandler(_ identifier: String) {
    guard let handler = state.withLock({ $0.handlers.removeValue(forKey: identifier) }) else { return }
    handler()
    say("called \(identifier)")
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession) {
    say("finished \(session.name)")
    DispatchQueue.main.async {
      if !self.ignoresHandler(session.name) { self.callHandler(session.name) }
      self.endIfDone()
    }
  }

  // MARK: Tasks

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    let name = downloadTask.taskDescription ?? "nameless"
    // The body of an error response is not the requested file.
    guard downloadTask.response?.statusCode ?? 0 < 400 || does(.takesErrorForSuccess, name) else { return }
    if does(.neverMoves, name) { return }
    if does(.movesLater, name) { return moveLater(location, name) }
    do throws(TransferError) {
      try location.move(to: destination(name), replacing: true)
      say("file \(name)")
    } catch {
      say("lost \(name) \(error.code.rawValue)")
    }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let name = task.taskDescription ?? "nameless"
    let status = task.response?.statusCode ?? 0
    let hasFailed = error != nil || status >= 400 && !does(.takesErrorForSuccess, name)
    log.emit(AppOutcomeRecorded(intent: name, task: identity(task), outcome: hasFailed ? .failure : .success))
    if let planned = plan.tasks.first(where: { $0.name == name }), planned.isTemporary, let source = planned.source {
      unlink(source)
      log.emit(FileDeleted(task: identity(task), file: source, by: .app))
    }
    say("completed \(name) \(error.map(\.code.rawValue) ?? "\(status)")")
    if does(.callsHandlerInCompletion, session.name) { callHandler(session.name) }
    DispatchQueue.main.async { self.endIfDone() }
  }

  func identity(_ task: TransferTask) -> TaskIdentity {
    TaskIdentity(uid: task.uid, session: task.session.name, number: UInt32(task.taskIdentifier))
  }

  // MARK: Exit

  func willTerminate() {
    log.close(exitCode: 0, reason: .exitCall)
    say("quit")
  }

  /// Exits when the app is done, after the acknowledgements of all completed tasks.
  func endIfDone() {
    let sessions = state.withLock { $0.sessions.sorted { $0.key < $1.key }.map(\.value) }
    look(sessions[...])
  }

  private func look(_ sessions: ArraySlice<TransferSession>) {
    guard let first = sessions.first else {
      return DispatchQueue.main.async { self.endIfNothingWaits() }
    }
    first.getAllTasks { if $0.isEmpty { self.look(sessions.dropFirst()) } }
  }

  private func endIfNothingWaits() {
    let isDone = state.withLock { state in
      state.hasBegun && (!state.woken.isEmpty || !BackgroundApp.isWoken) && state.late == 0
        && state.handlers.allSatisfy { ignoresHandler($0.key) } && !state.isOver
    }
    guard isDone else { return }
    guard hasLeftSomething else { return leave() }
    state.withLock { $0.isOver = true }
    say("idle")
    DispatchQueue.global().async {
      self.await("end")
      self.leave()
    }
  }

  func leave() {
    log.close(exitCode: 0, reason: .exitCall)
    say("exit")
    exit(0)
  }

  // MARK: Communication with the test

  func say(_ text: String) {
    let line = "\(getpid()) \(text)\n"
    let descriptor = Foundation.open(plan.said, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    // Write directly, without buffering, because a kill could otherwise leave half a line.
    _ = line.withCString { Foundation.write(descriptor, $0, strlen($0)) }
  }

  func await(_ name: String) {
    while access("\(plan.signals)/\(name)", F_OK) != 0 { usleep(2000) }
  }

  /// Exits after the test has ended and removed its files, because nothing else would end this process.
  private func watchTest() {
    DispatchQueue.global().async {
      while access(self.plan.files, F_OK) == 0 {
        usleep(100_000)
      }
      exit(0)
    }
  }
}
