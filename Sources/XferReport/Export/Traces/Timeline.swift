import XferEvents
import XferPredicate

/// The tasks, the attempts with their parts, and the single events of a log, for formats that show a timeline.
struct Timeline {
  /// A row of the timeline.
  enum Track: Hashable {
    case process(Int)
    case task(TaskUID)
    case attempts(TaskUID)
  }

  struct Slice {
    let track: Track
    let category: StaticString
    let name: String
    /// In nanoseconds since 1970.
    let start: Int64
    let end: Int64
    let pid: Int
    let details: [(name: String, value: OTLPAttribute)]
  }

  struct Instant {
    let track: Track
    let category: String
    let name: String
    let time: Int64
    let pid: Int
    let details: [(name: String, value: OTLPAttribute)]
  }

  /// A row that is shown from now on.
  struct NewTrack {
    let track: Track
    let parent: Track?
    let name: String
    let pid: Int
  }

  enum Item {
    case track(NewTrack)
    // The items of a row are in the order of the row, because several may have the same time.
    case begin(Slice)
    case end(Slice)
    case instant(Instant)
  }

  private(set) var tracker = LifecycleTracker()
  private var messages = MessageTexts()
  private var processes: [WriterContext: Int] = [:]
  private var pids: Set<Int> = []
  /// The tasks with a row. After too many, a row may be described twice, which readers accept.
  private var known: Set<TaskUID> = []

  private static let mostKnown = 100_000

  /// Takes an event.
  ///
  /// - Returns: what the event shows or completes, in the order in which it is written.
  mutating func apply(_ event: RecordedEvent, isSelected: Bool) -> [Item] {
    var items: [Item] = []
    take(tracker.apply(event, isSelected: isSelected), &items)
    guard isSelected, event.kind.map(Self.isShownAlone) ?? true else { return items }
    let process = process(event.source.writer, &items)
    if let task = event.task { announce(task, process, &items) }
    let instant = Instant(
      track: event.task.map { .task($0.uid) } ?? .process(process), category: String(event.layout.name.prefix { $0 != "." }),
      name: event.layout.name, time: ExportClock.nanoseconds(event.moment), pid: process,
      details: [("message", .string(messages.text(of: event))), ("place", .string("\(event.reference)"))])
    items.append(.instant(instant))
    return items
  }

  mutating func finish() -> [Item] {
    var items: [Item] = []
    take(tracker.finish(), &items)
    return items
  }

  /// Events that no slice shows.
  private static func isShownAlone(_ kind: EventKind) -> Bool {
    switch kind {
    case .taskCreated, .taskCompleted, .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived,
      .attemptBytesReceived, .attemptBytesSent, .attemptEnded, .logHeartbeatWritten, .clockSampled:
      false
    default: true
    }
  }

  private mutating func take(_ units: [LifecycleTracker.Unit], _ items: inout [Item]) {
    for unit in units {
      switch unit {
      case .attempt(let attempt) where attempt.isSelected:
        let process = process(attempt.writer, &items)
        announce(attempt.task, process, &items)
        Self.slices(of: attempt, process, &items)
      case .task(let task) where task.isSelected:
        let process = process(task.writer, &items)
        announce(task.identity, process, &items)
        let slice = Self.slice(of: task, process)
        items += [.begin(slice), .end(slice)]
        known.remove(task.identity.uid)
      default: break
      }
    }
  }

  // MARK: Tracks

  private mutating func process(_ writer: WriterContext, _ items: inout [Item]) -> Int {
    if let known = processes[writer] { return known }
    // Process ids recur, but a row must be of one process life.
    var pid = writer.pid ?? 0
    if pid <= 0 || pids.contains(pid) { pid = (1 << 22) + pids.count + 1 }
    pids.insert(pid)
    processes[writer] = pid
    let name = writer.executable.flatMap { $0.isEmpty ? nil : $0 } ?? writer.role?.name ?? "process"
    items.append(.track(NewTrack(track: .process(pid), parent: nil, name: writer.pid.map { "\(name) \($0)" } ?? name, pid: pid)))
    return pid
  }

  private mutating func announce(_ task: TaskIdentity, _ process: Int, _ items: inout [Item]) {
    guard !known.contains(task.uid) else { return }
    if known.count >= Self.mostKnown { known.removeAll() }
    known.insert(task.uid)
    items.append(.track(NewTrack(track: .task(task.uid), parent: .process(process), name: task.label, pid: process)))
    items.append(
      .track(NewTrack(track: .attempts(task.uid), parent: .task(task.uid), name: "attempts of \(task.label)", pid: process)))
  }

  // MARK: Slices

  private static func slice(of task: ExportedTask, _ pid: Int) -> Slice {
    var details: [(name: String, value: OTLPAttribute)] = [("uid", .string("\(task.identity.uid)"))]
    if let type = task.type { details.append(("type", .string(type.name))) }
    if let url = task.url { details.append(("url", .string(url.text))) }
    if let status = task.status { details.append(("status", .integer(Int64(status)))) }
    if let error = task.errorName { details.append(("error", .string(error))) }
    if let received = task.received { details.append(("received", .integer(received))) }
    if let sent = task.sent { details.append(("sent", .integer(sent))) }
    if !task.isEnded { details.append(("open", .flag(true))) }
    return Slice(
      track: .task(task.identity.uid), category: "task", name: task.identity.label, start: task.startNanoseconds,
      end: task.startNanoseconds.addingClamped(task.duration), pid: pid, details: details)
  }

  private static func slices(of attempt: ExportedAttempt, _ pid: Int, _ items: inout [Item]) {
    let track = Track.attempts(attempt.task.uid)
    var details: [(name: String, value: OTLPAttribute)] = [("attempt", .integer(Int64(attempt.number)))]
    if let method = attempt.method { details.append(("method", .string(method))) }
    if let url = attempt.url { details.append(("url", .string(url.text))) }
    if let status = attempt.status { details.append(("status", .integer(Int64(status)))) }
    if let failure = attempt.failure { details.append(("error", .string(failure))) }
    if let received = attempt.received { details.append(("received", .integer(received))) }
    if !attempt.isEnded { details.append(("open", .flag(true))) }
    let end = attempt.startNanoseconds.addingClamped(attempt.duration)
    let whole = Slice(
      track: track, category: "attempt", name: "attempt \(attempt.number)", start: attempt.startNanoseconds, end: end, pid: pid,
      details: details)
    items.append(.begin(whole))
    defer { items.append(.end(whole)) }
    guard attempt.cacheAnswer == nil else { return }
    for (place, request) in attempt.requests.enumerated() {
      let isLast = place == attempt.requests.count - 1
      var time = attempt.startNanoseconds.addingClamped(ExportClock.elapsed(from: attempt.start, to: request.start))
      for part in RequestPhases(request, until: isLast ? attempt.last : attempt.requests[place + 1].start).parts
      where part.duration > 0 {
        // The sum of the parts may exceed the attempt by clocks that differ.
        let partEnd = min(end, time.addingClamped(part.duration))
        if partEnd > time {
          let slice = Slice(
            track: track, category: "phase", name: "\(part.name)", start: time, end: partEnd, pid: pid, details: [])
          items += [.begin(slice), .end(slice)]
        }
        time = partEnd
      }
    }
  }
}
