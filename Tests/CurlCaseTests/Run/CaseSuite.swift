import Foundation
import LogTestSupport
import Synchronization

/// The outcomes of running all cases with a program. Several run in parallel, because they mostly wait.
struct CaseSuite {
  /// The outcomes by case number.
  let outcomes: [Int: CaseOutcome]

  /// - Parameter notRun: the cases to skip, with the reason for each.
  init(_ folder: CaseFolder, _ program: CaseProgram, notRun: [Int: String]) {
    let work = Mutex((left: folder.numbers[...], outcomes: [Int: CaseOutcome]()))
    SystemThread.run(6) { _ in
      while let number = work.withLock({ $0.left.popFirst() }) {
        let outcome = notRun[number].map { .notRun(reason: $0) } ?? Self.outcome(of: number, folder, program)
        work.withLock { $0.outcomes[number] = outcome }
      }
    }
    outcomes = work.withLock(\.outcomes)
  }

  static func outcome(of number: Int, _ folder: CaseFolder, _ program: CaseProgram) -> CaseOutcome {
    do {
      let bench = try CaseBench(number, of: folder)
      if let feature = bench.curlCase.features.intersection(program.missingFeatures).first {
        return .notRun(reason: "\(program.name) was built without \(feature)")
      }
      if let precheck = bench.curlCase.client.precheck, try bench.shell(precheck).status != 0 {
        return .notRun(reason: "the case's precheck failed on this machine")
      }
      let command = CaseCommand(bench.curlCase, for: program)
      return try CaseJudge(bench: bench, program: program, command: command, run: bench.run(program, command)).outcome()
    } catch {
      return .disagrees(expected: "a case that can be run", got: "\(error)")
    }
  }

  var agreeing: [Int] { numbers { $0 == .agrees } }
  var notRun: [Int] { numbers { if case .notRun = $0 { true } else { false } } }
  var lacking: [Int] { numbers { if case .lacks = $0 { true } else { false } } }
  var disagreeing: [Int] { numbers { if case .disagrees = $0 { true } else { false } } }

  /// The share of agreeing cases among those that were run, from 0 to 1.
  var shareAgreeing: Double { Double(agreeing.count) / Double(max(1, outcomes.count - notRun.count)) }

  private func numbers(_ holds: (CaseOutcome) -> Bool) -> [Int] { outcomes.filter { holds($0.value) }.keys.sorted() }

  /// Returns a report: the counts, a line for each case that does not agree, and a line for each missing option.
  func summary(known: [Int: String]) -> String {
    let counts = [
      "\(agreeing.count) agree", "\(disagreeing.count) disagree", "\(lacking.count) unsupported",
      "\(notRun.count) not run",
    ]
    var missing: [String: [Int]] = [:]
    var lines: [String] = []
    for (number, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      switch outcome {
      case .agrees: break
      case .notRun(let reason): lines.append("  \(number) not run: \(reason)")
      case .lacks(let what): missing[what, default: []].append(number)
      case .disagrees(let expected, let got):
        lines.append(known[number].map { "  \(number) known: \($0)" } ?? "  \(number) expected \(expected)\n    got \(got)")
      }
    }
    lines += missing.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { what, numbers in
      "  \(numbers.count) unsupported: \(what): \(numbers.map(String.init).joined(separator: " "))"
    }
    return ([counts.joined(separator: ", ")] + lines).joined(separator: "\n")
  }
}
