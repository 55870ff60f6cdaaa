import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents

/// Carries a plan through one session, and says of each transfer what the command made of it.
final class TransferRun: TransferSessionDelegate {
  struct Limits {
    /// How many transfers use a connection at a time.
    var parallel: Int
    /// Whether a status of 400 and above is a failure, and its body not the file that was asked for.
    var failsOnStatus: Bool
  }

  private let plan: TransferPlan
  private let limits: Limits
  private let sink: any EventSink
  private let permissions = FilePermissions()
  private let onProgress: @Sendable (Progress) -> Void
  /// Where the delegate is called, and where everything else happens, too.
  private let queue = DispatchQueue(label: "xfer.delegate")
  private let state: Mutex<State>

  struct Progress: Sendable {
    var finished = 0
    var failed = 0
    var received: Int64 = 0
  }

  private struct State {
    var next = 0
    var places: [Int: Int] = [:]
    var results: [TransferResult?]
    /// What happened to a file during its callback, by place.
    var problems: [Int: TransferResult.Problem] = [:]
    var progress = Progress()
    var isCancelled = false
    var session: TransferSession?
    var ended: CheckedContinuation<Void, Never>?
  }

  init(
    _ plan: TransferPlan, limits: Limits, sink: any EventSink, onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.plan = plan
    self.limits = limits
    self.sink = sink
    self.onProgress = onProgress
    state = Mutex(State(results: Array(repeating: nil, count: plan.transfers.count)))
  }

  /// Carries all transfers to their ends, and ends the session.
  ///
  /// - Parameter configuration: what the limits do not say.
  /// - Returns: the results in the order of the plan.
  func callAsFunction(_ configuration: TransferSession.Configuration) async -> [TransferResult] {
    var configuration = configuration
    configuration.maximumConnections = limits.parallel
    configuration.httpMaximumConnectionsPerHost = limits.parallel
    await carry(TransferSession(configuration: configuration, delegate: self, delegateExecutor: QueueExecutor(queue), sink: sink))
    // The last callback has begun; behind it the log has all of it.
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    return state.withLock { state in
      zip(plan.transfers, state.results).map { $1 ?? TransferResult(transfer: $0, received: 0, problem: .cancelled) }
    }
  }

  private func carry(_ session: TransferSession) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.session = session
        state.ended = continuation
      }
      // As many again wait in the session, so that no connection idles while the command thinks.
      queue.async { for _ in 0..<self.limits.parallel * 2 { self.startNext(in: session) } }
    }
  }

  /// Begins no more transfers, and ends those that run.
  func cancel() {
    queue.async {
      let session = self.state.withLock { state in
        state.isCancelled = true
        return state.session
      }
      session?.invalidateAndCancel()
    }
  }

  // MARK: One transfer after the other, on the queue

  private func startNext(in session: TransferSession) {
    while let place = takeNext() {
      do throws(TransferError) {
        let task = try session.downloadTask(with: HTTPRequest(method: .get, urlText: plan.transfers[place].url))
        state.withLock { $0.places[task.taskIdentifier] = place }
        task.resume()
        return
      } catch {
        finish(place, received: 0, problem: .init(error))
      }
    }
    session.finishTasksAndInvalidate()
  }

  private func takeNext() -> Int? {
    state.withLock { state in
      guard !state.isCancelled, state.next < plan.transfers.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  private func finish(_ place: Int, received: Int64, problem: TransferResult.Problem?) {
    let progress = state.withLock { state in
      state.results[place] = TransferResult(transfer: plan.transfers[place], received: received, problem: problem)
      state.progress.finished += 1
      state.progress.received += received
      if problem != nil { state.progress.failed += 1 }
      return state.progress
    }
    onProgress(progress)
  }

  // MARK: Delegate

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    guard let place = state.withLock({ $0.places[downloadTask.taskIdentifier] }) else { return }
    if limits.failsOnStatus, let status = downloadTask.response?.statusCode, status >= 400 { return }
    do throws(TransferResult.Problem) {
      try put(location, at: plan.transfers[place].destination)
    } catch {
      state.withLock { $0.problems[place] = error }
    }
  }

  private func put(_ file: DownloadedFile, at destination: TransferPlan.Destination) throws(TransferResult.Problem) {
    switch destination {
    case .file(let path):
      // The temporary file is its owner's alone; what the user asked for is like any other file of theirs.
      chmod(file.path, permissions.mode(replacing: path))
      try claim { () throws(TransferError) in try file.move(to: path, replacing: true) }
    case .standardOutput: try StandardOutput.copy(from: claim { () throws(TransferError) in try file.open() })
    }
  }

  private func claim<Value>(_ act: () throws(TransferError) -> Value) throws(TransferResult.Problem) -> Value {
    do throws(TransferError) { return try act() } catch { throw .init(error) }
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    guard let place = state.withLock({ $0.places.removeValue(forKey: task.taskIdentifier) }) else { return }
    let problem = problem(of: task, at: place, error)
    sink.emit(
      AppOutcomeRecorded(
        task: TaskIdentity(uid: task.uid, session: session.name, number: UInt32(task.taskIdentifier)),
        outcome: problem.map { $0.isCancellation ? .cancelled : .failure } ?? .success))
    finish(place, received: task.countOfBytesReceived, problem: problem)
    startNext(in: session)
  }

  private func problem(of task: TransferTask, at place: Int, _ error: TransferError?) -> TransferResult.Problem? {
    if let error { return .init(error) }
    if let problem = state.withLock({ $0.problems.removeValue(forKey: place) }) { return problem }
    guard limits.failsOnStatus, let status = task.response?.statusCode, status >= 400 else { return nil }
    return .status(status)
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    state.withLock { state in
      state.session = nil
      state.ended.take()?.resume()
    }
  }
}
