import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents

/// Runs the transfers of a plan in their sessions, and reports the result of each.
final class TransferRun: TransferSessionDelegate {
  let plan: [PlannedTransfer]
  let sink: any EventSink
  let heads: HeadFiles
  let permissions = FilePermissions()
  private let verb: Verb
  let settings: RunSettings
  private let cookies: TransferSession.CookieStorage?
  private let reporter: any TransferReporter
  private let clock = ContinuousClock()
  private let directories: DirectorySynchroniser
  /// The serial queue for delegate callbacks and for all other work of the run.
  private let queue = DispatchQueue(label: "xfer.delegate")
  private let state: Mutex<State>

  private struct State {
    var next = 0
    var flights: [TaskUID: Flight] = [:]
    var sessions: [SessionSettings: TransferSession] = [:]
    /// The number of sessions that have not been invalidated yet.
    var openSessions = 0
    /// The number of ended transfers whose directory is not synced yet.
    var unacknowledged = 0
    var results: [TransferResult?]
    var isCancelled = false
    /// The transfers whose existing file is known to be incomplete or of another version.
    var probed: Set<Int> = []
    /// The directories whose creation was already attempted.
    var directories: Set<Substring> = []
    var lastStart: ContinuousClock.Instant?
    var ended: CheckedContinuation<Void, Never>?
  }

  /// - Parameters:
  ///   - cookies: The cookies of the command. `nil` when it does not use cookies.
  ///   - reporter: Receives starts, progress and results on the run's queue.
  init(
    _ plan: TransferPlan, _ settings: CommandSettings, cookies: TransferSession.CookieStorage?, sink: any EventSink,
    reporter: any TransferReporter
  ) {
    self.plan = plan.transfers
    (verb, self.settings, self.cookies, self.sink, self.reporter) = (settings.verb, settings.run, cookies, sink, reporter)
    heads = HeadFiles()
    directories = DirectorySynchroniser(queue)
    state = Mutex(State(results: Array(repeating: nil, count: plan.transfers.count)))
    let sessions = Set(plan.transfers.map(\.settings.session)).count
    connections =
      settings.run.isParallel
      ? DescriptorBudget.current.transfers(wanted: settings.run.parallelMax, sessions: sessions) : 1
  }

  /// The maximum number of simultaneous transfers.
  private let connections: Int
  /// The number of tasks to keep in the sessions, so that a waiting task can use a free connection immediately.
  private var ahead: Int { settings.isParallel && settings.interval == nil ? connections * 2 : 1 }

  /// Runs all transfers and invalidates the sessions.
  ///
  /// - Returns: The results, in the order of the plan.
  func callAsFunction() async -> [TransferResult] {
    await withCheckedContinuation { continuation in
      state.withLock { $0.ended = continuation }
      queue.async { for _ in 0..<self.ahead { self.startNext() } }
    }
    // The last callback may still be running. Wait for it, so that the log is complete.
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    return state.withLock { state in
      zip(plan.indices, state.results).map { place, result in
        if let result { return result }
        var result = TransferResult(plan[place], place: place)
        result.problem = .cancelled
        return result
      }
    }
  }

  /// Starts no more transfers, and cancels the running ones.
  func cancel() {
    queue.async {
      let sessions = self.state.withLock { state in
        state.isCancelled = true
        return Array(state.sessions.values)
      }
      for session in sessions { session.invalidateAndCancel() }
      self.endWhenIdle()
    }
  }

  // MARK: Starting transfers

  private func startNext() {
    while let place = takeNext() {
      if let result = skippedResult(plan[place], place) {
        finish(result)
        continue
      }
      do throws(TransferResult.Problem) {
        try start(place)
        return
      } catch {
        var result = TransferResult(plan[place], place: place)
        result.problem = error
        finish(result)
      }
    }
    endSessions()
  }

  /// - Returns: The index of the next transfer, or `nil` when none can start now.
  private func takeNext() -> Int? {
    let now = clock.now
    let wait = state.withLock { state -> Duration? in
      guard let interval = settings.interval, let last = state.lastStart, last + interval > now, state.next < plan.count else {
        return nil
      }
      return last + interval - now
    }
    if let wait {
      queue.asyncAfter(deadline: .now() + (wait / .seconds(1))) { self.startNext() }
      return nil
    }
    return state.withLock { state in
      guard !state.isCancelled, state.next < plan.count else { return nil }
      state.lastStart = now
      state.next += 1
      return state.next - 1
    }
  }

  /// Returns the result of a transfer that is skipped without being started, or `nil` when it must be started.
  private func skippedResult(_ transfer: PlannedTransfer, _ place: Int) -> TransferResult? {
    guard transfer.settings.skipsExisting, case .file(let path) = transfer.destination, FileKind(path) == .regular else {
      return nil
    }
    var result = TransferResult(transfer, place: place)
    result.skipped = "\(path) already exists"
    return result
  }

  private func start(_ place: Int) throws(TransferResult.Problem) {
    let transfer = plan[place]
    let session = try session(transfer.settings.session)
    try makeDirectory(for: transfer)
    if let path = transfer.settings.headFile { try heads.open(path, group: transfer.group) }
    let size = state.withLock { $0.probed.contains(place) } ? nil : sizeToProbe(transfer)
    let (task, partial): (TransferTask, PartialDownload?)
    if let size {
      (task, partial) = (try makeProbe(transfer, from: size, session), nil)
    } else {
      (task, partial) = try makeTask(transfer, session)
    }
    var flight = Flight(transfer, place: place, started: clock.now, probedSize: size)
    flight.partial = partial
    state.withLock { $0.flights[task.uid] = flight }
    reporter.began(transfer, place: place)
    if settings.showsSteps { Narration.sent(task.originalRequest) }
    task.resume()
  }

  private func session(_ settings: SessionSettings) throws(TransferResult.Problem) -> TransferSession {
    if let session = state.withLock({ $0.sessions[settings] }) { return session }
    let configuration: TransferSession.Configuration
    do throws(OptionProblem) {
      configuration = try settings.configuration(
        verb, connections: connections, cookies: cookies, synchronises: self.settings.synchronises)
    } catch {
      throw .init(exitCode: error.exitCode, text: error.text)
    }
    let session = TransferSession(
      configuration: configuration, delegate: self, delegateExecutor: QueueExecutor(queue), sink: sink)
    state.withLock { state in
      state.sessions[settings] = session
      state.openSessions += 1
    }
    return session
  }

  private func makeDirectory(for transfer: PlannedTransfer) throws(TransferResult.Problem) {
    let directory: Substring
    switch transfer.destination {
    case .file(let path): directory = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    case .serverNamed(let path, _): directory = path[...]
    case .standardOutput, .nowhere: return
    }
    guard transfer.settings.createsDirectories, !directory.isEmpty,
      state.withLock({ $0.directories.insert(directory).inserted })
    else { return }
    let missing = settings.synchronises ? Self.missingDirectories(String(directory)) : []
    do {
      try FileManager.default.createDirectory(atPath: String(directory), withIntermediateDirectories: true)
    } catch {
      throw .init(exitCode: 23, text: "the directory \(directory) cannot be created: \(error.localizedDescription)")
    }
    do throws(TransferError) {
      for made in missing { try DurableFile.syncDirectory(of: made) }
    } catch {
      throw .init(error)
    }
  }

  /// Returns the path and its missing parent directories, innermost first.
  private static func missingDirectories(_ path: String) -> [String] {
    var (missing, path) = ([String](), path)
    while FileKind(path) == .nothing, path != ".", path != "/" {
      if path.utf8.last == UInt8(ascii: "/") {
        path.removeLast()
        continue
      }
      missing.append(path)
      path = DurableFile.directory(of: path)
    }
    return missing
  }

  func finish(_ result: TransferResult) {
    state.withLock { state in
      state.results[result.place] = result
      if result.problem != nil, settings.failsEarly { state.next = plan.count }
    }
    reporter.ended(result)
  }

  /// Reports how a transfer ended, after its file has been synced to disk.
  private func acknowledge(_ result: TransferResult, _ task: TaskIdentity) {
    guard settings.synchronises, result.problem == nil, let path = result.path, FileKind(path) == .regular else {
      return say(result, task)
    }
    state.withLock { $0.unacknowledged += 1 }
    directories.synchronise(path) { error in
      var result = result
      result.problem = error.map { .init($0) }
      self.say(result, task)
      self.state.withLock { $0.unacknowledged -= 1 }
      self.endWhenIdle()
    }
  }

  private func say(_ result: TransferResult, _ task: TaskIdentity) {
    // The options accept the status of an error page that is no failure, as curl does without --fail.
    let accepted = result.problem == nil ? result.response?.statusCode : nil
    sink.emit(
      AppOutcomeRecorded(
        task: task, outcome: result.problem.map { $0.isCancellation ? .cancelled : .failure } ?? .success,
        message: result.problem?.text, acceptedStatus: accepted.flatMap { $0 >= 400 ? $0 : nil }))
    finish(result)
  }

  private func endSessions() {
    let sessions = state.withLock { state -> [TransferSession] in
      guard state.isCancelled || state.next >= plan.count, state.flights.isEmpty else { return [] }
      return Array(state.sessions.values)
    }
    for session in sessions { session.finishTasksAndInvalidate() }
    endWhenIdle()
  }

  /// Ends the run when no transfer is running and all sessions are invalidated.
  private func endWhenIdle() {
    let ended = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.isCancelled || state.next >= plan.count, state.openSessions == 0, state.unacknowledged == 0 else {
        return nil
      }
      return state.ended.take()
    }
    ended?.resume()
  }

  // MARK: Running transfers

  func flight(_ task: TransferTask) -> Flight? { state.withLock { $0.flights[task.uid] } }

  func change(_ task: TransferTask, _ change: (inout Flight) -> Void) {
    state.withLock { state in
      if state.flights[task.uid] != nil { change(&state.flights[task.uid]!) }
    }
  }

  /// Cancels a transfer because of a local failure.
  func stop(_ task: TransferTask, _ problem: TransferResult.Problem) {
    change(task) { if $0.problem == nil { $0.problem = problem } }
    task.cancel()
  }

  // MARK: Delegate callbacks

  func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
    guard var flight = state.withLock({ $0.flights.removeValue(forKey: task.uid) }) else { return }
    if flight.probedSize != nil, flight.skipped == nil, task.response != nil, restart(flight, task, session) { return }
    conclude(&flight, task, error)
    var result = TransferResult(flight.transfer, place: flight.place)
    // The body of the answer to a probe is an error page.
    result.received = flight.probedSize == nil ? task.countOfBytesReceived : 0
    result.sent = task.countOfBytesSent
    (result.path, result.response, result.metrics) = (flight.path, task.response, flight.metrics)
    result.effectiveURL = task.currentRequest.writtenURL
    result.effectiveMethod = task.currentRequest.method.rawValue
    (result.referer, result.heads) = (flight.referer, flight.heads)
    result.duration = clock.now - flight.started
    (result.problem, result.skipped) = (flight.problem, flight.skipped)
    (result.resumedFrom, result.count, result.expected) = (flight.resumedFrom ?? 0, flight.count, flight.expected)
    result.isResumable = flight.isResumable
    let identity = TaskIdentity(
      uid: task.uid, session: session.name, number: UInt32(truncatingIfNeeded: task.taskIdentifier))
    result.task = identity
    acknowledge(result, identity)
    startNext()
  }

  /// Downloads a file from the beginning after the server was asked whether the existing file is complete.
  ///
  /// - Returns: Whether the transfer goes on. `false` when the command was interrupted.
  private func restart(_ flight: Flight, _ task: TransferTask, _ session: TransferSession) -> Bool {
    let isCancelled = state.withLock { state in
      state.probed.insert(flight.place)
      return state.isCancelled
    }
    if isCancelled { return false }
    sink.emit(
      AppOutcomeRecorded(
        task: TaskIdentity(
          uid: task.uid, session: session.name, number: UInt32(truncatingIfNeeded: task.taskIdentifier)), outcome: .cancelled))
    do throws(TransferResult.Problem) {
      try start(flight.place)
    } catch {
      var result = TransferResult(flight.transfer, place: flight.place)
      result.problem = error
      finish(result)
      startNext()
    }
    return true
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) {
    state.withLock { $0.openSessions -= 1 }
    endWhenIdle()
  }

  func urlSession(_ session: TransferSession, task: TransferTask, didFinishCollecting metrics: TaskMetrics) {
    if settings.showsSteps { Narration.ended(metrics) }
    change(task) { $0.metrics = metrics }
  }

  // MARK: Progress

  func urlSession(
    _ session: TransferSession, downloadTask: DownloadTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    sayProgress(downloadTask, totalBytesWritten, new: bytesWritten, totalBytesExpectedToWrite)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    sayProgress(task, totalBytesSent, new: bytesSent, totalBytesExpectedToSend)
  }

  private func sayProgress(_ task: TransferTask, _ count: Int64, new: Int64, _ expected: Int64) {
    guard let flight = flight(task) else { return }
    let expected = expected < 0 ? nil : expected
    change(task) { flight in
      if flight.resumedFrom == nil { flight.resumedFrom = max(0, count - new) }
      (flight.count, flight.expected) = (count, expected)
    }
    reporter.progressed(place: flight.place, count: count, new: new, expected: expected)
  }
}

/// A receiver of a run's progress, called on the run's queue.
protocol TransferReporter: Sendable {
  func began(_ transfer: PlannedTransfer, place: Int)
  /// - Parameters:
  ///   - count: The number of bytes so far, including those of an earlier command.
  ///   - new: The number of bytes since the last call.
  ///   - expected: The total number of bytes. `nil` when the total is unknown.
  func progressed(place: Int, count: Int64, new: Int64, expected: Int64?)
  func ended(_ result: TransferResult)
}
