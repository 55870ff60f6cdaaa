import Foundation
import LogTestSupport
import Yams

/// The expected result of replaying a log, read from `expected.yaml` or converted from a replay's output.
struct Expectation: Decodable, Equatable {
  /// The exit code of `xferlog replay`.
  var exit: Int
  var verdict: String
  var complete: Bool
  /// The role and end of each process, in order.
  var processes: [String]
  /// The number of tasks by outcome.
  var tasks: [String: Int]
  var findings: [Finding]

  struct Finding: Decodable, Equatable {
    var rule: String
    /// The rule of the finding that caused this finding.
    var cause: String?
    var variant: String?
    var severity: String
    var certainty: String
    /// The task as `session/number`. `nil` when the finding is not about a single task.
    var task: String?
    /// The tasks named by a finding about a process, as `session/number`.
    var tasks: [String]
    /// The session. `nil` when the finding names a task.
    var session: String?
    /// Words that the finding's summary must contain.
    var says: String?
    /// The names of the cited events, in alphabetical order.
    var evidence: [String]
    var missing: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case rule, cause, variant, severity, certainty, task, tasks, session, says, evidence, missing
    }

    init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: CodingKeys.self)
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      rule = try fields.decode(String.self, forKey: .rule)
      cause = try fields.decodeIfPresent(String.self, forKey: .cause)
      variant = try fields.decodeIfPresent(String.self, forKey: .variant)
      severity = try fields.decode(String.self, forKey: .severity)
      certainty = try fields.decode(String.self, forKey: .certainty)
      task = try fields.decodeIfPresent(String.self, forKey: .task)
      tasks = try fields.decodeIfPresent([String].self, forKey: .tasks) ?? []
      session = try fields.decodeIfPresent(String.self, forKey: .session)
      says = try fields.decodeIfPresent(String.self, forKey: .says)
      evidence = try fields.decode([String].self, forKey: .evidence).sorted()
      missing = try fields.decodeIfPresent([String].self, forKey: .missing)?.sorted() ?? []
    }

    init(
      _ rule: String, cause: String? = nil, variant: String? = nil, severity: String, certainty: String, task: String?,
      tasks: [String] = [], session: String? = nil, evidence: [String], missing: [String] = []
    ) {
      (self.rule, self.cause, self.variant) = (rule, cause, variant)
      (self.severity, self.certainty) = (severity, certainty)
      (self.task, self.tasks, self.session) = (task, tasks, session)
      (self.evidence, self.missing) = (evidence.sorted(), missing.sorted())
    }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case exit, verdict, complete, processes, tasks, findings
  }

  init(yaml path: String) throws {
    self = try YAMLDecoder().decode(Self.self, from: String(contentsOfFile: path, encoding: .utf8))
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    exit = try fields.decode(Int.self, forKey: .exit)
    verdict = try fields.decode(String.self, forKey: .verdict)
    complete = try fields.decode(Bool.self, forKey: .complete)
    processes = try fields.decode([String].self, forKey: .processes)
    tasks = try fields.decode([String: Int].self, forKey: .tasks)
    findings = try fields.decode([Finding].self, forKey: .findings)
  }

  init(exit: Int, verdict: String, complete: Bool, processes: [String], tasks: [String: Int], findings: [Finding]) {
    (self.exit, self.verdict, self.complete) = (exit, verdict, complete)
    (self.processes, self.tasks, self.findings) = (processes, tasks, findings)
  }
}

extension Decoder {
  /// Throws an error for an unknown key, whose expectation would never be checked.
  fileprivate func refuseKeys<Known: CodingKey & CaseIterable>(besides known: Known.Type) throws {
    let present = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let unknown = Set(present).subtracting(Known.allCases.map(\.stringValue)).sorted()
    guard unknown.isEmpty else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "unknown keys \(unknown)"))
    }
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
