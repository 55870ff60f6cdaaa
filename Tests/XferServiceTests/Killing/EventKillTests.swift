import Foundation
import LogTestSupport
import Testing

/// Tests that kill the app or the daemon directly before or after it writes an event to the log. Writing an event makes no
/// system call, so system call tests cannot cover these moments.
@Suite(.timeLimit(.minutes(isCampaign ? 60 : 5))) struct EventKillTests {
  @Test func `A transfer ends once and correctly if the app or the daemon is killed at any event`() async throws {
    let places = try await UndisturbedRuns.all
    var campaign = Campaign("kills at events")
    let seeds = TrialSeeds(wanted: isCampaign ? 300 : 3)
    for seed in seeds.all where campaign.counted < max(1, seeds.wanted) {
      var random = SeededRandom(seed: seed &+ 1 << 32)
      let work = BackgroundWork.allCases[Int(seed) % 2]
      let victim = Victim.allCases[Int(seed) / 2 % 2]
      let death = places.event(victim, work, &random)
      var survival = Survival(work: work)
      survival.isLaunched = victim == .app && Bool.random(using: &random)
      if victim == .app { survival.apps = [death] } else { survival.daemons = [death] }
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
  }
}
