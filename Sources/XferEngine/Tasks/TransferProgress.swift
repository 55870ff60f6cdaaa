internal import Synchronization
internal import XferEvents

/// How far something is: one task, or many that are parts of one whole.
///
/// A tree, as Foundation's `Progress` is one: a part counts for as many units of the whole as it was given. It never goes back, also when a
/// download begins anew, and is 1 once everything has succeeded. Who cancels or suspends a whole does so to its parts.
public final class TransferProgress: Sendable {
  /// What is so at one moment.
  public struct Snapshot: Sendable, Equatable {
    /// Bytes for a task; units of one's own choice for a whole. Parts count once they are finished.
    public var completedUnitCount: Int64
    /// -1 while nobody knows.
    public var totalUnitCount: Int64
    /// From 0 to 1, with what unfinished parts have; 0 while the total is not known.
    public var fractionCompleted: Double
    public var isFinished = false
    public var isCancelled = false
    /// Whether it was suspended, and not resumed since.
    public var isPaused = false
  }

  fileprivate struct State {
    var own: Int64 = 0
    var total: Int64
    var parts: [Part] = []
    weak var whole: TransferProgress?
    /// `nil` for a whole, and once the task is over.
    weak var task: TransferTask?
    /// The furthest that anybody was told.
    var furthest = (fraction: 0.0, units: Int64(0))
    var isFinished = false
    var isCancelled = false
    var isPaused = false
    /// Nothing more will happen: the task has ended.
    var isOver = false
    var observers: [Int: AsyncStream<Snapshot>.Continuation] = [:]
    var lastObserver = 0
  }

  fileprivate struct Part {
    let progress: TransferProgress
    let units: Int64
  }

  private let state: Mutex<State>

  /// A whole that is to be given parts.
  public init(totalUnitCount: Int64) { state = Mutex(State(total: totalUnitCount)) }

  deinit {
    let observers = state.withLock { state in
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    for observer in observers { observer.finish() }
  }

  // MARK: What is so

  public var completedUnitCount: Int64 { snapshot.completedUnitCount }
  /// -1 while nobody knows.
  public var totalUnitCount: Int64 { snapshot.totalUnitCount }
  public var fractionCompleted: Double { snapshot.fractionCompleted }
  public var isFinished: Bool { snapshot.isFinished }
  public var isCancelled: Bool { snapshot.isCancelled }
  public var isPaused: Bool { snapshot.isPaused }

  public var snapshot: Snapshot { look { _, now in now } }

  /// - Parameter body: what is to be done at this very moment, so that nobody hears of an earlier one later.
  private func look<Value: Sendable>(_ body: (inout sending State, Snapshot) -> Value) -> Value {
    let (task, parts) = state.withLock { ($0.task, $0.parts) }
    let reading = task?.progressReading
    // Parts have locks of their own, which are never taken below this one.
    let readings = parts.map { (units: $0.units, snapshot: $0.progress.snapshot) }
    return state.withLock { state in
      let now = state.note(reading, readings)
      return body(&state, now)
    }
  }

  /// How it goes on, beginning with what is so now: at most about twenty times a second, and the newest only. Ends when it is finished or
  /// cancelled, and for a task with the task.
  public var updates: AsyncStream<Snapshot> {
    let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = continuation
      return state.lastObserver
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[number] = nil } }
    tellObservers()
    return stream
  }

  // MARK: Wholes

  /// - Parameter inUnitCount: how many units the part counts for.
  public func addChild(_ child: TransferProgress, withPendingUnitCount inUnitCount: Int64) {
    child.state.withLock { state in
      precondition(state.whole == nil, "a progress is part of one whole")
      state.whole = self
    }
    let (isCancelled, isPaused) = state.withLock { state in
      state.parts.append(Part(progress: child, units: inUnitCount))
      return (state.isCancelled, state.isPaused)
    }
    if isCancelled { child.cancel() } else if isPaused { child.pause() }
    changed()
  }

  /// Counts what the app itself has done of the whole.
  public func complete(unitCount: Int64) {
    state.withLock { $0.own = $0.own.addingClamped(unitCount) }
    changed()
  }

  // MARK: Steps

  /// Cancels the task, or those of all parts.
  public func cancel() {
    order { state in
      guard !state.isFinished, !state.isCancelled, !state.isOver else { return false }
      state.isCancelled = true
      return true
    } task: {
      $0.cancel(reason: .none, by: .progress)
    } part: {
      $0.cancel()
    }
  }

  /// Suspends the task, or those of all parts.
  public func pause() {
    order { state in
      state.isPaused = true
      return !state.isOver
    } task: {
      $0.suspend(by: .progress)
    } part: {
      $0.pause()
    }
  }

  /// Resumes the task, or those of all parts.
  public func resume() {
    order { state in
      state.isPaused = false
      return !state.isOver
    } task: {
      $0.resume(by: .progress)
    } part: {
      $0.resume()
    }
  }

  private func order(
    _ change: (inout sending State) -> Bool, task act: (TransferTask) -> Void, part actOn: (TransferProgress) -> Void
  ) {
    let (isNew, task, parts) = state.withLock { state in (change(&state), state.task, state.parts) }
    guard isNew else { return }
    if let task { act(task) }
    for part in parts { actOn(part.progress) }
    changed()
  }

  // MARK: Told by tasks

  func attach(_ task: TransferTask) { state.withLock { $0.task = task } }

  /// Something moved: those who watch it, or a whole that it is part of, are told.
  func changed() {
    tellObservers()
    state.withLock { $0.whole }?.changed()
  }

  /// The task has all that it was to bring.
  func finish() {
    let reading = state.withLock { $0.task }?.progressReading
    state.withLock { state in
      _ = state.note(reading, [])
      state.isFinished = true
    }
    changed()
  }

  /// The task is over.
  func end(_ error: TransferError?) {
    _ = snapshot
    state.withLock { state in
      state.isOver = true
      state.isPaused = false
      state.isFinished = state.isFinished && error == nil
      if error?.code == .cancelled { state.isCancelled = true }
    }
    changed()
  }

  private func tellObservers() {
    guard state.withLock({ !$0.observers.isEmpty }) else { return }
    let over = look { state, now in
      for observer in state.observers.values { observer.yield(now) }
      guard now.isFinished || now.isCancelled || state.isOver else { return [AsyncStream<Snapshot>.Continuation]() }
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    // Ending a stream calls back, so that happens without the lock.
    for observer in over { observer.finish() }
  }
}

extension TransferProgress.State {
  /// - Parameters:
  ///   - reading: of the task, if it is one's.
  ///   - parts: of a whole.
  fileprivate mutating func note(
    _ reading: TransferProgress.Reading?, _ parts: [(units: Int64, snapshot: TransferProgress.Snapshot)]
  ) -> TransferProgress.Snapshot {
    var (units, fraction) = (own, 0.0)
    if let reading {
      (units, total) = (reading.completed, reading.total)
      if total > 0 { fraction = Double(units) / Double(total) }
    } else if !parts.isEmpty || own > 0 {
      units = parts.reduce(units) { $0.addingClamped($1.snapshot.isFinished ? $1.units : 0) }
      isFinished = isFinished || units >= total && total > 0
      let done = parts.reduce(Double(own)) { $0 + Double($1.units) * $1.snapshot.fractionCompleted }
      if total > 0 { fraction = done / Double(total) }
    }
    furthest = (max(furthest.fraction, isFinished ? 1 : min(1, fraction)), max(furthest.units, units))
    // What nobody had declared is known at the end.
    if isFinished { total = max(total, furthest.units) }
    return TransferProgress.Snapshot(
      completedUnitCount: furthest.units, totalUnitCount: total < 0 ? -1 : max(total, furthest.units),
      fractionCompleted: furthest.fraction, isFinished: isFinished, isCancelled: isCancelled,
      isPaused: reading?.isSuspended ?? isPaused)
  }
}

extension TransferProgress {
  /// Where a task stands.
  struct Reading: Sendable {
    var completed: Int64
    /// -1 when it is not known.
    var total: Int64
    var isSuspended: Bool
  }
}

extension TransferTask {
  /// Bytes in both directions.
  fileprivate var progressReading: TransferProgress.Reading {
    let counts = currentCounts
    let isSuspended = isSuspended
    let expectedToReceive = counts.expected >= 0 ? counts.expected : countOfBytesClientExpectsToReceive
    let expectedToSend = counts.expectedToSend != 0 ? counts.expectedToSend : max(0, countOfBytesClientExpectsToSend)
    let isKnown = expectedToSend >= 0 && (expectedToReceive >= 0 || expectedToSend > 0)
    return .init(
      completed: counts.received.addingClamped(counts.sent),
      total: isKnown ? expectedToSend.addingClamped(max(0, expectedToReceive)) : -1,
      isSuspended: isSuspended)
  }
}
