package import XferEvents

/// A short log that a rule must speak or stay silent about.
package struct RuleExample: Sendable {
  package let name: String
  /// What the finding must be; `nil` in near misses.
  package let certainty: Certainty?
  package let variant: String?
  package let steps: [Step]

  package struct Step: Sendable {
    package enum Content: Sendable {
      case event(any TransferEvent)
      /// Of an example that stands in a file.
      case composed(ComposedEvent)
      case gap(LogGap.Cause, sequences: Range<UInt64>?)
    }

    package let content: Content
    package let offset: Duration
    package let isEvidence: Bool
    package let process: ExampleProcess

    package init(_ content: Content, at offset: Duration, isEvidence: Bool = false, by process: ExampleProcess = .app) {
      self.content = content
      self.offset = offset
      self.isEvidence = isEvidence
      self.process = process
    }

    /// An event that belongs to the story.
    package static func event(_ event: some TransferEvent, at offset: Duration, by process: ExampleProcess = .app) -> Step {
      Step(.event(event), at: offset, by: process)
    }

    /// An event that the finding must cite.
    package static func evidence(_ event: some TransferEvent, at offset: Duration, by process: ExampleProcess = .app) -> Step {
      Step(.event(event), at: offset, isEvidence: true, by: process)
    }

    package static func gap(
      _ cause: LogGap.Cause, sequences: Range<UInt64>? = nil, at offset: Duration, by process: ExampleProcess = .app
    ) -> Step {
      Step(.gap(cause, sequences: sequences), at: offset, by: process)
    }
  }

  /// - Parameters:
  ///   - certainty: what the finding must be; for near misses leave it out.
  ///   - variant: the finding's sub-verdict, where the rule has some.
  package init(_ name: String, certainty: Certainty? = nil, variant: String? = nil, _ steps: Step...) {
    self.init(name, certainty: certainty, variant: variant, steps: steps)
  }

  package init(_ name: String, certainty: Certainty? = nil, variant: String? = nil, steps: [Step]) {
    self.name = name
    self.certainty = certainty
    self.variant = variant
    self.steps = steps
  }
}

/// The process lives that appear in examples.
package enum ExampleProcess: UInt64, Sendable, CaseIterable {
  case app = 1
  /// The app's next life.
  case nextLife
  case daemon
  /// The life after that one.
  case laterLife
  /// An app extension of the same app.
  case appExtension
  /// The daemon's next generation.
  case nextDaemon
  /// The life after the later one.
  case lastLife
  /// A command or a service with the engine inside.
  case engine
  /// An app whose URLSession is recorded.
  case recorder
  /// The reading tool, as a script writes by it.
  case tool

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
      }
    return WriterContext(
      launch: launch, boot: BootID(high: 0, low: 1), pid: 4000 + Int(rawValue), role: role, executable: executable,
      captureMode: .full, lowestLevel: .default)
  }
}

extension RuleExample {
  /// The example's log, as a reader would give it.
  package func members() -> [LogMember] {
    var archives: [ExampleProcess: EventArchive] = [:]
    for (index, process) in ExampleProcess.allCases.enumerated() {
      archives[process] = EventArchive(number: UInt32(index + 1), name: "\(process)", writer: process.writer, index: index)
    }
    return steps.map { step in
      let time = 1_000_000_000 + step.offset.nanoseconds
      let moment = Moment(monotonic: time, boottime: time, wall: WallTime(nanoseconds: 1_780_000_000_000_000_000 + time))
      switch step.content {
      case .event(let event): return .event(archives[step.process]!.record(event, at: moment))
      case .composed(let event): return .event(archives[step.process]!.record(event, at: moment))
      case .gap(let cause, let sequences):
        return .gap(
          LogGap(
            cause: cause, segment: UInt32(step.process.rawValue), name: "\(step.process)", launch: step.process.launch, lane: 1,
            sequences: sequences, after: moment, before: moment))
      }
    }
  }
}

extension TaskIdentity {
  /// The task of the examples.
  package static let example = example(1)

  /// Another of the same session, counted from 1.
  package static func example(_ place: UInt32) -> TaskIdentity {
    TaskIdentity(uid: TaskUID(high: 0xE1, low: UInt64(place)), session: "default-1", number: 6 + place)
  }
}
