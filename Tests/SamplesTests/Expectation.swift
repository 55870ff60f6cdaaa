import Foundation
import LogTestSupport
import XferYAML

/// The expected result of replaying a log, read from `expected.yaml` or converted from a replay's output.
struct Expectation: Equatable {
  /// The exit code of `xferlog replay`.
  var exit: Int
  var verdict: String
  var complete: Bool
  /// The role and end of each process, in order.
  var processes: [String]
  /// The number of tasks by outcome.
  var tasks: [String: Int]
  var findings: [Finding]

  struct Finding: Equatable {
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

    fileprivate init(_ node: YAMLNode) throws {
      var fields = try Fields(node)
      rule = try fields.required("rule").text()
      cause = try fields.next("cause")?.text()
      variant = try fields.next("variant")?.text()
      severity = try fields.required("severity").text()
      certainty = try fields.required("certainty").text()
      task = try fields.next("task")?.text()
      tasks = try fields.next("tasks")?.texts() ?? []
      session = try fields.next("session")?.text()
      says = try fields.next("says")?.text()
      evidence = try fields.required("evidence").texts().sorted()
      missing = try fields.next("missing")?.texts().sorted() ?? []
      try fields.end()
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

  init(yaml path: String) throws {
    var fields = try Fields(YAMLReader.read(Data(contentsOf: URL(fileURLWithPath: path)), file: path))
    exit = try fields.required("exit").integer()
    verdict = try fields.required("verdict").text()
    complete = try fields.required("complete").text() == "true"
    processes = try fields.required("processes").texts()
    tasks = try fields.required("tasks").counts()
    findings = try fields.required("findings").members.map(Finding.init)
    try fields.end()
  }

  init(exit: Int, verdict: String, complete: Bool, processes: [String], tasks: [String: Int], findings: [Finding]) {
    (self.exit, self.verdict, self.complete) = (exit, verdict, complete)
    (self.processes, self.tasks, self.findings) = (processes, tasks, findings)
  }
}

/// The values of a mapping, each of which must be read, because a mistyped key would never be checked.
private struct Fields {
  private let place: SourcePlace
  private var values: [String: YAMLNode] = [:]

  init(_ node: YAMLNode) throws {
    place = node.place
    guard case .mapping(let pairs) = node.content else { throw Mistake(place: place, problem: "a mapping is expected") }
    for (key, value) in pairs { values[try key.text()] = value }
  }

  mutating func next(_ key: String) -> YAMLNode? { values.removeValue(forKey: key) }

  mutating func required(_ key: String) throws -> YAMLNode {
    guard let value = next(key) else { throw Mistake(place: place, problem: "`\(key)` is missing") }
    return value
  }

  func end() throws {
    guard values.isEmpty else { throw Mistake(place: place, problem: "unknown keys \(values.keys.sorted())") }
  }
}

private struct Mistake: Error {
  let place: SourcePlace
  let problem: String
}

extension YAMLNode {
  fileprivate func text() throws -> String {
    guard let scalar else { throw Mistake(place: place, problem: "a single value is expected") }
    return scalar
  }

  fileprivate func texts() throws -> [String] { try members.map { try $0.text() } }

  fileprivate func integer() throws -> Int {
    guard let number = Int(try text()) else { throw Mistake(place: place, problem: "a whole number is expected") }
    return number
  }

  fileprivate func counts() throws -> [String: Int] {
    guard case .mapping(let pairs) = content else { throw Mistake(place: place, problem: "counts are expected") }
    var counts: [String: Int] = [:]
    for (name, count) in pairs { counts[try name.text()] = try count.integer() }
    return counts
  }
}
