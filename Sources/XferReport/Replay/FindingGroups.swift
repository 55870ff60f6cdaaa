import XferDiagnosis
import XferEvents
import XferLifecycle

/// The findings of a replay, grouped by what they have in common.
package struct FindingGroups {
  /// A property by which findings are grouped.
  package enum Key: String, CaseIterable, Sendable {
    case rule, severity, certainty
    /// The name and version of the operating system.
    case os
    /// The program with its version.
    case app
    /// The file name of the program.
    case program
    case session
  }

  /// The findings with the same values of all keys.
  struct Group {
    /// The values in the order of the keys. `nil` if the log does not tell.
    let values: [String?]
    private(set) var findings = 0
    /// The number of findings that no other finding explains.
    private(set) var roots = 0
    private(set) var severity: Severity
    private(set) var certainty: Certainty
    private(set) var tasks: Set<TaskUID> = []
    /// The index of the first finding in the list of all findings.
    let first: Int

    init(_ values: [String?], _ finding: Finding, at place: Int) {
      (self.values, severity, certainty, first) = (values, finding.severity, finding.certainty, place)
    }

    mutating func add(_ finding: Finding) {
      findings += 1
      if finding.causedBy == nil { roots += 1 }
      severity = max(severity, finding.severity)
      certainty = max(certainty, finding.certainty)
      if let task = finding.task { tasks.insert(task.uid) }
      for task in finding.tasks { tasks.insert(task.uid) }
    }
  }

  let keys: [Key]
  /// The groups with the most findings first.
  let groups: [Group]

  init(_ keys: [Key], of findings: [Finding], process: (Finding) -> ProcessLifecycle?) {
    self.keys = keys
    var groups: [[String?]: Group] = [:]
    for (place, finding) in findings.enumerated() where !keys.isEmpty {
      let process = process(finding)
      let values = keys.map { Self.value($0, of: finding, process) }
      groups[values, default: Group(values, finding, at: place)].add(finding)
    }
    self.groups = groups.values.sorted { ($1.findings, $0.first) < ($0.findings, $1.first) }
  }

  private static func value(_ key: Key, of finding: Finding, _ process: ProcessLifecycle?) -> String? {
    switch key {
    case .rule: finding.rule
    case .severity: finding.severity.rawValue
    case .certainty: finding.certainty.rawValue
    case .os: process?.osVersion
    case .app: program(process).map { name in process?.version.map { "\(name) \($0)" } ?? name }
    case .program: program(process)
    case .session: finding.session
    }
  }

  private static func program(_ process: ProcessLifecycle?) -> String? {
    process?.executable?.fileName
  }
}

extension ReplayDocument {
  /// Returns the process that a finding is about; `nil` if the log has none.
  static func process(of finding: Finding, among lives: [LaunchID?: [ProcessLifecycle]]) -> ProcessLifecycle? {
    let candidates = lives[finding.launch] ?? []
    guard candidates.count > 1, let evidence = finding.evidence.first?.reference else { return candidates.first }
    // Logs that do not tell process lives apart have no launch, so the file tells them apart.
    return candidates.first { $0.firstSeen?.reference.isInSameFile(as: evidence) ?? false } ?? candidates.first
  }

  static let groupObject = DocumentObject<(group: FindingGroups.Group, keys: [FindingGroups.Key])>(
    "group", "Findings that have the values of --group-by in common."
  ) { fields in
    fields.object("by", byObject, "The values that the findings have in common.") { $0 }
    fields.integer("findings", "Number of findings.") { $0.group.findings }
    fields.integer("roots", "Number of findings that no other finding explains.") { $0.group.roots }
    fields.integer("tasks", "Number of tasks that the findings are about.") { $0.group.tasks.count }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Highest severity of the findings.") {
      $0.group.severity.rawValue
    }
    fields.choice("certainty", Certainty.allCases.map(\.rawValue), "Highest certainty of the findings.") {
      $0.group.certainty.rawValue
    }
    fields.integer("first", "Index of the first finding in the list of findings, counted from 0.") { $0.group.first }
  }

  private static let byObject = DocumentObject<(group: FindingGroups.Group, keys: [FindingGroups.Key])>(
    "groupValues", "The values of a group, one member for each property that was named; `unknown` if the log does not tell."
  ) { fields in
    for key in FindingGroups.Key.allCases {
      fields.optionalText(key.rawValue, presence: .omitted, key.summary) { entry in
        entry.keys.firstIndex(of: key).map { entry.group.values[$0] ?? "unknown" }
      }
    }
  }

  /// The groups as a table.
  var groupLines: [String] {
    var table = TextTable(groups.keys.map { ($0.rawValue, .left) } + [("findings", .right), ("tasks", .right)])
    for group in groups.groups {
      table.append(group.values.map { $0 ?? "unknown" } + ["\(group.findings)", "\(group.tasks.count)"])
    }
    var text = TextBuffer()
    table.flush(to: &text)
    return text.string.split(separator: "\n").map(String.init)
  }
}

extension FindingGroups.Key {
  fileprivate var summary: String {
    switch self {
    case .rule: "Identifier of the rule."
    case .severity: "Severity of the findings."
    case .certainty: "Certainty of the findings."
    case .os: "Name and version of the operating system."
    case .app: "Program with its version."
    case .program: "File name of the program."
    case .session: "Identifier of the session."
    }
  }
}

extension EventReference {
  fileprivate func isInSameFile(as other: EventReference) -> Bool {
    switch (self, other) {
    case (.record(let segment, _, _, let log), .record(let otherSegment, _, _, let otherLog)):
      segment == otherSegment && log == otherLog
    case (.line(let file, _), .line(let otherFile, _)): file == otherFile
    default: false
    }
  }
}
