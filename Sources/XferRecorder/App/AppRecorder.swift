public import Foundation
public import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Records the app's side of its transfers: its intents, the outcomes it recorded, and what it did with the files.
///
/// Without these events, a log shows only what URLSession did. With them, it also shows whether the app handled the results.
public struct AppRecorder: Sendable {
  private let context: RecorderContext

  init(_ context: RecorderContext) { self.context = context }

  var sink: any EventSink { context.sink }

  func makeCorrelation() -> CorrelationID { context.makeCorrelation() }

  private func identity(of task: URLSessionTask?) -> TaskIdentity? {
    task.flatMap { context.tasks.recording(of: $0)?.identity }
  }

  // MARK: Intents

  /// Records an intent: something that the app wants to be done, such as fetching a photo.
  ///
  /// - Parameters:
  ///   - intent: The app's key for the intent. Public in the log, so it must not contain private text.
  ///   - step: The name of a step within the intent. `nil` for the whole intent.
  ///   - durable: Whether the app has already stored the intent on disk. `nil` when it is not recorded.
  public func declare(_ intent: String, step: String? = nil, durable: Bool? = nil) {
    context.sink.emit(AppIntentDeclared(intent: intent, step: step, durable: durable))
  }

  /// Records that a task now carries out an intent.
  ///
  /// - Parameter key: The key by which the app will look up its record of the intent: `uid`, `session+number`, `number` or
  ///   `description`.
  public func bind(_ intent: String, to task: URLSessionTask, by key: String) {
    context.sink.emit(AppIntentBound(intent: intent, task: identity(of: task), key: key))
  }

  /// Records that a task no longer carries out an intent.
  public func unbind(_ intent: String, from task: URLSessionTask, because reason: String) {
    context.sink.emit(AppIntentUnbound(intent: intent, task: identity(of: task), reason: reason))
  }

  // MARK: Outcomes

  /// Records the outcome that the app attributes to a task.
  ///
  /// - Parameters:
  ///   - message: An explanation. Private in the log.
  ///   - acceptedStatus: The HTTP status of 400 or more that the app accepts as a success on purpose, for example a 404 that
  ///     means that an object does not exist.
  public func record(
    _ outcome: Outcome, of task: URLSessionTask, intent: String? = nil, message: String? = nil, acceptedStatus: Int? = nil
  ) {
    context.sink.emit(
      AppOutcomeRecorded(
        intent: intent, task: identity(of: task), outcome: outcome, message: message, acceptedStatus: acceptedStatus))
  }

  /// Records the outcome of an intent that has no task.
  public func record(_ outcome: Outcome, of intent: String, message: String? = nil) {
    context.sink.emit(AppOutcomeRecorded(intent: intent, outcome: outcome, message: message))
  }

  /// Records that the app ignores a callback. Call this method during the callback.
  public func drop(_ callback: Callback, of task: URLSessionTask, because reason: DropReason) {
    guard let recording = context.tasks.recording(of: task), let delivery = recording.delivery(of: callback) else { return }
    context.sink.emit(
      DeliveryDropped(task: recording.identity, delivery: delivery, callback: callback, why: reason, by: .app))
  }

  // MARK: Files

  /// Moves a downloaded file with `FileManager` and records the result. Throws the errors of `FileManager`.
  public func move(_ location: URL, to destination: URL, of task: URLSessionTask) throws {
    try FileMove.move.perform(from: location, to: destination, of: context.tasks.recording(of: task))
  }

  /// Copies a downloaded file with `FileManager` and records the result. Throws the errors of `FileManager`.
  public func copy(_ location: URL, to destination: URL, of task: URLSessionTask) throws {
    try FileMove.copy.perform(from: location, to: destination, of: context.tasks.recording(of: task))
  }

  /// Opens a downloaded file for reading and records the result. The handle stays readable even after the file is deleted.
  /// Throws the errors of `FileHandle`.
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

  /// Records that the app deleted a file that a task sent or was going to send.
  public func deleted(_ file: URL, of task: URLSessionTask) {
    guard let identity = identity(of: task) else { return }
    context.sink.emit(FileDeleted(task: identity, file: file.path, by: .app))
  }

  /// Records that a file could not be opened. If the path belongs to a previous data directory of the app, the log also says
  /// whether the same file exists in the current data directory.
  ///
  /// - Parameters:
  ///   - osError: The errno value.
  ///   - container: The app's current data directory.
  public func couldNotOpen(
    _ file: URL, osError: Int32, of task: URLSessionTask? = nil, container: String = NSHomeDirectory()
  ) {
    let moved = MovedPath(file.path, from: container)
    context.sink.emit(
      DiskOpenFailed(
        task: identity(of: task), file: file.path, osError: Int(osError), container: moved?.container, exists: moved != nil))
  }

  // MARK: Locks

  /// Records that the app acquired a lock that it shares with other processes.
  ///
  /// - Parameter name: The name of the lock, the same in all processes.
  /// - Returns: The lock, whose release the app must record.
  public func acquiredLock(_ name: String) -> AppLock {
    let lock = AppLock(id: context.makeCorrelation(), name: name, sink: context.sink)
    context.sink.emit(AppLockTaken(lock: lock.id, name: name))
    return lock
  }

  /// Records that the app timed out while waiting for a lock.
  public func timedOut(waitingForLock name: String, after time: Duration) {
    context.sink.emit(AppLockTimedOut(name: name, elapsed: time))
  }

  // MARK: Work, notes and journal

  /// Records the start of the app's own work, such as decoding a downloaded file.
  ///
  /// - Returns: The work, whose end the app must record.
  public func beginWork(_ name: String, for task: URLSessionTask? = nil) -> AppWork {
    let work = AppWork(id: context.makeCorrelation(), name: name, task: identity(of: task), sink: context.sink)
    context.sink.emit(AppWorkBegun(work: work.id, name: name, task: work.task))
    return work
  }

  /// Records a note.
  ///
  /// - Parameter message: The text. Private in the log. Use `EventLogger` for messages with a privacy level for each argument.
  public func note(_ message: String, task: URLSessionTask? = nil, intent: String? = nil) {
    context.sink.emit(AppNoted(task: identity(of: task), intent: intent, message: message))
  }

  /// Records that a listener in the app receives the results of a session's tasks.
  public func attachedListener(_ name: String, to session: RecordedSession) {
    context.sink.emit(AppListenerAttached(session: session.name, name: name))
  }

  /// Records that the app's journal was written to disk up to an entry.
  public func savedJournal(upTo entry: Int64) { context.sink.emit(AppJournalSaved(upTo: entry)) }

  // MARK: Secrets and settings

  /// Records that the app tried to read a secret, such as a token in the keychain.
  ///
  /// - Parameters:
  ///   - name: The app's name for the secret. Public in the log. Never pass the secret itself.
  ///   - answer: The result of reading.
  ///   - status: The status code that the system returned, for example -25308. `nil` when there is none.
  public func readSecret(_ name: String, _ answer: SecretAnswer, status: Int? = nil, for task: URLSessionTask? = nil) {
    context.sink.emit(AppSecretRead(name: name, secretAnswer: answer, osError: status, task: identity(of: task)))
  }

  /// Records that the app deleted a secret, for example because the user signed out.
  public func deletedSecret(_ name: String, because reason: String) {
    context.sink.emit(AppSecretDeleted(name: name, reason: reason))
  }

  /// Records the change of a setting that affects transfers.
  public func changed(_ policy: PolicyName, to enabled: Bool, by actor: Actor = .user) {
    context.sink.emit(PolicyChanged(policy: policy, enabled: enabled, by: actor))
  }

  /// Records the start of a multipart upload.
  ///
  /// - Parameter resumable: Whether the app continues the upload after a relaunch.
  /// - Returns: The upload, with which the app records the parts and the end of the upload.
  public func beginMultipartUpload(resumable: Bool, with task: URLSessionTask? = nil) -> AppMultipartUpload {
    let upload = AppMultipartUpload(id: context.makeCorrelation(), sink: context.sink)
    context.sink.emit(MultipartStarted(upload: upload.id, task: identity(of: task), resumable: resumable))
    return upload
  }

  /// Returns a multipart upload that the app started before a relaunch.
  public func multipartUpload(_ id: CorrelationID) -> AppMultipartUpload { AppMultipartUpload(id: id, sink: context.sink) }

  /// Records the app's declared background modes and permissions.
  public func recordCapabilities(_ names: [String]) {
    context.sink.emit(AppCapabilitiesRecorded(capabilities: names.joined(separator: ",")))
  }
}

/// A multipart upload. The server keeps its parts until the upload is completed or aborted.
public struct AppMultipartUpload: Sendable {
  /// The ID of the upload, which the app stores to refer to the upload after a relaunch.
  public let id: CorrelationID
  let sink: any EventSink

  /// Records that the server stored a part of the given size.
  public func storedPart(_ number: Int, bytes: Int64) { sink.emit(MultipartPartStored(upload: id, part: number, sent: bytes)) }
  /// Records that the upload was completed.
  public func complete() { sink.emit(MultipartCompleted(upload: id)) }
  /// Records that the upload was aborted.
  public func abort() { sink.emit(MultipartAborted(upload: id)) }
}

/// A piece of the app's own work in progress.
public struct AppWork: Sendable {
  let id: CorrelationID
  public let name: String
  let task: TaskIdentity?
  let sink: any EventSink

  /// Records the end of the work. Call this method once.
  public func end() { sink.emit(AppWorkEnded(work: id, name: name, task: task)) }
}

/// A lock that the app holds.
public struct AppLock: Sendable {
  let id: CorrelationID
  public let name: String
  let sink: any EventSink

  /// Records the release of the lock. Call this method once, after the lock was released.
  public func release() { sink.emit(AppLockReleased(lock: id, name: name)) }
}
