import XferDiagnosis
import XferEvents

/// The findings of a report, grouped by fingerprint. A report contains the first findings of each group.
struct ReportFindings {
  /// The findings with the same fingerprint: the same problem, whatever its identifiers and times.
  struct Group {
    let fingerprint: String
    var count = 0
    /// The indexes of the contained findings, in the list of a report.
    var members: [Int] = []
    var severity = Severity.allCases[0]
    var certainty = Certainty.allCases[0]
    /// Whether no other finding explains one of them.
    var hasRoot = false
    var first: WallTime?
    var last: WallTime?
  }

  /// The indexes of the contained findings in the list of all findings.
  let places: [Int]
  let groups: [Group]
  let count: Int

  /// The maximum numbers of contained findings in a group and in a report.
  private static let (groupLimit, limit) = (50, 2000)

  init(_ findings: [Finding]) {
    count = findings.count
    var groups: [Group] = []
    var numbers: [String: Int] = [:]
    var places: [Int] = []
    // The most severe findings come first, so that a limit leaves out others.
    let order = findings.indices.sorted { first, second in
      let (one, other) = (findings[first], findings[second])
      return (other.counts ? 1 : 0, other.severity, other.certainty, first)
        < (one.counts ? 1 : 0, one.severity, one.certainty, second)
    }
    for place in order {
      let finding = findings[place]
      let number = numbers[finding.fingerprint] ?? groups.count
      if number == groups.count {
        numbers[finding.fingerprint] = number
        groups.append(Group(fingerprint: finding.fingerprint))
      }
      groups[number].add(finding)
      if groups[number].members.count < Self.groupLimit, places.count < Self.limit {
        groups[number].members.append(places.count)
        places.append(place)
      }
    }
    // Groups that the limit leaves without a finding would make a report as large as its log.
    (self.groups, self.places) = (groups.filter { !$0.members.isEmpty }, places)
  }

  /// The tasks that the contained findings are about, those of the most severe findings first.
  func tasks(of findings: [Finding]) -> [TaskUID] {
    var seen: Set<TaskUID> = []
    var tasks: [TaskUID] = []
    for place in places {
      let named = (findings[place].task.map { [$0] } ?? []) + findings[place].tasks.prefix(Self.groupLimit)
      for task in named where seen.insert(task.uid).inserted { tasks.append(task.uid) }
    }
    return tasks
  }
}

extension ReportFindings.Group {
  fileprivate mutating func add(_ finding: Finding) {
    count += 1
    severity = max(severity, finding.severity)
    certainty = max(certainty, finding.certainty)
    if finding.causedBy == nil { hasRoot = true }
    guard let wall = finding.moment.wall else { return }
    first = min(first ?? wall, wall)
    last = max(last ?? wall, wall)
  }
}
