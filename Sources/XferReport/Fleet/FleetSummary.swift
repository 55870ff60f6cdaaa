package import XferDiagnosis

/// The findings in the logs of many devices, by fingerprint.
package struct FleetSummary {
  /// One finding of one log, as a row of verdicts has it.
  package struct Row {
    package let log: String
    package let rule: String
    package let fingerprint: String
    package let severity: Severity
    package let certainty: Certainty
    package let isCounted: Bool
    package let program: Program
    /// RFC 3339, in UTC.
    package let time: String?
    package let summary: String
    /// `SESSION/NUMBER` of the task.
    package let task: String?
    package let variant: String?
    package let host: String?

    package init(
      log: String, rule: String, fingerprint: String, severity: Severity, certainty: Certainty, isCounted: Bool, program: Program,
      time: String?, summary: String, task: String?, variant: String?, host: String?
    ) {
      (self.log, self.rule, self.fingerprint, self.severity, self.certainty) = (log, rule, fingerprint, severity, certainty)
      (self.isCounted, self.program, self.time, self.summary, self.task) = (isCounted, program, time, summary, task)
      (self.variant, self.host) = (variant, host)
    }
  }

  /// The version of an app and of its system; `nil` if the log does not tell.
  package struct Program: Hashable, Sendable {
    package let version: String?
    package let os: String?

    package init(version: String?, os: String?) { (self.version, self.os) = (version, os) }
  }

  /// The logs with a fingerprint.
  package struct Problem {
    package let rule: String
    package let fingerprint: String
    package fileprivate(set) var severity: Severity
    package fileprivate(set) var certainty: Certainty
    package fileprivate(set) var isCounted: Bool
    /// The number of findings.
    package fileprivate(set) var findings = 0
    package fileprivate(set) var logs = Proportion(0, of: 0)
    package fileprivate(set) var versions: [Part] = []
    package fileprivate(set) var systems: [Part] = []
    /// The times of the first and the last finding.
    package fileprivate(set) var firstSeen: String?
    package fileprivate(set) var lastSeen: String?
    /// A log with the finding: the first one in time.
    package fileprivate(set) var example: Row
    /// Whether the newest release has the finding, and no earlier one.
    package fileprivate(set) var isNew = false

    /// The variant and the host, which all findings with this fingerprint share.
    var details: String {
      [example.variant, example.host.map { "at \($0)" }].compactMap(\.self).joined(separator: " ")
    }
  }

  /// The logs of one version of the app or the system.
  package struct Part {
    /// `nil` if the logs do not tell.
    package let name: String?
    package let logs: Proportion
  }

  /// The problems: new ones first, then by severity and by the number of logs.
  package private(set) var problems: [Problem] = []
  /// The newest release among the logs, or the one that was asked for; `nil` if no log tells its version.
  package private(set) var release: String?
  /// The number of judged logs by version and by system.
  package private(set) var versions: [(name: String?, logs: Int)] = []
  package private(set) var systems: [(name: String?, logs: Int)] = []
  package private(set) var logs = 0
  package private(set) var cleanLogs = 0
  /// The number of logs that could not be read, or that had no events.
  package private(set) var unjudged = 0
  package private(set) var tasks = 0
  /// Why rows may be missing, as clauses.
  package private(set) var incompleteness: [String] = []
}

extension FleetSummary {
  /// Collects the rows of verdicts. A row that comes twice counts once.
  package struct Builder {
    private struct Log {
      var verdict: String?
      var tasks = 0
      var isFinal = false
      var programs: Set<Program> = []
      var findings: [Row] = []
      var known: Set<FindingKey> = []
    }

    private struct FindingKey: Hashable {
      let fingerprint: String
      let time: String?
      let summary: String
    }

    private var logs: [String: Log] = [:]
    private var rows = 0
    private var ends = (count: 0, rows: 0)
    private var changed: [String] = []
    private var unreadableLines = 0

    package init() {}

    /// Notes a row about a log. The rows of a final verdict replace those of an interim one.
    private mutating func change(_ log: String, isFinal: Bool, _ change: (inout Log) -> Void) {
      rows += 1
      if logs[log] == nil { logs[log] = Log() }
      if isFinal, logs[log]?.isFinal == false { logs[log] = Log(isFinal: true) }
      if !isFinal, logs[log]?.isFinal == true { return }
      change(&logs[log, default: Log()])
    }

    package mutating func add(verdict: String, tasks: Int, of log: String, _ program: Program, isFinal: Bool) {
      change(log, isFinal: isFinal) { entry in
        (entry.verdict, entry.tasks) = (verdict, tasks)
        entry.programs.insert(program)
      }
    }

    package mutating func add(taskOf log: String, _ program: Program, isFinal: Bool) {
      change(log, isFinal: isFinal) { $0.programs.insert(program) }
    }

    package mutating func add(_ finding: Row, isFinal: Bool) {
      change(finding.log, isFinal: isFinal) { entry in
        entry.programs.insert(finding.program)
        let key = FindingKey(fingerprint: finding.fingerprint, time: finding.time, summary: finding.summary)
        if entry.known.insert(key).inserted { entry.findings.append(finding) }
      }
    }

    /// Notes the last row of a process.
    package mutating func add(endOf rows: Int) { ends = (ends.count + 1, ends.rows + rows) }

    /// Notes a file whose rows are not those that its last row describes.
    package mutating func add(changed file: String) { changed.append(file) }

    /// - Parameter release: the release whose new problems come first; `nil` for the newest.
    package func summary(release: String?) -> FleetSummary {
      var summary = FleetSummary()
      let judged = logs.filter { $0.value.verdict != nil && !["unreadable", "nothingAnalysed"].contains($0.value.verdict) }
      summary.logs = judged.count
      summary.unjudged = logs.count - judged.count
      summary.cleanLogs = judged.values.count { $0.verdict == "clean" }
      summary.tasks = judged.values.reduce(0) { $0 + $1.tasks }
      let versions = Self.counts(judged.values.map { Set($0.programs.map(\.version)) })
      let systems = Self.counts(judged.values.map { Set($0.programs.map(\.os)) })
      summary.versions = versions.map { ($0, $1) }.sorted { Self.isNewer($0.0, $1.0) }
      summary.systems = systems.map { ($0, $1) }.sorted { Self.isNewer($0.0, $1.0) }
      summary.release = release ?? summary.versions.first { $0.name != nil }?.name
      var byFingerprint: [String: [Row]] = [:]
      for log in judged.values { for finding in log.findings { byFingerprint[finding.fingerprint, default: []].append(finding) } }
      summary.problems = byFingerprint.values.compactMap { rows in
        problem(rows, judged.count, versions, systems, release: summary.release)
      }.sorted(by: Self.precedes)
      summary.incompleteness = incompleteness
      return summary
    }

    private var incompleteness: [String] {
      if ends.count > 0, ends.rows != rows {
        return ["the last rows count \(ends.rows) rows, and there are \(rows)"]
      }
      if let file = changed.first {
        return ["the checksum of the last row of \(file) does not match its rows, which were changed"]
      }
      if ends.count == 0, rows > 0 { return ["no last row counts the rows"] }
      let without = logs.values.count { $0.verdict == nil }
      return without == 0 ? [] : ["\(without) \(without == 1 ? "log has" : "logs have") rows, but no verdict"]
    }

    private static func counts(_ sets: [Set<String?>]) -> [String?: Int] {
      var counts: [String?: Int] = [:]
      for set in sets {
        // A process whose log does not tell its version stands behind the others of its log.
        let known = set.filter { $0 != nil }
        for name in known.isEmpty ? [nil] : known { counts[name, default: 0] += 1 }
      }
      return counts
    }

    private func problem(
      _ rows: [Row], _ total: Int, _ versions: [String?: Int], _ systems: [String?: Int], release: String?
    ) -> Problem? {
      let sorted = rows.sorted { ($0.time ?? "~", $0.log, $0.summary) < ($1.time ?? "~", $1.log, $1.summary) }
      guard let first = sorted.first else { return nil }
      var problem = Problem(
        rule: first.rule, fingerprint: first.fingerprint, severity: first.severity, certainty: first.certainty,
        isCounted: first.isCounted, example: first)
      var ofVersion: [String?: Set<String>] = [:]
      var ofSystem: [String?: Set<String>] = [:]
      for row in rows {
        problem.severity = max(problem.severity, row.severity)
        problem.certainty = max(problem.certainty, row.certainty)
        problem.isCounted = problem.isCounted || row.isCounted
        ofVersion[row.program.version, default: []].insert(row.log)
        ofSystem[row.program.os, default: []].insert(row.log)
      }
      problem.findings = rows.count
      problem.logs = Proportion(Set(rows.map(\.log)).count, of: total)
      problem.firstSeen = sorted.lazy.compactMap(\.time).first
      problem.lastSeen = sorted.lazy.compactMap(\.time).max()
      problem.versions = Self.parts(ofVersion, versions)
      problem.systems = Self.parts(ofSystem, systems)
      let seen = ofVersion.keys.compactMap(\.self)
      let hasEarlier = versions.keys.contains { $0.map { Self.isNewer(release, $0) } ?? false }
      problem.isNew = release != nil && hasEarlier && seen.contains(release ?? "") && !seen.contains { Self.isNewer(release, $0) }
      return problem
    }

    /// Returns the rate of each version, also of those without the finding, the newest first.
    private static func parts(_ found: [String?: Set<String>], _ totals: [String?: Int]) -> [Part] {
      Set(totals.keys).union(found.keys).sorted { isNewer($0, $1) }.map { name in
        let count = found[name]?.count ?? 0
        return Part(name: name, logs: Proportion(count, of: max(count, totals[name] ?? 0)))
      }
    }

    private static func precedes(_ left: Problem, _ right: Problem) -> Bool {
      if left.isNew != right.isNew { return left.isNew }
      if left.severity != right.severity { return left.severity > right.severity }
      if left.logs.count != right.logs.count { return left.logs.count > right.logs.count }
      return (left.rule, left.fingerprint) < (right.rule, right.fingerprint)
    }

    /// Whether a version is newer than another one. Numbers are compared as numbers, so that 4.10 is newer than 4.9. Unknown versions are
    /// the oldest.
    static func isNewer(_ left: String?, _ right: String?) -> Bool {
      guard let left, let right else { return left != nil && right == nil }
      let (one, other) = (pieces(left), pieces(right))
      for (piece, counterpart) in zip(one, other) where piece != counterpart {
        if let number = UInt64(piece), let otherNumber = UInt64(counterpart), number != otherNumber {
          return number > otherNumber
        }
        // A number is newer than a word: 4.1 is newer than 4.beta.
        if (UInt64(piece) != nil) != (UInt64(counterpart) != nil) { return UInt64(piece) != nil }
        return piece > counterpart
      }
      if one.count != other.count {
        // 4.1.1 is newer than 4.1, and 4.1 is newer than 4.1-beta.
        let rest = (one.count > other.count ? one : other)[min(one.count, other.count)...]
        let isLater = rest.first.map { UInt64($0) != nil } ?? true
        return (one.count > other.count) == isLater
      }
      return left > right
    }

    private static func pieces(_ version: String) -> [Substring] {
      var pieces: [Substring] = []
      var rest = version[...]
      while let first = rest.first {
        let isDigit = first.isASCII && first.isNumber
        let isWord = first.isLetter
        let piece = rest.prefix {
          isDigit ? $0.isASCII && $0.isNumber : isWord ? $0.isLetter : !$0.isLetter && !($0.isASCII && $0.isNumber)
        }
        if isDigit || isWord { pieces.append(piece) }
        rest = rest.dropFirst(piece.count)
      }
      return pieces
    }
  }
}
