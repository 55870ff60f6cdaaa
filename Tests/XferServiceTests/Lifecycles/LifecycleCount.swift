import LogTestSupport

/// Statistics over many lifecycle tests.
struct LifecycleCount {
  private var lines: [String: Line] = [:]
  private(set) var problems: [String] = []

  private struct Line {
    var count = 0
    var misses = 0
    var falseFindings = 0
    var lostCalledFine = 0
    var others = 0
    var asides: [String] = []
    var failures = 0
  }

  mutating func take(_ lifecycle: Lifecycle, _ result: Result<LifecycleJudgement, any Error>) {
    var line = lines[name(lifecycle), default: Line()]
    line.count += 1
    switch result {
    case .failure(let error):
      line.failures += 1
      note("\(error)", lifecycle)
    case .success(let judgement):
      line.misses += judgement.misses.count
      line.falseFindings += judgement.falseFindings.count
      line.lostCalledFine += judgement.lostCalledFine.count
      line.others += judgement.others.count
      line.asides += judgement.asides.map { String($0.prefix { $0 != " " }) }
      for problem in judgement.problems { note(problem, lifecycle) }
    }
    lines[name(lifecycle)] = line
    let count = lines.values.reduce(0) { $0 + $1.count }
    if isCampaign, count % 100 == 0 { report() }
  }

  private func name(_ lifecycle: Lifecycle) -> String { lifecycle.cause?.rawValue ?? "no defect" }

  /// Records a problem and prints it immediately, because the remaining lifecycles may take an hour.
  private mutating func note(_ problem: String, _ lifecycle: Lifecycle) {
    problems.append("\(problem); XFERLOG_SEED=\(lifecycle.seed): \(lifecycle)")
    print(problems.last!)
  }

  func report() {
    let causes = Cause.allCases.map(\.rawValue) + ["no defect"]
    func sum(_ field: (Line) -> Int) -> Int { lines.values.reduce(0) { $0 + field($1) } }
    print(
      """
      \(sum(\.count)) lifecycles: \(sum(\.misses)) misses, \(sum(\.falseFindings)) false findings, \
      \(sum(\.lostCalledFine)) lost completions not reported, \(sum(\.others)) other problems, \(sum(\.failures)) failed to run
      """)
    let asides = Dictionary(lines.values.flatMap(\.asides).map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
    print("  other true findings: \(asides.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
    for cause in causes {
      guard let line = lines[cause] else { continue }
      print(
        "  \(cause): \(line.count), \(line.misses) missed, \(line.falseFindings) false, \(line.lostCalledFine) not reported, "
          + "\(line.others) other, \(line.failures) failed to run")
    }
  }
}
