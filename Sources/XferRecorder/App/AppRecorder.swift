public import Foundation
public import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The app's own voice: what it wants, what came of it, and what it did with the files.
///
/// A log without it shows what URLSession did; with it, also whether the app noticed.
public struct AppRecorder: Sendable {
  private let context: RecorderContext

  init(_ context: RecorderContext) { self.context = context }

  private func identity(of task: URLSessionTask?) -> TaskIdentity? {
    task.flatMap { context.tasks.recording(of: $0)?.identity }
  }

  // MARK: Intents

  /// The app wants something done.
  ///
  /// - Parameters:
  ///   - intent: the app's own key for it; public in the log, so without private text.
  ///   - durable: whether the app has it on disk already.
  public func declare(_ intent: String, step: String? = nil, durable: Bool? = nil) {
    context.sink.emit(AppIntentDeclared(intent: intent, step: step, durable: durable))
  }

  /// The intent is this task's now.
  ///
  /// - Parameter key: by what the app will find its record: `uid`, `session+number`, `number`, `description`.
  public func bind(_ intent: String, to task: URLSessionTask, by key: String) {
    context.sink.emit(AppIntentBound(intent: intent, task: identity(of: task), key: key))
  }

  public func unbind(_ intent: String, from task: URLSessionTask, because reason: String) {
    context.sink.emit(AppIntentUnbound(intent: intent, task: identity(of: task), reason: reason))
  }

  // MARK: Outcomes

  /// What the app made of a task.
  ///
  /// - Parameter message: why, in words; private.
  public func record(_ outcome: Outcome, of task: URLSessionTask, intent: String? = nil, message: String? = nil) {
    context.sink.emit(AppOutcomeRecorded(intent: intent, task: identity(of: task), outcome: outcome, message: message))
  }

  /// What the app made of something that has no task any more, or had none.
  public func record(_ outcome: Outcome, of intent: String, message: String? = nil) {
    context.sink.emit(AppOutcomeRecorded(intent: intent, outcome: outcome, message: message))
  }

  /// The app leaves a callback unhandled; call it while the callback runs.
  public func drop(_ callback: Callback, of task: URLSessionTask, because reason: DropReason) {
    guard let recording = context.tasks.recording(of: task), let delivery = recording.delivery(of: callback) else { return }
    context.sink.emit(
      DeliveryDropped(task: recording.identity, delivery: delivery, callback: callback, why: reason, by: .app))
  }

  // MARK: Files

  /// Moves a downloaded file, as `FileManager` does, and says that it was.
  public func move(_ location: URL, to destination: URL, of task: URLSessionTask) throws {
    try FileMove.move.perform(from: location, to: destination, of: context.tasks.recording(of: task))
  }

  /// Copies a downloaded file, as `FileManager` does, and says that it was.
  public func copy(_ location: URL, to destination: URL, of task: URLSessionTask) throws {
    try FileMove.copy.perform(from: location, to: destination, of: context.tasks.recording(of: task))
  }

  /// Opens a downloaded file for reading; through the handle it can be read for as long as that is open.
  public func open(_ location: URL, of task: URLSessionTask) throws -> FileHandle {
    let recording = context.tasks.recording(of: task)
    do {
      let handle = try FileHandle(forReadingFrom: location)
      recording?.claimed(.open, nil, result: 0)
      return handle
    } catch {
      recording?.claimed(.open, nil, result: FileMove.osError(of: error))
      throw error
    }
  }

  /// The app has deleted a file that a task sent, or was to send.
  public func deleted(_ file: URL, of task: URLSessionTask) {
    guard let identity = identity(of: task) else { return }
    context.sink.emit(FileDeleted(task: identity, file: file.path, by: .app))
  }

  /// A file could not be opened. Where it lies below another data directory than the app has now, the log says so, and whether
  /// the same file is there below the present one.
  ///
  /// - Parameters:
  ///   - osError: errno.
  ///   - container: the app's data directory, as the log's configuration has it.
  public func couldNotOpen(
    _ file: URL, osError: Int32, of task: URLSessionTask? = nil, container: String = NSHomeDirectory()
  ) {
    let moved = MovedPath(file.path, from: container)
    context.sink.emit(
      DiskOpenFailed(
        task: identity(of: task), file: file.path, osError: Int(osError), container: moved?.container, exists: moved != nil))
  }

  // MARK: Locks

  /// The app holds a lock that other processes want, too.
  ///
  /// - Parameter name: the same in all processes.
  public func holds(_ name: String) -> AppLock {
    let lock = AppLock(id: context.makeCorrelation(), name: name, sink: context.sink)
    context.sink.emit(AppLockTaken(lock: lock.id, name: name))
    return lock
  }

  /// The app could not have a lock.
  public func missed(_ name: String, after time: Duration) { context.sink.emit(AppLockTimedOut(name: name, elapsed: time)) }

  // MARK: Work and words

  /// Work of the app's own, as decoding what was downloaded.
  ///
  /// - Returns: what is to be called when it ends.
  public func beginWork(_ name: String, for task: URLSessionTask? = nil) -> AppWork {
    let work = AppWork(id: context.makeCorrelation(), name: name, task: identity(of: task), sink: context.sink)
    context.sink.emit(AppWorkBegun(work: work.id, name: name, task: work.task))
    return work
  }

  /// - Parameter message: private; `EventLogger` has messages with a privacy for each argument.
  public func note(_ message: String, task: URLSessionTask? = nil, intent: String? = nil) {
    context.sink.emit(AppNoted(task: identity(of: task), intent: intent, message: message))
  }

  /// Code of the app listens to what comes of a session's tasks.
  public func listens(_ name: String, to session: RecordedSession) {
    context.sink.emit(AppListenerAttached(session: session.name, name: name))
  }

  /// The app's journal is on disk up to this entry.
  public func savedJournal(upTo entry: Int64) { context.sink.emit(AppJournalSaved(upTo: entry)) }

  // MARK: Secrets and settings

  /// The app has looked for a secret, a token in the keychain for instance.
  ///
  /// - Parameters:
  ///   - name: what the app calls it; public in the log, and never the secret itself.
  ///   - status: the number that the system gave, -25308 for instance.
  public func readSecret(_ name: String, _ answer: SecretAnswer, status: Int? = nil, for task: URLSessionTask? = nil) {
    context.sink.emit(AppSecretRead(name: name, secretAnswer: answer, osError: status, task: identity(of: task)))
  }

  /// The app has thrown a secret away, because the user signs out for instance.
  public func deletedSecret(_ name: String, because reason: String) {
    context.sink.emit(AppSecretDeleted(name: name, reason: reason))
  }

  /// A setting that decides what transfers may do is another now.
  public func changed(_ policy: PolicyName, to enabled: Bool, by actor: Actor = .user) {
    context.sink.emit(PolicyChanged(policy: policy, enabled: enabled, by: actor))
  }

  /// An upload in parts begins.
  ///
  /// - Parameter resumable: whether the app goes on with it in its next life.
  /// - Returns: what is to be told of its parts and its end.
  public func beginMultipartUpload(resumable: Bool, with task: URLSessionTask? = nil) -> AppMultipartUpload {
    let upload = AppMultipartUpload(id: context.makeCorrelation(), sink: context.sink)
    context.sink.emit(MultipartStarted(upload: upload.id, task: identity(of: task), resumable: resumable))
    return upload
  }

  /// An upload in parts that an earlier life of the app began.
  public func multipartUpload(_ id: CorrelationID) -> AppMultipartUpload { AppMultipartUpload(id: id, sink: context.sink) }

  /// What the app may do: names of declared modes and permissions.
  public func recordCapabilities(_ names: [String]) {
    context.sink.emit(AppCapabilitiesRecorded(capabilities: names.joined(separator: ",")))
  }
}

/// An upload in parts, which the server keeps until they are made one or given up.
public struct AppMultipartUpload: Sendable {
  /// By this a later life of the app speaks of it again.
  public let id: CorrelationID
  let sink: any EventSink

  public func storedPart(_ number: Int, bytes: Int64) { sink.emit(MultipartPartStored(upload: id, part: number, sent: bytes)) }
  public func complete() { sink.emit(MultipartCompleted(upload: id)) }
  public func abort() { sink.emit(MultipartAborted(upload: id)) }
}

/// Work of the app's own, under way.
public struct AppWork: Sendable {
  let id: CorrelationID
  public let name: String
  let task: TaskIdentity?
  let sink: any EventSink

  /// To be called once.
  public func end() { sink.emit(AppWorkEnded(work: id, name: name, task: task)) }
}

/// A lock that the app holds.
public struct AppLock: Sendable {
  let id: CorrelationID
  public let name: String
  let sink: any EventSink

  /// To be called once, when others can have it.
  public func release() { sink.emit(AppLockReleased(lock: id, name: name)) }
}
