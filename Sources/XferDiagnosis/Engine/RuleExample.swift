package import XferEvents

/// A short log on which a rule is tried: a report, for which the rule must find something, or a near miss, for which it must not.
package struct RuleExample: Sendable {
  package let name: String
  /// The certainty of the finding; `nil` in near misses.
  package let certainty: Certainty?
  /// The finding's variant; `nil` if the rule has no variants, and in near misses.
  package let variant: String?
  /// The events that the finding must cite, and no others.
  package let cites: [Citation]
  package let steps: [Step]

  package struct Step: Sendable {
    package enum Content: Sendable {
      case event(any TransferEvent)
      /// An event of an example in a rule file.
      case composed(ComposedEvent)
      case gap(LogGap.Cause, sequences: Range<UInt64>?)
    }

    package let content: Content
    /// The time since the beginning of the example.
    package let offset: Duration
    package let process: ExampleProcess

    package init(_ content: Content, at offset: Duration, by process: ExampleProcess = .app) {
      self.content = content
      self.offset = offset
      self.process = process
    }

    /// Returns a step with an event.
    ///
    /// - Parameter seconds: the time since the beginning of the example, in seconds; rounded to nanoseconds.
    package static func at(_ seconds: Double, _ event: some TransferEvent, by process: ExampleProcess = .app) -> Step {
      at(.nanoseconds(Int64((seconds * 1e9).rounded())), event, by: process)
    }

    /// Returns a step with an event.
    ///
    /// - Parameter offset: the time since the beginning of the example.
    package static func at(_ offset: Duration, _ event: some TransferEvent, by process: ExampleProcess = .app) -> Step {
      Step(.event(event), at: offset, by: process)
    }

    package static func gap(
      _ cause: LogGap.Cause, sequences: Range<UInt64>? = nil, at offset: Duration, by process: ExampleProcess = .app
    ) -> Step {
      Step(.gap(cause, sequences: sequences), at: offset, by: process)
    }

    /// The kind of the step's event; `nil` for a gap.
    package var kind: EventKind? {
      switch content {
      case .event(let event): type(of: event).kind
      case .composed(let event): event.kind
      case .gap: nil
      }
    }
  }

  /// Creates a report.
  ///
  /// - Parameter cites: the events that the finding must cite.
  package init(_ name: String, _ certainty: Certainty, variant: String? = nil, cites: [Citation], _ steps: Step...) {
    self.init(name, certainty, variant: variant, cites: cites, steps: steps)
  }

  /// Creates a report, or a near miss if `certainty` is `nil`.
  package init(_ name: String, _ certainty: Certainty?, variant: String? = nil, cites: [Citation], steps: [Step]) {
    self.name = name
    self.certainty = certainty
    self.variant = variant
    self.cites = cites
    self.steps = steps
  }

  /// Creates a near miss.
  package init(_ name: String, _ steps: Step...) { self.init(name, steps: steps) }

  /// Creates a near miss.
  package init(_ name: String, steps: [Step]) { self.init(name, nil, cites: [], steps: steps) }

  /// Whether the finding must cite a step's event, for each step.
  package var citedSteps: [Bool] {
    var counts: [EventKind: Int] = [:]
    let places = steps.map { step -> Int? in
      guard let kind = step.kind else { return nil }
      counts[kind, default: 0] += 1
      return counts[kind]
    }
    return zip(steps, places).map { step, place in
      guard let kind = step.kind, let place, let count = counts[kind] else { return false }
      return cites.contains { $0.names(kind, place: place, of: count) }
    }
  }
}

/// A choice of events of an example by their kind, and by their position among the events of that kind.
package enum Citation: Sendable, Hashable {
  case every(EventKind)
  case first(EventKind)
  case last(EventKind)
  /// The position is counted from 1.
  case number(Int, EventKind)

  /// Whether an event is among those chosen.
  ///
  /// - Parameters:
  ///   - place: the event's place among the example's events of its kind, counted from 1.
  ///   - count: the number of the example's events of that kind.
  func names(_ kind: EventKind, place: Int, of count: Int) -> Bool {
    switch self {
    case .every(kind): true
    case .first(kind): place == 1
    case .last(kind): place == count
    case .number(let number, kind): place == number
    default: false
    }
  }

  /// The kind of the events that are chosen.
  package var kind: EventKind {
    switch self {
    case .every(let kind), .first(let kind), .last(let kind), .number(_, let kind): kind
    }
  }
}

/// The process lives that appear in examples.
package enum ExampleProcess: UInt64, Sendable, CaseIterable {
  case app = 1
  /// The app's next life.
  case nextLife
  case daemon
  /// The app's life after `nextLife`.
  case laterLife
  /// An app extension of the same app.
  case appExtension
  /// The daemon's next generation.
  case nextDaemon
  /// The app's life after `laterLife`.
  case lastLife
  /// A command or service that contains the engine.
  case engine
  /// An app that records its `URLSession`.
  case recorder
  /// The `xferlog` tool, with which a script writes events.
  case tool
  /// An app whose events come from a log of another program.
  case foreign
  /// A process of the operating system, whose events come from its log.
  case system

  package var launch: LaunchID { LaunchID(high: 0xE0, low: rawValue) }

  package var writer: WriterContext {
    let (role, executable): (WriterRole, String) =
      switch self {
      case .app, .nextLife, .laterLife, .lastLife: (.app, "app")
      case .daemon, .nextDaemon: (.daemon, "xferd")
      case .appExtension: (.appExtension, "extension")
      case .engine: (.engine, "service")
      case .recorder: (.recorder, "recorded")
      case .tool: (.tool, "xferlog")
      case .foreign: (.app, "app")
      case .system: (.system, "runningboardd")
      }
    var writer = WriterContext(
      launch: launch, boot: BootID(high: 0, low: 1), pid: 4000 + Int(rawValue), role: role, executable: executable,
      captureMode: .full, lowestLevel: .default)
    switch self {
    case .foreign, .system:
      writer.coverage = ImportCoverage(log: "a copy of another program's log", kinds: Set(EventKind.allCases))
    default: break
    }
    return writer
  }
}

extension RuleExample {
  /// Returns the example's log as a log reader would return it.
  ///
  /// - Parameters:
  ///   - installation: the installation whose log it is; `nil` if the log names none.
  ///   - firstIndex: the index of the first source.
  package func members(installation: InstallationID? = nil, firstIndex: Int = 0) -> [LogMember] {
    var archives: [ExampleProcess: EventArchive] = [:]
    func writer(_ process: ExampleProcess) -> WriterContext {
      var writer = process.writer
      writer.installation = installation
      return writer
    }
    for (index, process) in ExampleProcess.allCases.enumerated() {
      archives[process] = EventArchive(
        number: UInt32(index + 1), name: "\(process)", writer: writer(process), index: firstIndex + index)
    }
    return steps.map { step in
      let time = 1_000_000_000 + step.offset.nanoseconds
      let moment = Moment(monotonic: time, boottime: time, wall: WallTime(nanoseconds: 1_780_000_000_000_000_000 + time))
      switch step.content {
      case .event(let event): return .event(archives[step.process]!.record(event, at: moment))
      case .composed(let event): return .event(archives[step.process]!.record(event, at: moment))
      case .gap(let cause, let sequences):
        var gap = LogGap(
          cause: cause, segment: UInt32(step.process.rawValue), name: "\(step.process)", launch: step.process.launch, lane: 1,
          sequences: sequences, after: moment, before: moment)
        gap.scope = InstallationScope(writer(step.process))
        return .gap(gap)
      }
    }
  }
}

extension TaskIdentity {
  /// The task of the examples.
  package static let example = example(1)

  /// Returns a task of the examples' session by its number, counted from 1.
  package static func example(_ place: UInt32) -> TaskIdentity {
    TaskIdentity(uid: TaskUID(high: 0xE1, low: UInt64(place)), session: "default-1", number: 6 + place)
  }
}
