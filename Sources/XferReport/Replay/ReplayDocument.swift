package import XferDiagnosis
package import XferEvents
import XferLifecycle
import XferReplay

/// The results of a replay: verdict, lifecycles, findings, and the questions that rules could not decide.
package struct ReplayDocument {
  package private(set) var diagnosis: JointDiagnosis
  /// The number of effects that were recorded before their causes.
  let inversions: Int
  package let inputs: [Input]
  package let exitCode: Int32
  /// Whether findings with the certainty `possible` count for the verdict, too.
  package let countsPossible: Bool
  /// The reasons why the log is incomplete; empty for a complete log.
  let incompleteness: [String]
  /// The rules that were in force.
  let rules: RuleSet
  let sessions: [InWorld<Session>]
  let processes: [ProcessLifecycle]
  let wakes: [InWorld<WakeLifecycle>]
  let undecided: [Undecided]
  /// The process lives by their launches. Those of several installations may have the same launch.
  let livesByLaunch: [LaunchID?: [ProcessLifecycle]]
  /// The context of questions that concern no process in particular.
  let captureContext: DecidingCapture.Context
  /// The part of the log that was judged; `nil` for the whole log.
  let window: Window?
  /// The findings in groups; without groups unless the user asked for them.
  let groups: FindingGroups

  /// The places that the evidence cites.
  private(set) var sourceLines: SourceLines
  /// The accepted problems; `nil` without a baseline and suppressions.
  let acceptance: Acceptance?

  /// The part of a log that was judged, and the figures of that part and of the whole log.
  package struct Window {
    let since: WallTime?
    let until: WallTime?
    let tasks: [String]
    let sessions: [String]
    let events: Int
    let judgedTasks: Int
    let allTasks: Int
    let judgedFindings: Int
    let allFindings: Int
    let isEmpty: Bool

    package init(
      since: WallTime?, until: WallTime?, tasks: [String], sessions: [String], events: Int, judgedTasks: Int, allTasks: Int,
      judgedFindings: Int, allFindings: Int, isEmpty: Bool
    ) {
      (self.since, self.until, self.tasks, self.sessions) = (since, until, tasks, sessions)
      (self.events, self.judgedTasks, self.allTasks) = (events, judgedTasks, allTasks)
      (self.judgedFindings, self.allFindings, self.isEmpty) = (judgedFindings, allFindings, isEmpty)
    }
  }

  /// One input with the figures of its records.
  package struct Input {
    package let path: String
    package let format: String
    package var events = 0
    /// The number of events that no lifecycle consumes.
    package var unmodelled = 0
    /// The number of places where bytes are damaged, torn or truncated.
    package var damaged = 0
    /// The number of records that are known to be lost, including those that were never written.
    package var missing: Int64 = 0
    /// Whether the input holds everything that was recorded.
    package var complete = true
    /// The numbers of lines, of records and of recognised records of a foreign input; `nil` for a log of this package.
    package var figures: SourceFigures?
    /// Why the input, or the first unreadable part of it, could not be read. `nil` when the whole input was read.
    package var error: String?

    package init(path: String, format: String, error: String? = nil) {
      self.path = path
      self.format = format
      self.error = error
      complete = error == nil
    }
  }

  /// All session objects of an installation with one identifier. Background sessions keep their identifier across process lives.
  struct Session {
    let identifier: String
    var incarnations: [SessionLifecycle]

    var kind: SessionKind? { incarnations.lazy.compactMap(\.kind).first }
  }

  /// A kind of question that a rule could not decide, with what the rule would need to know and the number of subjects.
  struct Undecided {
    let rule: String
    let needs: String
    let count: Int
    let captures: [DecidingCapture]
  }

  /// - Parameters:
  ///   - incompleteness: the reasons why the log is incomplete. `nil` uses the reasons that the diagnosis found.
  ///   - window: the part of the log that was judged; `nil` for the whole log.
  ///   - acceptance: the accepted problems, with which the findings were marked.
  package init(
    diagnosis: JointDiagnosis, inversions: Int = 0, inputs: [Input], exitCode: Int32, countsPossible: Bool = false,
    rules: RuleSet = .catalogue, incompleteness: [String]? = nil, window: Window? = nil,
    groupedBy keys: [FindingGroups.Key] = [], sourceLines: SourceLines = .none, acceptance: Acceptance? = nil
  ) {
    self.acceptance = acceptance
    self.sourceLines = sourceLines
    self.diagnosis = diagnosis
    self.inversions = inversions
    self.inputs = inputs
    self.exitCode = exitCode
    self.countsPossible = countsPossible
    self.rules = rules
    self.window = window
    self.incompleteness = incompleteness ?? diagnosis.incompleteness
    let worlds = diagnosis.parts.map(\.world)
    sessions = worlds.flatMap { world in Self.sessions(of: world).map { InWorld($0, world) } }
    processes = diagnosis.processes
    wakes = worlds.flatMap { world in world.wakes.map { InWorld($0, world) } }
    let livesByLaunch = Dictionary(grouping: processes, by: \.launch)
    self.livesByLaunch = livesByLaunch
    groups = FindingGroups(keys, of: diagnosis.findings) { Self.process(of: $0, among: livesByLaunch) }
    let context = DecidingCapture.Context(processes)
    captureContext = context
    undecided = diagnosis.undecided.map { question, count in
      Undecided(
        rule: question.rule, needs: question.needs, count: count, captures: DecidingCapture.deciding([question.lack], context))
    }
    .sorted { ($0.rule, $0.needs) < ($1.rule, $1.needs) }
  }

  /// Returns an installation's sessions in the order in which their identifiers first occur.
  private static func sessions(of world: World) -> [Session] {
    var sessions: [Session] = []
    var places: [String: Int] = [:]
    for incarnation in world.sessions {
      if let place = places[incarnation.identifier] {
        sessions[place].incarnations.append(incarnation)
      } else {
        places[incarnation.identifier] = sessions.count
        sessions.append(Session(identifier: incarnation.identifier, incarnations: [incarnation]))
      }
    }
    return sessions
  }

  /// The document for files that are passed on, such as the results of a job: without the lines of foreign logs, and without URLs in
  /// sentences. Both may be private.
  package var passedOn: ReplayDocument {
    var document = self
    document.sourceLines = sourceLines.withoutText
    document.diagnosis.changeSummaries(ReportSentence.withoutURLs)
    return document
  }

  package enum Verdict: String, CaseIterable {
    case clean, findings, incomplete
    case nothingAnalysed = "nothing-analysed"
  }

  package var verdict: Verdict {
    if diagnosis.counts.events == 0 || window?.isEmpty ?? false { return .nothingAnalysed }
    if diagnosis.findings.contains(where: { $0.counts(withPossible: countsPossible) }) { return .findings }
    return incompleteness.isEmpty ? .clean : .incomplete
  }
}

extension Finding {
  /// Whether the finding counts for the verdict and the exit code. Consequences never count. Possible findings count only on
  /// request.
  package func counts(withPossible: Bool) -> Bool {
    counts || withPossible && causedBy == nil && accepted == nil && !isWithdrawn
  }
}
