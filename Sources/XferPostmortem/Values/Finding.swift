import XferReport

extension Postmortem {
  /// How severe a problem is.
  public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case notice, warning, error, critical

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .notice: 0
      case .warning: 1
      case .error: 2
      case .critical: 3
      }
    }
  }

  /// How certain a conclusion is.
  public enum Certainty: String, Sendable, Codable, CaseIterable, Comparable {
    /// An event is missing, and it is unknown whether the log covers the time in which it was due.
    case possible
    /// An event is missing within time that the log covers.
    case probable
    /// The evidence itself shows the problem.
    case certain

    public static func < (left: Certainty, right: Certainty) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .possible: 0
      case .probable: 1
      case .certain: 2
      }
    }
  }

  /// A rule's conclusion, with the events that prove it and a remedy.
  public struct Finding: Sendable, Equatable, Codable {
    /// The identifier of the rule, such as `lost-completion`. Identifiers are never renamed.
    public let rule: String
    /// The variant of the problem, for rules that distinguish several.
    public let variant: String?
    public let severity: Severity
    public let certainty: Certainty
    /// The index of the finding that explains this one. `nil` for a root.
    public let causedBy: Int?
    /// The identifier of the session that the finding is about.
    public let session: String?
    /// The uid of the task that the finding is about.
    public let task: String?
    /// The handler identifier of the wake that the finding is about.
    public let wake: String?
    /// The process life that the finding is about.
    public let launch: String?
    /// The time of the first evidence.
    public let time: Time?
    /// The monotonic time of the first evidence in nanoseconds, comparable only within one boot.
    public let mono: String?
    /// What went wrong, in one sentence.
    public let summary: String
    /// How to fix the problem.
    public let remedy: String
    /// The identifier of the problem, the same in every run. Baselines and suppressions name it.
    public let fingerprint: String
    /// The entry of a baseline or of suppressions that accepts the finding, so that it does not count.
    public let accepted: AcceptedEntry?
    /// The reasons why the certainty is not higher.
    public let lowered: [String]
    /// The captures that would raise the certainty or refute the finding.
    public let decide: [Capture]
    /// The events that prove the finding, in the order in which they happened.
    public let evidence: [Evidence]
    /// The events that were expected but are missing.
    public let missing: [Missing]
    /// The circumstances under which the finding would be wrong.
    public let unless: [String]
    /// The uids of the affected tasks, for a finding about a process.
    public let tasks: [String]
    /// How the problem comes about, and why it is a fault. `nil` for a finding of a user-defined rule that was decoded from a document,
    /// which does not contain explanations.
    public internal(set) var explanation: String?

    private enum CodingKeys: String, CodingKey {
      case rule, variant, severity, certainty, causedBy, session, task, wake, launch, time, mono, summary, remedy, fingerprint
      case accepted, lowered, decide, evidence, missing, unless, tasks
    }
  }

  /// An event that proves a finding.
  public struct Evidence: Sendable, Equatable, Codable {
    /// The place of the event.
    public let source: Source
    /// The name of the event, such as `task.transferred`.
    public let event: String
    public let time: Time?
    /// The monotonic time in nanoseconds, comparable only within one boot.
    public let mono: String?
    /// The name of the log of another program that the event comes from.
    public let name: String?
    /// The line of a log of another program, as it is there.
    public let text: String?

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(source, forKey: .source)
      try container.encode(event, forKey: .event)
      try container.encode(time, forKey: .time)
      try container.encode(mono, forKey: .mono)
      if let name { try container.encode(name, forKey: .name) }
      if let text { try container.encode(text, forKey: .text) }
    }
  }

  /// The place of an event.
  public enum Source: Sendable, Equatable, Codable {
    /// A record of a log. The lane is one thread of the writer; the log is an index of `inputs`.
    case record(segment: Int, lane: Int, sequence: Int, log: Int = 0)
    /// A line of a log of another program, counted from 1.
    case line(file: Int, line: Int)

    private enum CodingKeys: String, CodingKey { case log, segment, lane, seq, file, line }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if container.contains(.file) {
        self = .line(file: try container.decode(Int.self, forKey: .file), line: try container.decode(Int.self, forKey: .line))
      } else {
        self = .record(
          segment: try container.decode(Int.self, forKey: .segment), lane: try container.decode(Int.self, forKey: .lane),
          sequence: try container.decode(Int.self, forKey: .seq), log: try container.decodeIfPresent(Int.self, forKey: .log) ?? 0)
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .record(let segment, let lane, let sequence, let log):
        if log != 0 { try container.encode(log, forKey: .log) }
        try container.encode(segment, forKey: .segment)
        try container.encode(lane, forKey: .lane)
        try container.encode(sequence, forKey: .seq)
      case .line(let file, let line):
        try container.encode(file, forKey: .file)
        try container.encode(line, forKey: .line)
      }
    }
  }

  /// An event that was expected but is missing.
  public struct Missing: Sendable, Equatable, Codable {
    /// The name of the event.
    public let event: String
    /// The time by which the event was due.
    public let dueBy: Time?
    /// The monotonic time by which the event was due, in nanoseconds.
    public let dueByMono: String?
  }

  /// A capture that would decide a question.
  public struct Capture: Sendable, Equatable, Codable {
    /// What to capture.
    public let capture: String
    /// A command for a shell.
    public let command: String?
  }

  /// A question that a rule could not decide.
  public struct Undecided: Sendable, Equatable, Codable {
    public let rule: String
    /// The number of subjects.
    public let count: Int
    /// What the rule would need to know.
    public let needs: String
    /// The captures that would decide the question.
    public let decide: [Capture]
  }
}

extension Postmortem.Finding: CustomStringConvertible {
  /// The finding with its evidence and its remedy, as `xferlog replay` prints it: several lines, the first of which names the rule.
  ///
  /// Control characters are escaped, and no line is a command for a CI service.
  public var description: String {
    var lines = ["\(severity.rawValue) \(rule) (\(certainty.rawValue))", "    \(summary)"]
    lines += evidence.map { "    evidence  \($0.time.map { "\($0)" } ?? "-")  \($0.event)" }
    lines += missing.map { "    missing   \($0.event)\($0.dueBy.map { ", due by \($0)" } ?? "")" }
    lines += lowered.map { "    because   \($0)" } + unless.map { "    unless    \($0)" }
    lines.append("    remedy    \(remedy)")
    // Servers and apps choose the names and texts that a finding quotes.
    return lines.map { TerminalText.withoutCommands(TerminalText.escaped($0)) }.joined(separator: "\n")
  }
}
