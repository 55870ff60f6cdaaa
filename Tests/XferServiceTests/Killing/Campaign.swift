import Foundation
import LogTestSupport

/// Statistics over many kill tests.
struct Campaign {
  let name: String
  private(set) var trials = 0
  private(set) var counted = 0
  private(set) var repeats = 0
  private(set) var histogram: [String: Int] = [:]
  private(set) var violations: [String] = []
  private(set) var fetchedAgain: [Int] = []
  private var resumed: [Duration] = []
  private var requested: [Duration] = []

  init(_ name: String) { self.name = name }

  /// Adds the result of a trial.
  ///
  /// - Parameter least: The minimum number of kills that a trial needs to be counted.
  mutating func take(_ aftermath: Aftermath, seed: UInt64, least: Int = 1) {
    trials += 1
    // A trial without the planned kill is not counted, but its violations are reported.
    for problem in aftermath.violations { note("\(aftermath.deaths): \(problem)", seed: seed) }
    guard aftermath.deaths.count >= least else { return }
    counted += 1
    repeats += aftermath.repeats
    for death in aftermath.deaths { histogram["\(death.victim.rawValue) \(death.kind)", default: 0] += 1 }
    fetchedAgain.append(aftermath.fetchedAgain / aftermath.deaths.count)
    resumed += aftermath.resumed
    requested += aftermath.requested
    if isCampaign, counted % 50 == 0 { report() }
  }

  mutating func note(_ error: any Error, seed: UInt64, _ deaths: [Death]) {
    trials += 1
    note("\(deaths): \(error)", seed: seed)
  }

  /// Records a violation and prints it immediately, because the remaining trials may take an hour.
  private mutating func note(_ problem: String, seed: UInt64) {
    violations.append("seed \(seed), \(problem)")
    print("\(name): \(violations.last!)")
  }

  func report() {
    let kinds = histogram.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print(
      """
      \(name): \(counted) of \(trials) trials had their planned kills, seeds 0..<\(trials); \(violations.count) violations, \
      \(repeats) callbacks repeated after a relaunch
        places: \(kinds)
        bytes downloaded again per kill: max \(fetchedAgain.max() ?? 0), p95 \(Self.p95(fetchedAgain).map { "\($0)" } ?? "-")
        daemon.started to attempt.started: \(Self.text(resumed)); death to the next request: \(Self.text(requested))
      """)
  }

  private static func p95<Value: Comparable>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values.sorted()[min(values.count - 1, values.count * 95 / 100)]
  }

  private static func text(_ values: [Duration]) -> String {
    guard let p95 = p95(values), let max = values.max() else { return "never" }
    func milliseconds(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1))) ms" }
    return "p95 \(milliseconds(p95)), max \(milliseconds(max)) of \(values.count)"
  }
}

/// The seeds of a campaign. Contains spare seeds, because a trial is not counted if its planned kill did not happen.
struct TrialSeeds {
  /// The number of trials that must be counted.
  let wanted: Int
  let all: [UInt64]

  /// Creates the seeds for a number of trials. The environment variable `XFERLOG_SEED` selects a single seed.
  init(wanted: Int) {
    let seeds = seeds(wanted * 4, campaign: wanted * 4)
    (all, self.wanted) = (seeds, seeds.count == 1 ? 0 : wanted)
  }
}
