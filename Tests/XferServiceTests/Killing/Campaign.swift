import Foundation
import LogTestSupport

/// Counts what many survivals brought.
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

  /// - Parameter least: deaths that make a trial count.
  mutating func take(_ aftermath: Aftermath, seed: UInt64, least: Int = 1) {
    trials += 1
    // Whoever was to be killed and was not is no trial; what is wrong is wrong all the same.
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

  /// Said at once: what comes after it may take an hour.
  private mutating func note(_ problem: String, seed: UInt64) {
    violations.append("seed \(seed), \(problem)")
    print("\(name): \(violations.last!)")
  }

  func report() {
    let kinds = histogram.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print(
      """
      \(name): \(counted) of \(trials) trials killed whom they meant to, seeds 0..<\(trials); \(violations.count) violations, \
      \(repeats) callbacks repeated in a later life
        places: \(kinds)
        fetched again per kill: max \(fetchedAgain.max() ?? 0) bytes, p95 \(Self.p95(fetchedAgain).map { "\($0)" } ?? "-")
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

/// Seeds of trials of which some do not count, because nobody was killed.
struct TrialSeeds {
  /// So many have to count.
  let wanted: Int
  let all: [UInt64]

  /// `XFERLOG_SEED` runs one alone, whether it counts or not.
  init(wanted: Int) {
    let seeds = seeds(wanted * 4, campaign: wanted * 4)
    (all, self.wanted) = (seeds, seeds.count == 1 ? 0 : wanted)
  }
}
