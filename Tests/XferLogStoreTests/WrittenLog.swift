import CXferPlatform
import LogTestSupport
import Synchronization
import XferEvents

@testable import XferLogStore

/// A log of one segment with every kind of record, and the expected contents, which come from the generator and not from a
/// reader.
struct WrittenLog {
  /// The state in which the writer left the segment.
  enum Form: CaseIterable, Sendable {
    /// The writer was killed in the middle of a record.
    case open
    case closed
    /// The segment was written with `pwrite` and closed.
    case appended
  }

  /// The amount of events: a few of each kind, or enough to fill the 256 KiB of a first segment.
  enum Size: Sendable { case small, full }

  typealias Place = SegmentDraft.Place

  struct Statement: Equatable, Sendable {
    let name: String
    let monotonic: Int64?
    var thread: UInt32?
    let values: [String: RecordedValue]
  }

  let bytes: [UInt8]
  let statements: [Place: Statement]
  /// The segment's structure, found by code that is independent of the reader.
  let draft: SegmentDraft

  init(_ form: Form, _ size: Size = .full) throws {
    let plan = Plan(size)
    let test = TestLog()
    let time = Atomic(Plan.begin)
    let log = try test.open { configuration in
      configuration.lowestLevel = .debug
      configuration.forcesAppending = form == .appended
      configuration.privacy = PrivacyPolicy(declaredPublic: Set(FieldID.allCases), key: (1, 2))
      configuration.clock = LogClock(
        monotonic: { time.load(ordering: .relaxed) }, boottime: { Plan.boottime }, wall: { Plan.wall })
    }
    let threads = Mutex<[UInt32: UInt32]>([:])
    @Sendable func emit(_ part: Int, lane: UInt32) {
      threads.withLock { $0[lane] = xp_thread_id() }
      for step in plan.parts[part] {
        time.store(step.time, ordering: .relaxed)
        log.emit(step.event)
      }
    }
    // Three nested threads write three lanes, whose chunks alternate.
    emit(0, lane: 1)
    SystemThread {
      emit(1, lane: 2)
      SystemThread { emit(2, lane: 3) }.join()
      emit(3, lane: 2)
    }.join()
    emit(4, lane: 1)
    var lanes: [UInt32: [Statement]] = [
      1: Plan.opening(log) + plan.statements([0, 4]), 2: plan.statements([1, 3]), 3: plan.statements([2]),
    ]
    if form != .open {
      lanes[1]! += Plan.closing(log, at: time.load(ordering: .relaxed))
      log.close()
    }
    precondition(test.segments.count == 1, "one segment must hold all events")
    var written = try contents(of: test.segment(1))
    withExtendedLifetime(log) {}
    if form == .open { Self.tear(&written) }
    bytes = written
    draft = SegmentDraft(written)
    statements = threads.withLock { threads in
      Dictionary(
        uniqueKeysWithValues: lanes.flatMap { lane, statements in
          statements.enumerated().map { sequence, statement in
            var statement = statement
            statement.thread = threads[lane]
            return (Place(lane: lane, sequence: UInt64(sequence)), statement)
          }
        })
    }
  }

  /// Appends a record without commit word after the last record of a lane.
  private static func tear(_ bytes: inout [UInt8]) {
    let draft = SegmentDraft(bytes)
    guard let chunk = draft.chunks.last(where: { !$0.isDictionary && !$0.isEnded }), let last = chunk.records.last else {
      preconditionFailure("there must be a chunk that its lane has not left")
    }
    let end = last.bytes.upperBound
    bytes.replaceSubrange(end + 4..<end + last.bytes.count, with: bytes[last.bytes].dropFirst(4))
  }

  // MARK: Comparing

  static func place(of event: RecordedEvent) -> Place {
    guard case .record(_, let lane, let sequence, _) = event.reference else { preconditionFailure("a record of a segment") }
    return Place(lane: lane, sequence: sequence)
  }

  enum Comparison { case same, unreadable, wrong }

  /// Compares all values of an event with what was written at its position.
  func compare(_ event: RecordedEvent) -> Comparison {
    guard let written = statements[Self.place(of: event)], written.name == event.layout.name,
      written.monotonic == event.monotonic, written.thread == event.thread
    else { return .wrong }
    var result = Comparison.same
    let values = event.values
    if values.count != written.values.count { return .wrong }
    for (name, value) in values where written.values[name] != value {
      guard let expected = written.values[name], Self.isUnreadable(value, of: expected) else { return .wrong }
      result = .unreadable
    }
    return result
  }

  /// Returns whether a value differs only because a definition is lost. A lost name is unreadable, a task of an unknown
  /// session is marked, and a list omits lost tasks.
  private static func isUnreadable(_ value: RecordedValue, of expected: RecordedValue) -> Bool {
    func isLike(_ task: TaskIdentity, _ written: TaskIdentity) -> Bool {
      task.uid == written.uid && task.number == written.number && [written.session, "?"].contains(task.session)
    }
    switch (value, expected) {
    case (.unreadable, _): return true
    case (.task(let task), .task(let written)): return isLike(task, written)
    case (.message(let message), .message(let written)):
      // The format text and the argument names are recurring strings too.
      guard message.format == nil || message.format == written.format else { return false }
      return message.arguments.count == written.arguments.count
        && zip(message.arguments, written.arguments).allSatisfy { argument, written in
          argument.value == written.value && (argument.name == nil || argument.name == written.name)
        }
    case (.tasks(let tasks), .tasks(let written)):
      var rest = written[...]
      for task in tasks {
        guard let place = rest.firstIndex(where: { isLike(task, $0) }) else { return false }
        rest = rest[(place + 1)...]
      }
      return true
    default: return false
    }
  }
}

/// The events to write, generated once.
private struct Plan {
  struct Step: Sendable {
    let event: any TransferEvent
    let name: String
    let time: Int64
    let values: [String: RecordedValue]
  }

  private(set) var parts: [[Step]] = []
  private var random = SeededRandom(seed: 2026)
  private var time = Self.begin

  static let begin: Int64 = 1_000_000_000
  static let boottime: Int64 = 77_000_000_000
  static let wall: Int64 = 1_790_000_000_000_000_000

  /// The number of groups of three events in each part. Together with the other events they fill the segment's eight
  /// chunks.
  private static let fullMix = [70, 150, 160, 150, 70]
  private static let smallMix = [3, 3, 3, 3, 3]

  init(_ size: WrittenLog.Size) {
    for part in 0..<5 {
      var steps: [Step] = []
      if part == 3 { appendLarge(&steps) }
      for kind in EventKind.allCases where Int(kind.rawValue) % 5 == part { draw(kind, &steps) }
      for number in 0..<(size == .full ? Self.fullMix : Self.smallMix)[part] { appendMix(part * 1000 + number, &steps) }
      parts.append(steps)
    }
  }

  func statements(_ parts: [Int]) -> [WrittenLog.Statement] {
    parts.flatMap { self.parts[$0] }.map { step in
      WrittenLog.Statement(name: step.name, monotonic: step.time, thread: nil, values: step.values)
    }
  }

  private mutating func append<Event: TransferEvent>(_ event: Event, _ values: [String: RecordedValue], _ steps: inout [Step]) {
    time += Int64.random(in: 1...100_000, using: &random)
    steps.append(Step(event: event, name: Event.kind.name, time: time, values: values))
  }

  /// Appends an event of a kind with random values, including edge cases.
  private mutating func draw(_ kind: EventKind, _ steps: inout [Step]) {
    var chooser = FieldChooser(.random, seed: random.next())
    append(
      EventSamples.event(kind, &chooser), Dictionary(uniqueKeysWithValues: chooser.expected.map { ($0.name, $0.value) }), &steps)
  }

  /// Appends progress, callback and redirect events, the same mix that the benchmarks use.
  private mutating func appendMix(_ number: Int, _ steps: inout [Step]) {
    let task = Workload.task(number % 16)
    let (host, path) = ("cdn-\(number % 40).example", "/ملفات/日本語/\(number)")
    append(
      AttemptBytesReceived(task: task, attempt: 1, received: Int64(number), expected: 1 << 20),
      ["task": .task(task), "attempt": .integer(1), "received": .bytes(Int64(number)), "expected": .bytes(1 << 20)], &steps)
    append(
      DeliveryEntered(
        task: task, delivery: DeliveryID(UInt64(number)), callback: .didComplete, queue: "delegate", onMainThread: false),
      [
        "task": .task(task), "delivery": .identifier(UInt64(number)), "callback": .choice("didComplete"),
        "queue": .text(.plain("delegate")), "onMainThread": .flag(false),
      ], &steps)
    append(
      AttemptRedirectReceived(task: task, attempt: 1, transaction: 1, status: 302, host: host, path: path),
      [
        "task": .task(task), "attempt": .integer(1), "transaction": .integer(1), "status": .integer(302),
        "host": .text(.plain(host)), "path": .text(.plain(path)),
      ], &steps)
  }

  private mutating func appendLarge(_ steps: inout [Step]) {
    let text = String(repeating: "كبير 大きい large ", count: 1600)
    append(
      AppNoted(intent: "large", message: text), ["intent": .text(.plain("large")), "message": .text(.plain(text))], &steps)
  }

  // MARK: Events about the log itself

  static func opening(_ log: EventLog) -> [WrittenLog.Statement] {
    let process = ProcessIdentity.current()
    func statement(_ name: String, _ values: [String: RecordedValue]) -> WrittenLog.Statement {
      WrittenLog.Statement(name: name, monotonic: begin, thread: nil, values: values)
    }
    let version = RecordedValue.text(.plain(LogConfiguration.libraryVersion))
    let system = LogConfiguration.systemVersion.map { ["osVersion": RecordedValue.text(.plain($0))] } ?? [:]
    return [
      statement(
        "log.opened", ["captureMode": .choice("hashed"), "levels": .text(.plain("debug")), "version": version]),
      statement(
        "clock.sampled",
        [
          "wallClock": .time(WallTime(nanoseconds: wall)), "boottimeClock": .duration(.nanoseconds(boottime)),
          "sampleReason": .choice("opened"),
        ]),
      statement(
        "process.started",
        [
          "launch": .launch(log.launch), "boot": .boot(process.boot), "pid": .integer(Int64(process.pid)),
          "role": .choice("tool"), "startReason": .choice("unknown"), "executable": .text(.plain(process.executable)),
          "version": version,
        ].merging(system) { $1 }),
    ]
  }

  static func closing(_ log: EventLog, at time: Int64) -> [WrittenLog.Statement] {
    [
      WrittenLog.Statement(
        name: "process.exited", monotonic: time, thread: nil,
        values: ["launch": .launch(log.launch), "code": .integer(0), "exitReason": .choice("returned")]),
      WrittenLog.Statement(name: "log.closed", monotonic: time, thread: nil, values: ["dropped": .integer(0)]),
    ]
  }
}
