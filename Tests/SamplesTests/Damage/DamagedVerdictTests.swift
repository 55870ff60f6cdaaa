import Foundation
import LogTestSupport
import Synchronization
import Testing

/// Tests that `xferlog` claims nothing of a damaged log that the undamaged log contradicts, says that something is missing, and keeps
/// the certainties that the damage does not concern.
///
/// The logs are written by real processes, and their files are damaged. `XFERLOG_LOGS` names the samples and scenarios to record, separated
/// by commas. `XFERLOG_KEEP` names a directory that receives each damaged log about which something wrong was said, with the undamaged log.
@Suite(.timeLimit(.minutes(isCampaign ? 120 : 10))) struct DamagedVerdictTests {
  /// Returns the undamaged logs, half of which are sealed copies of the others: all samples and some or all scenarios.
  private static func logs() throws -> [LiveLog] {
    let start = ContinuousClock.now
    var (samples, scenarios) = (try Sample.recordable(), LiveLog.scenarios())
    if let names = testVariable("XFERLOG_LOGS")?.split(separator: ",") {
      samples = samples.filter { names.contains($0[...]) }
      scenarios = scenarios.filter { names.contains(LiveLog.name(ofScenario: $0)[...]) }
    } else if !isCampaign {
      var random = SeededRandom(seed: 1)
      scenarios = Array(scenarios.shuffled(using: &random).prefix(3))
    }
    var logs = try LiveLog.samples(samples)
    for path in scenarios { logs.append(try LiveLog.scenario(path)) }
    let sealed = try logs.map { try $0.sealed() }
    print("damaged logs: \(logs.count) logs, recorded in \(ContinuousClock.now - start)")
    for (log, sealed) in zip(logs, sealed) {
      #expect(log.reading.losses.isEmpty, "\(log.name) is not damaged")
      #expect(!log.reading.verifiesLoss && !sealed.reading.verifiesLoss, "\(log.name) is not damaged")
      #expect(log.reading.reasons == sealed.reading.reasons, "\(log.name)")
      #expect(log.reading.findings.map(\.key) == sealed.reading.findings.map(\.key), "\(log.name)")
      #expect(log.reading.findings.map(\.certainty) == sealed.reading.findings.map(\.certainty), "\(log.name)")
    }
    return logs + sealed
  }

  @Test func `A damaged log is never called complete, and none of its certain findings is wrong`() throws {
    let logs = try Self.logs()
    let directory = TemporaryDirectory()
    let seeds = seeds(400, campaign: 20_000)
    let trials = Mutex<[DamageTrial]>([])
    let failures = Mutex<[String]>([])
    let start = ContinuousClock.now
    // Threads of their own, because reading blocks.
    let workers = 2
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for place in stride(from: worker, to: seeds.count, by: workers) {
        do {
          guard let trial = try DamageTrial(seed: seeds[place], of: logs, in: directory.path) else { continue }
          trials.withLock { $0.append(trial) }
        } catch { failures.withLock { $0.append("seed \(seeds[place]): \(error)") } }
      }
    }
    let all = trials.withLock { $0.sorted { $0.seed < $1.seed } }
    for failure in failures.withLock({ $0 }) { Issue.record("\(failure)") }
    let summary = DamageSummary(all, logs: logs.count, time: ContinuousClock.now - start)
    print(summary.text)
    for fault in summary.faults { Issue.record("\(fault)") }
    // In a sample of a hundred findings, a share of 95 % varies by some percent.
    #expect(summary.intact.value >= (isCampaign ? 0.95 : 0.9), "\(summary.intact.text)")
  }
}
