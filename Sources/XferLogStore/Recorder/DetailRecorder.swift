import CXferPlatform
import XferEvents
import XferThreads

/// The detail rings of a writer's tasks. A ring buffers a task's events that the log's levels exclude.
///
/// One lock protects all rings. The only events that take this lock are those below the log's level and those that end a
/// task or an attempt.
final class DetailRecorder: Sendable {
  private let configuration: FlightRecorder
  private let state: Monitor<State>

  init(_ configuration: FlightRecorder, privacy: PrivacyPolicy) {
    self.configuration = configuration
    state = Monitor(State(configuration, privacy))
  }

  /// The reason why a task's ring did not accept an event.
  enum Loss {
    /// The event is larger than a ring page.
    case tooLarge
    /// The segment has no room, or the system refused to write.
    case refused
  }

  /// Adds an event that the log's levels exclude to its task's ring.
  ///
  /// - Returns: `nil` on success, or if the detail is not needed; otherwise the reason for the loss.
  func take(_ event: some TransferEvent, about task: TaskIdentity, for writer: LogWriter) -> Loss? {
    state.withLock { $0.take(event, task, writer) }
  }

  /// Keeps the existing and future detail of a task in the log, and creates a ring for the task if it has none.
  func keep(_ task: TaskIdentity) { state.withLock { $0.keep(task.uid, mayAdd: true) } }

  /// Keeps the detail of a failed task in the log. A task without a ring does not get one, because creating a ring could
  /// evict the ring of another task.
  private func fail(_ task: TaskIdentity) { state.withLock { $0.keep(task.uid, mayAdd: false) } }

  /// Ends the ring of a completed task, and discards the task's detail unless it is kept.
  private func end(_ task: TaskIdentity) { state.withLock { $0.end(task.uid) } }

  /// Keeps the detail of all tasks that have not ended, because the log is being closed.
  func close() { state.withLock { $0.close() } }

  /// Keeps or discards a task's ring after an event that ends the task or an attempt.
  @inline(never)
  func note(_ event: some TransferEvent) {
    switch event {
    case let completed as TaskCompleted:
      let fails = configuration.keeps != .onRequest && (completed.error ?? 0) != 0
      if fails { fail(completed.task) } else { end(completed.task) }
    case let ended as AttemptEnded where configuration.keeps == .firstRetry && (ended.error ?? 0) != 0: fail(ended.task)
    default: break
    }
  }
}

extension EventKind {
  /// Whether an event of this kind may cause its task's ring to be kept or discarded.
  @inline(__always)
  var mayEndDetail: Bool { self == .taskCompleted || self == .attemptEnded }
}

private struct State: ~Copyable {
  private let configuration: FlightRecorder
  private let privacy: PrivacyPolicy
  private var segment: OpenSegment?
  private var context: EncodingContext?
  /// The event numbers whose layouts the segment defines.
  private var definedLayouts = NumberSet()
  /// The pages of the segment that no ring uses.
  private var free: [RingPage] = []
  private var rings: [DetailRing?] = []
  private var unused: [Int] = []
  private var places: [TaskUID: Int] = [:]
  private var lanes: UInt32 = 0
  private var uses: UInt64 = 0
  /// A hash table of recently completed tasks, except those whose ring was kept because they failed. Later detail about
  /// these tasks is discarded.
  private var ended: [TaskUID?]
  private var isClosed = false

  private static let endedTasks = 1024
  /// The maximum number of attempts to append one event, each after a new page or segment was provided.
  private static let maximumAttempts = 8
  /// The text limit in bytes for events that do not fit a page with the normal limit.
  private static let reducedTextLimit = 256

  init(_ configuration: FlightRecorder, _ privacy: PrivacyPolicy) {
    self.configuration = configuration
    self.privacy = privacy
    ended = Array(repeating: nil, count: Self.endedTasks)
  }

  // MARK: Recording

  mutating func take(_ event: some TransferEvent, _ task: TaskIdentity, _ writer: LogWriter) -> DetailRecorder.Loss? {
    if isClosed { return .refused }
    guard let place = ring(of: task.uid) else { return nil }
    uses += 1
    rings[place]!.lastUse = uses
    var textLimit = SegmentFormat.chunkSize
    for _ in 0..<Self.maximumAttempts {
      guard let segment = currentSegment(writer), let context else { return .refused }
      var outcome = DetailRing.Outcome.noDefinition
      if define(type(of: event).kind, in: segment) {
        outcome = rings[place]!.append(
          event, in: segment.file, context, clock: writer.configuration.clock, textLimit: textLimit)
      }
      switch outcome {
      case .appended: return nil
      case .noRoom: if !addPage(to: place, writer) { return .refused }
      case .tooLarge where textLimit > Self.reducedTextLimit: textLimit = Self.reducedTextLimit
      case .tooLarge: return .tooLarge
      case .noDefinition: if !advanceSegment(writer) { return .refused }
      case .refused: return .refused
      }
    }
    return .refused
  }

  /// Returns the index of the task's ring, creating it if needed.
  ///
  /// - Returns: `nil` if the task is in `ended`.
  private mutating func ring(of task: TaskUID) -> Int? {
    if let place = places[task] { return place }
    return ended[Self.endedPlace(task)] == task ? nil : add(task)
  }

  private mutating func add(_ task: TaskUID) -> Int {
    if places.count >= max(1, configuration.tasks), let idle = places.values.min(by: { rings[$0]!.lastUse < rings[$1]!.lastUse })
    {
      remove(idle)
    }
    let ring = DetailRing(
      task: task, lane: nextLane(), isKept: configuration.keeps == .always, lastUse: uses)
    let place = unused.popLast() ?? rings.count
    if place == rings.count { rings.append(ring) } else { rings[place] = ring }
    places[task] = place
    return place
  }

  private mutating func nextLane() -> UInt32 {
    lanes += 1
    return RingFormat.laneBit | lanes
  }

  /// Removes a ring. Its pages stay in the log if the ring is kept; otherwise they are freed.
  private mutating func remove(_ place: Int) {
    if rings[place]!.isKept { rings[place]!.leaveInLog(goingOnAs: nextLane()) } else { freePages(rings[place]!.clear()) }
    places[rings[place]!.task] = nil
    rings[place] = nil
    unused.append(place)
  }

  private mutating func freePages(_ pages: [RingPage]) {
    guard let segment else { return }
    free.append(contentsOf: pages.filter { $0.isUsable(in: segment.file) })
  }

  private static func endedPlace(_ task: TaskUID) -> Int { Int(truncatingIfNeeded: task.low) & (endedTasks - 1) }

  // MARK: Pages and segments

  private mutating func addPage(to place: Int, _ writer: LogWriter) -> Bool {
    if rings[place]!.pages.count >= configuration.pagesPerTask, let page = rings[place]!.takeOldest() { freePages([page]) }
    let clocks = writer.configuration.clock.read()
    if free.isEmpty { addChunk(clocks) }
    if free.isEmpty, advanceSegment(writer) { addChunk(clocks) }
    // If no page is free, the ring reuses its own oldest page.
    guard let segment, let page = free.popLast() ?? rings[place]!.takeOldest(in: segment.file) else { return false }
    return rings[place]!.begin(page, clocks: clocks)
  }

  private mutating func addChunk(_ clocks: ClockReading) {
    guard let segment, let chunk = RingChunk(in: segment.file, clocks: clocks) else { return }
    free = (1...RingFormat.pages).reversed().map { RingPage(owner: chunk, number: $0) }
  }

  /// Returns the segment for ring pages. When the writer has left the old segment, the rings leave it too, so that it can
  /// be closed.
  private mutating func currentSegment(_ writer: LogWriter) -> OpenSegment? {
    if let segment, !segment.file.isFinished { return segment }
    return advanceSegment(writer) ? segment : nil
  }

  private mutating func advanceSegment(_ writer: LogWriter) -> Bool {
    guard let next = writer.nextSegment(after: segment?.file, atLeast: 3) else { return false }
    segment = next
    if let context { context.reset(dictionary: next.dictionary) }
    context = context ?? EncodingContext(policy: privacy, dictionary: next.dictionary)
    definedLayouts = NumberSet()
    free = []
    return true
  }

  private mutating func define(_ kind: EventKind, in segment: OpenSegment) -> Bool {
    if definedLayouts.contains(Int(kind.rawValue)) { return true }
    guard let layout = EventLayout.known[Int(kind.rawValue)], segment.dictionary.define(layout: layout) else { return false }
    definedLayouts.insert(Int(kind.rawValue))
    return true
  }

  // MARK: End of a ring

  mutating func keep(_ task: TaskUID, mayAdd: Bool) {
    guard !isClosed, let place = mayAdd ? ring(of: task) : places[task] else { return }
    rings[place]!.isKept = true
    rings[place]!.leaveInLog(goingOnAs: nextLane())
  }

  mutating func end(_ task: TaskUID) {
    if let place = places[task] { remove(place) }
    ended[Self.endedPlace(task)] = task
  }

  mutating func close() {
    isClosed = true
    for place in places.values { rings[place]!.leaveInLog(goingOnAs: nextLane()) }
    rings = []
    places = [:]
    free = []
    segment = nil
    context = nil
  }
}
