import Foundation
import LogTestSupport
import Yams

/// What has to come of a log: read from `expected.yaml`, or from what a replay says of it.
struct Expectation: Decodable, Equatable {
  /// `xferlog replay`'s.
  var exit: Int
  var verdict: String
  var complete: Bool
  /// Role and end of each process life, in their order.
  var processes: [String]
  /// How many tasks had which outcome.
  var tasks: [String: Int]
  var findings: [Finding]

  struct Finding: Decodable, Equatable {
    var rule: String
    /// The rule whose finding it follows from.
    var cause: String?
    var variant: String?
    var severity: String
    var certainty: String
    /// `session/number`; `nil` when it is not about one task.
    var task: String?
    /// The same for each that a finding about a process names.
    var tasks: [String]
    /// `nil` when a task is named.
    var session: String?
    /// Words that its summary has to have.
    var says: String?
    /// Names of the cited events, in alphabetical order.
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
  /// A key that nobody reads is a mistake in an expectation: what it asks for would never be checked.
  fileprivate func refuseKeys<Known: CodingKey & CaseIterable>(besides known: Known.Type) throws {
    let present = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let unknown = Set(present).subtracting(Known.allCases.map(\.stringValue)).sorted()
    guard unknown.isEmpty else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "nobody reads \(unknown)"))
    }
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
