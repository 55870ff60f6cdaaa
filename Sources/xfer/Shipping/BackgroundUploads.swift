import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferCrypto
import XferEngine
import XferEvents

/// The uploads of one log that `xferd` carries out, also after the command has ended: a background session that all runs with the same
/// journal share.
///
/// `xferd` keeps a result until the callback for it has returned, and each callback first writes the journal. A result is therefore
/// neither lost nor used twice, whenever a process is killed.
final class BackgroundUploads: TransferSessionDelegate {
  /// An upload that has ended, and why it was not confirmed.
  struct Result: Sendable {
    let upload: HandedUpload
    /// `nil` if the server has confirmed the object.
    let problem: String?
  }

  /// The directory of the copies that `xferd` sends.
  let outbox: String
  private let journal: ShipJournalFile
  private let isSigned: Bool
  private let queue = DispatchQueue(label: "xfer.ship")
  private let state = Mutex(State())
  /// Signals each change of the state with `true`, and the end of a wait with `false`.
  private let (signals, signal) = AsyncStream.makeStream(of: Bool.self)
  private let session = Mutex<TransferSession?>(nil)

  private struct State {
    var bodies: [TaskUID: Data] = [:]
    var ended: Set<TaskUID> = []
    var results: [Result] = []
    /// The tasks of earlier runs. `nil` until `xferd` has reported them.
    var tasks: [TransferTask]?
    var areEventsFinished = false
    var isHeld = false
    /// The reason why the session cannot be used.
    var problem: CommandExit?
  }

  /// The maximum time for an answer of `xferd`.
  private static let patience: Duration = .seconds(30)

  init(_ journal: ShipJournalFile, isSigned: Bool, authorities: String?) {
    self.journal = journal
    self.isSigned = isSigned
    let place = URL(fileURLWithPath: journal.path).standardizedFileURL.path
    outbox = "\(place).outbox"
    let name = SHA256.hash(data: Array(place.utf8)).hexadecimal.prefix(16)
    var configuration = TransferSession.Configuration.background(withIdentifier: "xfer.ship.\(name)")
    configuration.sessionSendsLaunchEvents = false
    // A signature has expired after this time.
    configuration.timeoutIntervalForResource = .seconds(RequestPresigner.lifetime)
    configuration.redirectLimit = 0
    configuration.maximumBodyBytes = 1 << 20
    configuration.serverTrust.authoritiesFile = authorities.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    let session = TransferSession(
      configuration: configuration, delegate: self, delegateExecutor: QueueExecutor(queue), sink: NullSink())
    self.session.withLock { $0 = session }
  }

  // MARK: Results

  /// Waits until all results that `xferd` has are in the journal.
  ///
  /// - Parameter isObsolete: Whether an upload is cancelled if it has not ended. Its end is awaited.
  /// - Returns: The uploads that have ended, and those that have not.
  func collect(cancelling isObsolete: (HandedUpload) -> Bool) async throws -> (results: [Result], live: [HandedUpload]) {
    let session = session.withLock { $0 }
    session?.getAllTasks { [self] tasks in change { $0.tasks = tasks } }
    try await wait { $0.tasks != nil }
    let tasks = state.withLock { $0.tasks ?? [] }
    let obsolete = tasks.filter { HandedUpload($0.metadata).map(isObsolete) ?? true }
    for task in obsolete { task.cancel() }
    // `xferd` may have been killed after it had stored a task, and before it was told to resume the task.
    for task in tasks where !obsolete.contains(where: { $0.uid == task.uid }) { task.resume() }
    try await wait { state in obsolete.allSatisfy { state.ended.contains($0.uid) } }
    // A task that ended between the runs is not among the tasks, but its callbacks are held.
    if session?.heldCallbacks ?? 0 > 0 { try await wait { $0.areEventsFinished } }
    return state.withLock { state in
      defer { state.results = [] }
      return (state.results, tasks.filter { !state.ended.contains($0.uid) }.compactMap { HandedUpload($0.metadata) })
    }
  }

  /// Ends the session, which must have no tasks.
  func close() { session.withLock { $0 }?.finishTasksAndInvalidate() }

  /// Leaves further results in `xferd` for the next run.
  ///
  /// - Returns: The uploads that have ended since `collect`.
  func hold() async throws -> [Result] {
    // `xferd` delivers the body of a response before the end of its task, and only once. It must not be lost between two runs.
    try await wait { state in
      state.isHeld = state.bodies.isEmpty
      return state.isHeld
    }
    return state.withLock { $0.results }
  }

  /// Leaves further results in `xferd` at once, because the run has failed.
  func stop() { state.withLock { $0.isHeld = true } }

  private func change(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    signal.yield(true)
  }

  private func wait(until isReached: (inout State) -> Bool) async throws {
    let limit = Task {
      try await Task.sleep(for: Self.patience)
      signal.yield(false)
    }
    defer { limit.cancel() }
    func isDone() throws -> Bool {
      try state.withLock { state in
        if let problem = state.problem { throw problem }
        return isReached(&state)
      }
    }
    if try isDone() { return }
    for await isChange in signals {
      if try isDone() { return }
      guard isChange else {
        throw CommandExit(
          ShipRun.failed,
          "xferd does not answer, so its results are unknown. Check that xferd is next to xfer, and run the command again.",
          isTemporary: true)
      }
    }
    try Task.checkCancellation()
  }

  // MARK: Uploads

  /// Hands a request to `xferd`, which keeps it also if the machine restarts.
  func hand(_ request: HTTPRequest, _ upload: HandedUpload) throws {
    guard let session = session.withLock({ $0 }) else { return }
    let options = TransferSession.TaskOptions(metadata: upload.metadata)
    try session.uploadTask(with: request, fromFile: URL(fileURLWithPath: "\(outbox)/\(upload.file)"), options: options).resume()
  }

  // MARK: Callbacks

  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {
    let isNoted = state.withLock { state in
      if !state.isHeld { state.bodies[dataTask.uid, default: Data()] += data }
      return !state.isHeld
    }
    if !isNoted { waitForEnd() }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    let body = state.withLock { $0.bodies[task.uid] } ?? Data()
    guard let upload = HandedUpload(task.metadata) else {
      return change { state in
        state.bodies[task.uid] = nil
        state.ended.insert(task.uid)
      }
    }
    let problem = problem(task, upload, error, body)
    let isNoted = state.withLock { state in
      if state.isHeld { return false }
      do throws(CommandExit) {
        try journal.update { $0.note(upload, isConfirmed: problem == nil) }
        state.bodies[task.uid] = nil
        state.ended.insert(task.uid)
        if error?.code != .cancelled { state.results.append(Result(upload: upload, problem: problem)) }
        return true
      } catch {
        state.problem = error
        return false
      }
    }
    if isNoted { unlink("\(outbox)/\(upload.file)") }
    signal.yield(true)
    if !isNoted { waitForEnd() }
  }

  /// Waits until the process ends. `xferd` repeats what it delivered in the next run, because the callback does not return.
  private func waitForEnd() { DispatchSemaphore(value: 0).wait() }

  private func problem(_ task: TransferTask, _ upload: HandedUpload, _ error: TransferError?, _ body: Data) -> String? {
    if let error { return "\(upload.key) was not sent: \(error.problem)" }
    guard let status = task.response?.statusCode else { return "\(upload.key) was not sent: there is no response" }
    if 200..<300 ~= status { return nil }
    return "\(StorageRefusal(key: upload.key, status: status, body: body, isSigned: isSigned))"
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: TransferSession) { change { $0.areEventsFinished = true } }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    guard let error else { return }
    change { $0.problem = CommandExit(ShipRun.failed, "xferd cannot be used: \(error.problem)", isTemporary: true) }
  }
}
