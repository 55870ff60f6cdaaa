import CXferPlatform
import XferEvents

/// The rings of a writer's tasks.
///
/// One lock for all: what is said below the log's level waits for it, and so does the end of a task, once. Other events do
/// not.
final class DetailRecorder: Sendable {
  private let configuration: FlightRecorder
  private let state: Monitor<State>

  init(_ configuration: FlightRecorder, privacy: PrivacyPolicy) {
    self.configuration = configuration
    state = Monitor(State(configuration, privacy))
  }

  /// Why a task's ring did not take an event.
  enum Loss {
    case tooLarge
    /// There is no room, or the system refuses.
    case refused
  }

  /// Takes an event that the log leaves out.
  func take(_ event: some TransferEvent, about task: TaskIdentity, for writer: LogWriter) -> Loss? {
    state.withLock { $0.take(event, task, writer) }
  }

  /// Somebody wants to know of the task: what its ring has stays, and what it gets.
  func keep(_ task: TaskIdentity) { state.withLock { $0.keep(task.uid, mayAdd: true) } }

  /// The task has failed: the same, if it has a ring; one without must not take another's.
  private func fail(_ task: TaskIdentity) { state.withLock { $0.keep(task.uid, mayAdd: false) } }

  /// The task has ended well.
  private func end(_ task: TaskIdentity) { state.withLock { $0.end(task.uid) } }

  /// The log is closed: tasks that have not ended leave what is known of them.
  func close() { state.withLock { $0.close() } }

  /// What follows for a task's ring from an event that was written.
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
  /// Whether such an event may decide over its task's ring.
  @inline(__always)
  var endsDetail: Bool { self == .taskCompleted || self == .attemptEnded }
}

private struct State: ~Copyable {
  private let configuration: FlightRecorder
  private let privacy: PrivacyPolicy
  private var segment: OpenSegment?
  private var context: EncodingContext?
  /// Layouts that the segment has, by event number.
  private var definedLayouts = NumberSet()
  /// Pages of the segment that no ring has.
  private var free: [RingPage] = []
  private var rings: [DetailRing?] = []
  private var unused: [Int] = []
  private var places: [TaskUID: Int] = [:]
  private var lanes: UInt32 = 0
  private var uses: UInt64 = 0
  /// Tasks that ended well not long ago, each where its uid says: what comes late is left out.
  private var ended: [TaskUID?]
  private var isClosed = false

  private static let endedTasks = 1024
  /// Segments that one event may go through.
  private static let maximumMoves = 8
  private static let strictText = 256

  init(_ configuration: FlightRecorder, _ privacy: PrivacyPolicy) {
    self.configuration = configuration
    self.privacy = privacy
    ended = Array(repeating: nil, count: Self.endedTasks)
  }

  // MARK: Taking

  mutating func take(_ event: some TransferEvent, _ task: TaskIdentity, _ writer: LogWriter) -> DetailRecorder.Loss? {
    if isClosed { return .refused }
    guard let place = ring(of: task.uid) else { return nil }
    uses += 1
    rings[place]!.lastUse = uses
    var textLimit = SegmentFormat.chunkSize
    for _ in 0..<Self.maximumMoves {
      guard let segment = present(writer), let context else { return .refused }
      var outcome = DetailRing.Outcome.noDefinition
      if define(type(of: event).kind, in: segment) {
        outcome = rings[place]!.append(
          event, in: segment.file, context, clock: writer.configuration.clock, textLimit: textLimit)
      }
      switch outcome {
      case .appended: return nil
      case .noRoom: if !addPage(to: place, writer) { return .refused }
      case .tooLarge where textLimit > Self.strictText: textLimit = Self.strictText
      case .tooLarge: return .tooLarge
      case .noDefinition: if !moveOn(writer) { return .refused }
      case .refused: return .refused
      }
    }
    return .refused
  }

  /// - Returns: `nil` for a task that has ended well.
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

  /// Its pages stay in the log or become free.
  private mutating func remove(_ place: Int) {
    if rings[place]!.isKept { rings[place]!.leaveInLog(goingOnAs: nextLane()) } else { giveBack(rings[place]!.clear()) }
    places[rings[place]!.task] = nil
    rings[place] = nil
    unused.append(place)
  }

  private mutating func giveBack(_ pages: [RingPage]) {
    guard let segment else { return }
    free.append(contentsOf: pages.filter { $0.isIn(segment.file) })
  }

  private static func endedPlace(_ task: TaskUID) -> Int { Int(truncatingIfNeeded: task.low) & (endedTasks - 1) }

  // MARK: Pages and segments

  private mutating func addPage(to place: Int, _ writer: LogWriter) -> Bool {
    if rings[place]!.pages.count >= configuration.pagesPerTask, let page = rings[place]!.takeOldest() { giveBack([page]) }
    let clocks = writer.configuration.clock.read()
    if free.isEmpty { addChunk(clocks) }
    if free.isEmpty, moveOn(writer) { addChunk(clocks) }
    // Without room for more the newest detail takes the place of the task's own oldest.
    guard let segment, let page = free.popLast() ?? rings[place]!.takeOldest(in: segment.file) else { return false }
    return rings[place]!.begin(page, clocks: clocks)
  }

  private mutating func addChunk(_ clocks: ClockReading) {
    guard let segment, let chunk = RingChunk(in: segment.file, clocks: clocks) else { return }
    free = (1...RingFormat.pages).reversed().map { RingPage(owner: chunk, number: $0) }
  }

  /// The segment that rings are written to: another one when the writer has left it, so that rings do not hold it back.
  private mutating func present(_ writer: LogWriter) -> OpenSegment? {
    if let segment, !segment.file.isFinished { return segment }
    return moveOn(writer) ? segment : nil
  }

  private mutating func moveOn(_ writer: LogWriter) -> Bool {
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

  // MARK: What becomes of a ring

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
