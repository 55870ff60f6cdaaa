import LogTestSupport

/// Counts over many lifecycles: for each cause, how often a right finding names it, and how many findings name it wrongly.
struct InjectionCount {
  private var lines: [InjectedCause: Line] = [:]
  private var lives = 0
  private var caused = 0
  private var correct = 0
  private var lost = 0
  private(set) var problems: [String] = []
  /// False findings of rules that belong to no cause.
  private var otherFalseFindings = 0

  private struct Line {
    var hits = 0
    var misses = 0
    var falseFindings = 0

    var recall: Double { Double(hits) / Double(max(1, hits + misses)) }
    var precision: Double { hits + falseFindings == 0 ? 1 : Double(hits) / Double(hits + falseFindings) }
  }

  mutating func take(_ life: InjectedLife, _ result: Result<InjectionJudgement, any Error>) {
    lives += 1
    switch result {
    case .failure(let error): note("did not run: \(error)", life)
    case .success(let judgement): take(life, judgement)
    }
    if isCampaign, lives % 50 == 0 { report() }
  }

  private mutating func take(_ life: InjectedLife, _ judgement: InjectionJudgement) {
    caused += judgement.caused
    correct += judgement.correct
    lost += judgement.lostCalledClean.count
    for cause in judgement.hits { lines[cause, default: Line()].hits += 1 }
    for miss in judgement.misses {
      lines[miss.cause, default: Line()].misses += 1
      note("missed: \(miss.cause.rawValue) of \(miss.tasks.joined(separator: " "))", life)
    }
    for finding in judgement.falseFindings {
      if let cause = InjectedCause.allCases.first(where: { $0.rules.contains(finding.rule) }) {
        lines[cause, default: Line()].falseFindings += 1
      } else {
        otherFalseFindings += 1
      }
      note("false finding: \(finding.rule) on \(finding.subject)", life)
    }
    for task in judgement.lostCalledClean { note("lost completion called clean: \(task)", life) }
    for problem in judgement.others { note(problem, life) }
  }

  /// Records a problem and prints it immediately, because the remaining lifecycles may take minutes.
  private mutating func note(_ problem: String, _ life: InjectedLife) {
    problems.append("\(problem); XFERLOG_SEED=\(life)")
    print(problems.last!)
  }

  func report() {
    let hits = lines.values.reduce(0) { $0 + $1.hits }
    let misses = lines.values.reduce(0) { $0 + $1.misses }
    let wrong = lines.values.reduce(otherFalseFindings) { $0 + $1.falseFindings }
    print(
      """
      \(lives) devices with \(caused) lifecycles with a cause and \(correct) without: \(lines.count) causes, \(hits) named, \
      \(misses) missed, \(wrong) false findings, \(lost) lost completions called clean
      """)
    for (cause, line) in lines.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      print(
        "  \(cause.rawValue): \(line.hits) named, \(line.misses) missed, \(line.falseFindings) false; precision \(line.precision), recall \(line.recall)"
      )
    }
  }
}
