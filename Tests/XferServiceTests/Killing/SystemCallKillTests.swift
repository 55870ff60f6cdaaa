import Foundation
import LogTestSupport
import Testing

/// Tests that kill the app or the daemon at any of its system calls.
@Suite(.timeLimit(.minutes(isCampaign ? 60 : 5))) struct SystemCallKillTests {
  struct Case: CustomTestStringConvertible {
    let victim: Victim
    let work: BackgroundWork
    var testDescription: String { "\(victim.rawValue), \(work.rawValue)" }
  }

  private static let cases = Victim.allCases.flatMap { victim in BackgroundWork.allCases.map { Case(victim: victim, work: $0) } }

  @Test(arguments: cases)
  func `A transfer ends once and correctly if the app or the daemon is killed at any system call`(test: Case) async throws {
    let runs = try await UndisturbedRuns.all
    let (working, starting) = (runs.working(test.victim, test.work), runs.starting(test.victim, test.work))
    var campaign = Campaign("kills at system calls, \(test.testDescription)")
    let seeds = TrialSeeds(wanted: isCampaign ? 310 : 2)
    for seed in seeds.all where campaign.counted < max(1, seeds.wanted) {
      var random = SeededRandom(seed: seed &* 8 &+ UInt64(Self.cases.firstIndex { $0.testDescription == test.testDescription }!))
      let fromStart = Int.random(in: 0..<5, using: &random) == 0
      let death = Death.atCall((fromStart ? starting : working).draw(&random), fromStart: fromStart)
      var survival = Survival(work: test.work)
      survival.isLaunched = test.victim == .app && Bool.random(using: &random)
      if test.victim == .app { survival.apps = [death] } else { survival.daemons = [death] }
      do {
        campaign.take(try await survival.run(), seed: seed)
      } catch {
        campaign.note(error, seed: seed, [death])
      }
    }
    campaign.report()
    #expect(campaign.violations == [])
    #expect(campaign.counted >= seeds.wanted)
    #expect(campaign.fetchedAgain.allSatisfy { $0 <= 1 << 20 })
    guard isCampaign else { return }
    for kind in working.kinds {
      #expect(campaign.histogram["\(test.victim.rawValue) \(kind.rawValue)", default: 0] >= 5, "\(kind)")
    }
  }
}
