internal import Synchronization
internal import XferEvents

/// The progress of one task or of a group of tasks.
///
/// Progress objects form a tree, like Foundation's `Progress`: a child accounts for a fixed number of its parent's units.
/// Progress never decreases, even when a download restarts, and reaches 1 when everything has succeeded. Cancelling, pausing or
/// resuming a parent applies to its children.
public final class TransferProgress: Sendable {
  /// The values of a progress at one moment.
  public struct Snapshot: Sendable, Equatable {
    /// The completed units: bytes for a task, or app-defined units for a parent. A child's units count when the child has
    /// finished.
    public var completedUnitCount: Int64
    /// The total number of units. -1 means unknown.
    public var totalUnitCount: Int64
    /// The completed fraction, from 0 to 1, including unfinished children. 0 while the total is unknown.
    public var fractionCompleted: Double
    public var isFinished = false
    public var isCancelled = false
    /// Whether the progress was paused and not resumed since.
    public var isPaused = false
  }

  fileprivate struct State {
    var own: Int64 = 0
    var total: Int64
    var children: [Child] = []
    weak var parent: TransferProgress?
    /// The task. `nil` for a parent progress, and after the task has been released.
    weak var task: TransferTask?
    /// The highest values reported so far.
    var furthest = (fraction: 0.0, units: Int64(0))
    var isFinished = false
    var isCancelled = false
    var isPaused = false
    /// Whether the task has ended, so that the progress no longer changes.
    var isOver = false
    var observers: [Int: AsyncStream<Snapshot>.Continuation] = [:]
    var lastObserver = 0
  }

  fileprivate struct Child {
    let progress: TransferProgress
    let units: Int64
  }

  private let state: Mutex<State>

  /// Creates a parent progress, to which children are added.
  public init(totalUnitCount: Int64) { state = Mutex(State(total: totalUnitCount)) }

  deinit {
    let observers = state.withLock { state in
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    for observer in observers { observer.finish() }
  }

  // MARK: Values

  public var completedUnitCount: Int64 { snapshot.completedUnitCount }
  /// The total number of units. -1 means unknown.
  public var totalUnitCount: Int64 { snapshot.totalUnitCount }
  public var fractionCompleted: Double { snapshot.fractionCompleted }
  public var isFinished: Bool { snapshot.isFinished }
  public var isCancelled: Bool { snapshot.isCancelled }
  public var isPaused: Bool { snapshot.isPaused }

  public var snapshot: Snapshot { withSnapshot { _, now in now } }

  /// Takes a snapshot and passes it to a closure.
  ///
  /// - Parameter body: A closure that is called under the lock, so that observers get snapshots in order.
  private func withSnapshot<Value: Sendable>(_ body: (inout sending State, Snapshot) -> Value) -> Value {
    let (task, children) = state.withLock { ($0.task, $0.children) }
    let reading = task?.progressReading
    // Children are read before this object's lock is taken: holding both locks at once could deadlock.
    let readings = children.map { (units: $0.units, snapshot: $0.progress.snapshot) }
    return state.withLock { state in
      let now = state.note(reading, readings)
      return body(&state, now)
    }
  }

  /// A stream of snapshots, starting with the current one. Buffers only the newest snapshot. The bytes of each task add at most
  /// about 20 snapshots per second.
  ///
  /// The stream ends when the progress is finished or cancelled, or when its task has ended.
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

  // MARK: Children

  /// Adds a child, which must not have another parent.
  ///
  /// - Parameters:
  ///   - child: The progress to add.
  ///   - inUnitCount: The number of this progress's units that the child accounts for.
  public func addChild(_ child: TransferProgress, withPendingUnitCount inUnitCount: Int64) {
    child.state.withLock { state in
      precondition(state.parent == nil, "a progress has at most one parent")
      state.parent = self
    }
    let (isCancelled, isPaused) = state.withLock { state in
      state.children.append(Child(progress: child, units: inUnitCount))
      return (state.isCancelled, state.isPaused)
    }
    if isCancelled { child.cancel() } else if isPaused { child.pause() }
    changed()
  }

  /// Adds units that the app has completed itself.
  public func complete(unitCount: Int64) {
    state.withLock { $0.own = $0.own.addingClamped(unitCount) }
    changed()
  }

  // MARK: Control

  /// Cancels the task, or the tasks of all children.
  public func cancel() {
    order { state in
      guard !state.isFinished, !state.isCancelled, !state.isOver else { return false }
      state.isCancelled = true
      return true
    } task: {
      $0.cancel(reason: .none, by: .progress)
    } child: {
      $0.cancel()
    }
  }

  /// Suspends the task, or the tasks of all children.
  public func pause() {
    order { state in
      state.isPaused = true
      return !state.isOver
    } task: {
      $0.suspend(by: .progress)
    } child: {
      $0.pause()
    }
  }

  /// Resumes the task, or the tasks of all children.
  public func resume() {
    order { state in
      state.isPaused = false
      return !state.isOver
    } task: {
      $0.resume(by: .progress)
    } child: {
      $0.resume()
    }
  }

  private func order(
    _ change: (inout sending State) -> Bool, task act: (TransferTask) -> Void, child actOn: (TransferProgress) -> Void
  ) {
    let (isNew, task, children) = state.withLock { state in (change(&state), state.task, state.children) }
    guard isNew else { return }
    if let task { act(task) }
    for child in children { actOn(child.progress) }
    changed()
  }

  // MARK: Updates from tasks

  func attach(_ task: TransferTask) { state.withLock { $0.task = task } }

  /// Notifies the observers of this progress and of its parents that values have changed.
  func changed() {
    tellObservers()
    state.withLock { $0.parent }?.changed()
  }

  /// Marks the progress as finished, because the task's transfer succeeded.
  func finish() {
    let reading = state.withLock { $0.task }?.progressReading
    state.withLock { state in
      _ = state.note(reading, [])
      state.isFinished = true
    }
    changed()
  }

  /// Records that the task has ended. `error` is `nil` if the task succeeded.
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
    let over = withSnapshot { state, now in
      for observer in state.observers.values { observer.yield(now) }
      guard now.isFinished || now.isCancelled || state.isOver else { return [AsyncStream<Snapshot>.Continuation]() }
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    // Finishing a stream calls `onTermination`, which takes the lock, so it happens outside the lock.
    for observer in over { observer.finish() }
  }
}

extension TransferProgress.State {
  /// Updates the highest values and returns a snapshot.
  ///
  /// - Parameters:
  ///   - reading: The byte counts of the task. `nil` for a parent progress.
  ///   - children: The units and snapshots of the children.
  fileprivate mutating func note(
    _ reading: TransferProgress.Reading?, _ children: [(units: Int64, snapshot: TransferProgress.Snapshot)]
  ) -> TransferProgress.Snapshot {
    var (units, fraction) = (own, 0.0)
    if let reading {
      (units, total) = (reading.completed, reading.total)
      if total > 0 { fraction = Double(units) / Double(total) }
    } else if !children.isEmpty || own > 0 {
      units = children.reduce(units) { $0.addingClamped($1.snapshot.isFinished ? $1.units : 0) }
      isFinished = isFinished || units >= total && total > 0
      let done = children.reduce(Double(own)) { $0 + Double($1.units) * $1.snapshot.fractionCompleted }
      if total > 0 { fraction = done / Double(total) }
    }
    furthest = (max(furthest.fraction, isFinished ? 1 : min(1, fraction)), max(furthest.units, units))
    // An undeclared total is known once the transfer has finished.
    if isFinished { total = max(total, furthest.units) }
    return TransferProgress.Snapshot(
      completedUnitCount: furthest.units, totalUnitCount: total < 0 ? -1 : max(total, furthest.units),
      fractionCompleted: furthest.fraction, isFinished: isFinished, isCancelled: isCancelled,
      isPaused: reading?.isSuspended ?? isPaused)
  }
}

extension TransferProgress {
  /// The byte counts and state of a task, for its progress.
  struct Reading: Sendable {
    var completed: Int64
    /// The expected number of bytes. -1 means unknown.
    var total: Int64
    var isSuspended: Bool
  }
}

extension TransferTask {
  /// The bytes sent and received, with the expected total.
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
