import XferEvents
import XferLifecycle
import XferLogStore
import XferReading
import XferReplay
import XferReport

/// A check of a whole log that collects its problems: the lost records, their times, and the tasks that may be affected.
///
/// When records between two events of a lane are lost, the tasks that the lane's thread may have worked on in between cannot be judged
/// for that time.
struct LogVerifier {
  private(set) var document = VerificationDocument()
  /// One replay for each installation (machine or device) whose processes wrote the logs, in the order of `installations`.
  private var replays = [Replay()]
  private var installations = InstallationTable()
  private var lastMoment: [Lane: Moment] = [:]
  /// The open tasks, by the process life that mentioned them last.
  private var openTasks: [LaunchID?: [TaskUID: TaskIdentity]] = [:]
  /// The problems whose end has not been reached, by lane, each with the position that ends it.
  private var pending: [Lane: [(problem: Int, end: UInt64)]] = [:]
  private var suspects: EditedPlaces

  private struct Lane: Hashable {
    let launch: LaunchID?
    let number: UInt32
  }

  /// - Parameter expectsOwnLogs: whether a process that an event mentions has a log of its own. In a converted log, the events of all
  ///   processes are in the log of the program that converted them.
  init(_ reader: LogReader, expectsOwnLogs: Bool) throws {
    let examinations = reader.examinations
    suspects = EditedPlaces(examinations)
    for examination in examinations { add(examination) }
    for problem in reader.problems { add(problem) }
    var count = 0
    while let member = reader.next() {
      switch member {
      case .event(let event): apply(event)
      case .gap(let gap): add(gap)
      }
      count += 1
      if count & 0xFFFF == 0 { try Interruption.check() }
    }
    if expectsOwnLogs { for missing in replays.flatMap(\.world.missingWriters) { add(missing) } }
    document.problems.sort { $0.segment < $1.segment }
    for place in document.problems.indices {
      document.problems[place].tasks.sort { ($0.session, $0.number, $0.uid.high) < ($1.session, $1.number, $1.uid.high) }
    }
  }

  // MARK: Segments

  private mutating func add(_ examination: SegmentExamination) {
    document.segments.append(
      VerificationDocument.Segment(
        number: examination.number, name: examination.name, form: examination.form.rawValue, state: examination.state.rawValue,
        writer: examination.writer, bytes: examination.bytes, isSalvaged: examination.isSalvaged,
        lastLink: examination.lastLink))
    for flaw in examination.flaws where !EditedPlaces.isFollowed(flaw) {
      var problem = VerificationDocument.Problem(
        kind: flaw.kind.problem, segment: examination.number, name: examination.name, what: flaw.text)
      (problem.launch, problem.lane) = (examination.writer.launch, flaw.lane)
      (problem.sequences, problem.bytes) = (flaw.sequences, flaw.bytes)
      problem.concernsAnyTask = problem.isLoss
      document.problems.append(problem)
    }
  }

  private mutating func add(_ refused: LogReader.Problem) {
    let name = refused.path.fileName ?? refused.path
    let kind: VerificationDocument.Problem.Kind =
      switch refused.error.code {
      case .unfinished: .torn
      case .cannotOpen: .unreadable
      default: .damaged
      }
    var problem = VerificationDocument.Problem(
      kind: kind, segment: refused.number ?? 0, name: name, what: refused.error.problem)
    problem.concernsAnyTask = kind != .torn
    document.problems.append(problem)
  }

  /// Adds the log of a process that other processes mention.
  private mutating func add(_ missing: WriterMentions.Mention) {
    let segment: UInt32 = if case .record(let segment, _, _, _) = missing.first.reference { segment } else { 0 }
    let mayBeUnreadable = document.problems.contains { $0.kind == .unreadable }
    let place = mayBeUnreadable ? ", or in a segment that could not be opened" : ""
    var problem = VerificationDocument.Problem(
      kind: .missing, segment: segment, name: missing.name, what: "the log of this process is missing\(place)")
    problem.launch = missing.launch
    problem.from = missing.first.moment
    problem.to = missing.hasEnded ? missing.last.moment : nil
    problem.concernsAnyTask = true
    document.problems.append(problem)
  }

  // MARK: Events

  private mutating func apply(_ event: RecordedEvent) {
    document.segments[event.source.index].events += 1
    guard case .record(_, let number, let sequence, _) = event.reference else { return }
    let lane = Lane(launch: event.source.writer.launch, number: number)
    if !suspects.isEmpty, let flaw = suspects.take(event.source.index, lane: number, sequence: sequence) {
      open(flaw, of: event, in: lane)
    }
    let place = installations.place(of: event.view)
    while replays.count < installations.count { replays.append(Replay()) }
    let subject = replays[place].apply(event.view)?.subject
    // A task that first occurs after a loss may have begun in the lost part, unless this event is its creation.
    if event.kind == .taskCreated { close(lane, before: sequence, at: event.moment) }
    if case .task(let task)? = subject { note(task, of: place, launch: lane.launch) }
    close(lane, before: sequence, at: event.moment)
    lastMoment[lane] = event.moment
  }

  /// Sets the end time of the problems in a lane that end at or before this position.
  private mutating func close(_ lane: Lane, before sequence: UInt64, at moment: Moment) {
    guard let problems = pending[lane] else { return }
    for (problem, end) in problems where sequence >= end { document.problems[problem].to = moment }
    let rest = problems.filter { sequence < $0.end }
    pending[lane] = rest.isEmpty ? nil : rest
  }

  private mutating func open(_ flaw: SegmentFlaw, of event: RecordedEvent, in lane: Lane) {
    var problem = VerificationDocument.Problem(
      kind: .edited, segment: event.source.number, name: event.source.name, what: flaw.text)
    (problem.lane, problem.sequences, problem.bytes) = (lane.number, flaw.sequences, flaw.bytes)
    open(problem, in: lane, until: flaw.sequences?.upperBound ?? 0)
  }

  private mutating func note(_ task: Int, of place: Int, launch: LaunchID?) {
    let lifecycle = replays[place].world.tasks[task]
    let identity = lifecycle.identity
    if !pending.isEmpty {
      for (lane, problems) in pending where lane.launch == launch {
        for (problem, _) in problems where !document.problems[problem].tasks.contains(identity) {
          document.problems[problem].tasks.append(identity)
        }
      }
    }
    if lifecycle.completed == nil {
      openTasks[launch, default: [:]][identity.uid] = identity
    } else {
      openTasks[launch]?[identity.uid] = nil
      replays[place].close(task)
    }
  }

  // MARK: Gaps

  private mutating func add(_ gap: LogGap) {
    // A segment that cannot be read has been listed with its error.
    if case .damaged(let problem) = gap.cause, gap.launch == nil,
      document.problems.contains(where: { $0.name == gap.name && $0.what == problem })
    {
      return
    }
    let edited = gap.bytes.flatMap { suspects.text(segment: gap.segment, bytes: $0) }
    var problem = VerificationDocument.Problem(
      kind: edited == nil ? gap.cause.kind : .edited, segment: gap.segment, name: gap.name, what: edited ?? gap.what)
    (problem.lane, problem.sequences, problem.bytes) = (gap.lane, gap.sequences, gap.bytes)
    guard let number = gap.lane, problem.isLoss else {
      problem.launch = gap.launch
      problem.concernsAnyTask = problem.isLoss
      document.problems.append(problem)
      return
    }
    open(problem, in: Lane(launch: gap.launch, number: number), until: 0)
  }

  /// Adds a problem that lasts until its lane reaches a position.
  private mutating func open(_ problem: VerificationDocument.Problem, in lane: Lane, until end: UInt64) {
    var problem = problem
    problem.launch = lane.launch
    problem.from = lastMoment[lane]
    problem.concernsAnyTask = problem.from == nil
    problem.tasks = openTasks[lane.launch].map { Array($0.values) } ?? []
    pending[lane, default: []].append((document.problems.count, end))
    document.problems.append(problem)
  }
}

extension LogGap.Cause {
  fileprivate var kind: VerificationDocument.Problem.Kind {
    switch self {
    case .torn: .torn
    case .damaged: .damaged
    case .missingSequence, .missingHead, .missingSegments, .dropped: .missing
    case .truncated: .truncated
    }
  }
}

extension SegmentFlaw.Kind {
  fileprivate var problem: VerificationDocument.Problem.Kind {
    switch self {
    case .repaired: .repaired
    case .altered: .altered
    case .edited: .edited
    }
  }
}
