import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore

/// The app. It creates its session at each launch, stores each completion handler under its session's identifier, and calls the
/// handler after all events of the session were delivered.
final class KettleApp: TransferSessionDelegate, BackgroundAppDelegate {
  private static let identifier = "com.example.kettle"

  let shared: Kettle.Shared
  let log: EventLog
  private let endsWhenDone: Bool
  private let state = Mutex(State())

  private struct State {
    var sessions: [String: TransferSession] = [:]
    var handlers: [String: @Sendable () -> Void] = [:]
    var watch: (any AppWatch)?
  }

  /// - Parameter endsWhenDone: Whether the process exits after all events of its session were delivered.
  init(_ shared: Kettle.Shared, endsWhenDone: Bool = false) throws {
    self.shared = shared
    self.endsWhenDone = endsWhenDone
    let environment = ProcessInfo.processInfo.environment
    let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
    var configuration = LogConfiguration(role: .app, privacy: PrivacyPolicy(key: key), startReason: BackgroundApp.startReason)
    configuration.startsInBackground = BackgroundApp.startsInBackground
    configuration.hasMainThreadContract = true
    log = try EventLog(directory: LogDirectory.standard(environment: environment), configuration: configuration)
  }

  func does(_ way: WrongWay) -> Bool { shared.wrong == way }

  // MARK: Launches

  /// Performs the same setup in every launch.
  func launch() {
    BackgroundApp.start(sink: log, arguments: shared.attend, isSuspendable: true, delegate: self) {
      identifier, completionHandler in
      self.handle(identifier, completionHandler)
    }
    if does(.sessionInView), BackgroundApp.isWoken { return }
    // With this error, the session must be created after the completion handler has been received.
    if does(.callHandlerInCompletion), BackgroundApp.isWoken { return }
    _ = session(does(.freshIdentifier) ? UUID().uuidString : Self.identifier)
  }

  private func handle(_ identifier: String, _ completionHandler: @escaping @Sendable () -> Void) {
    if !does(.neverCallHandler) { state.withLock { $0.handlers[identifier] = completionHandler } }
    if does(.sessionInView) || does(.freshIdentifier) { return leaveSoon() }
    _ = session(identifier)
  }

  /// Returns the session with an identifier, which is created on the first request.
  func session(_ identifier: String) -> TransferSession {
    if let session = state.withLock({ $0.sessions[identifier] }) { return session }
    let session = TransferSession(
      configuration: .background(withIdentifier: identifier), delegate: self,
      delegateExecutor: QueueExecutor(DispatchQueue(label: "kettle.delegate")), sink: log)
    state.withLock { $0.sessions[identifier] = session }
    return session
  }

  /// A session in this process that is not carried by the daemon.
  private let carried = Mutex<TransferSession?>(nil)
  private var other: TransferSession {
    carried.withLock { carried in
      let session = carried ?? TransferSession(configuration: .default, delegate: self, sink: log)
      carried = session
      return session
    }
  }

  var main: TransferSession {
    state.withLock { $0.sessions.sorted { $0.key < $1.key }.first?.value } ?? session(Self.identifier)
  }

  /// Exits when no session has work left.
  func leaveWhenIdle() {
    guard let session = carried.withLock({ $0 }) else { return leave(code: 0) }
    session.finishTasksAndInvalidate()
    BackgroundApp.run()
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    if session === carried.withLock({ $0 }) { leave(code: 0) }
  }

  /// Exits with the given code.
  func leave(code: Int32) {
    log.close(exitCode: Int(code), reason: .exitCall)
    exit(code)
  }

  /// Exits after a short delay, when the app has no work left.
  private func leaveSoon() {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(200)) { self.leave(code: 0) }
  }

  // MARK: Transfers

  func fetch(_ url: String) {
    let session = does(.otherSession) ? other : main
    do throws(TransferError) {
      let task = try session.downloadTask(with: HTTPRequest(method: .get, urlText: url), taskDescription: url)
      log.emit(AppIntentDeclared(intent: url, task: task.identity, durable: true))
      task.resume()
    } catch {
      print("\(error)")
    }
  }

  /// - Parameter isTemporary: Whether to delete the file after the upload.
  func send(_ file: String, to url: String, isTemporary: Bool) {
    do throws(TransferError) {
      var options = TransferSession.TaskOptions(taskDescription: url)
      options.sourceIsTemporary = isTemporary
      if isTemporary { options.metadata[Self.sourceKey] = file }
      let task = try main.uploadTask(
        with: HTTPRequest(method: .put, urlText: url), fromFile: URL(fileURLWithPath: file), options: options)
      log.emit(AppIntentDeclared(intent: url, task: task.identity, durable: true))
      task.resume()
    } catch {
      print("\(error)")
    }
  }

  /// The metadata key under which a task stores the path of its file.
  private static let sourceKey = "source"

  /// Prints the session's tasks and exits.
  func list() {
    main.getAllTasks { tasks in
      for task in tasks { print(task.taskDescription ?? "\(task.uid)") }
      self.leave(code: 0)
    }
  }

  // MARK: Delegate callbacks

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    let status = downloadTask.response?.statusCode ?? 0
    guard status < 400 || does(.ignoreStatus) else { return }
    let folder = does(.forceMove) ? "\(shared.into)/missing" : shared.into
    let destination = "\(folder)/\(downloadTask.response?.suggestedFilename ?? "file")"
    if does(.moveLater) {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
        try? location.move(to: destination, replacing: true)
      }
      return
    }
    do throws(TransferError) {
      try location.move(to: destination, replacing: true)
    } catch {
      if does(.forceMove) { fatalError("\(error)") }
      print("\(error)")
    }
  }

  /// Moves a downloaded file to the destination directory.
  func keep(_ location: DownloadedFile, of task: DownloadTask) {
    do throws(TransferError) {
      try location.move(to: "\(shared.into)/\(task.response?.suggestedFilename ?? "file")", replacing: true)
    } catch {
      print("\(error)")
    }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let hasFailed = error != nil || task.response?.statusCode ?? 0 >= 400 && !does(.ignoreStatus)
    log.emit(
      AppOutcomeRecorded(intent: task.taskDescription, task: task.identity, outcome: hasFailed ? .failure : .success))
    if !hasFailed, let file = task.metadata[Self.sourceKey], !does(.keepSource) {
      try? FileManager.default.removeItem(atPath: file)
      log.emit(FileDeleted(task: task.identity, file: file, by: .app))
    }
    if does(.callHandlerInCompletion) { callHandler(session.name) }
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession) {
    DispatchQueue.main.async {
      if !self.does(.callHandlerInCompletion) { self.callHandler(session.name) }
      if BackgroundApp.isWoken || self.endsWhenDone { self.rest() }
    }
  }

  /// Calls the completion handler at most once, by removing it first.
  private func callHandler(_ identifier: String) {
    let handler = state.withLock { $0.handlers.removeValue(forKey: identifier) }
    handler?()
  }

  /// Exits, because the work of this launch is done.
  private func rest() {
    if does(.moveLater) { leaveSoon() } else { leave(code: 0) }
  }

  // MARK: App lifecycle

  /// The object that receives trigger and termination events.
  var watch: (any AppWatch)? {
    get { state.withLock { $0.watch } }
    set { state.withLock { $0.watch = newValue } }
  }

  func willTerminate() {
    watch?.appEnds()
    log.close(exitCode: 0, reason: .exitCall)
  }

  func triggerFired(_ trigger: LaunchTrigger) { watch?.fired(trigger) }
}
