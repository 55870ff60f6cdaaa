import XferDiagnosis

/// The findings that the limit of a service left out of a result.
package struct JobCut: Sendable, Equatable {
  let kept: Int
  let total: Int
  /// The limit as a clause, such as `GitHub shows 5,000 results`.
  let limit: String
  /// The number of findings that are left out, by severity, the most severe first.
  let leftOut: [(severity: Severity, count: Int)]

  /// - Returns: `nil` if nothing is left out.
  init?(_ items: some Collection<JobItem>, kept: Int, limit: String) {
    guard kept < items.count else { return nil }
    self.init(kept: kept, total: items.count, leftOut: Array(items.dropFirst(kept)), limit: limit)
  }

  init(kept: Int, total: Int, leftOut items: [JobItem], limit: String) {
    (self.kept, self.total, self.limit) = (kept, total, limit)
    leftOut = Severity.allCases.reversed().compactMap { severity in
      let count = items.count { $0.finding.severity == severity }
      return count == 0 ? nil : (severity, count)
    }
  }

  package static func == (left: JobCut, right: JobCut) -> Bool { left.text == right.text }

  /// A sentence such as `5000 of 5001 findings, because GitHub shows 5,000 results; left out: 1 notice`.
  package var text: String {
    let parts = leftOut.map { "\($0.count) \($0.severity.rawValue)" }
    return "\(kept) of \(total) findings, because \(limit); left out by severity: \(parts.joined(separator: ", "))"
  }
}
