import Foundation
import LogTestSupport
import Testing

/// Tests that kill the app and the daemon up to three times, including during recovery.
@Suite(.timeLimit(.minutes(isCampaign ? 60 : 5))) struct NestedKillTests {
  @Test func `A transfer ends once and correctly if processes are killed again during recovery`() async throws {
    let places = try await UndisturbedRuns.all
    var campaign = Campaign("nested kills")
    let seeds = TrialSeeds(wanted: isCampaign ? 100 : 3)
    for seed in seeds.all where campaign.counted < max(1, seeds.wanted) {
      var random = SeededRandom(seed: seed &+ 2 << 32)
      let work = BackgroundWork.allCases.randomElement(using: &random)!
      var survival = Survival(work: work)
      for _ in 0..<Int.random(in: 2...3, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: survival.apps.append(places.event(.app, work, &random))
        case 1: survival.daemons.append(places.event(.daemon, work, &random))
        default: survival.daemons.append(.atCall(places.starting(.daemon, work).draw(&random), fromStart: true))
        }
      }
      survival.isLaunched = Bool.random(using: &random)
      do {
        campaign.take(try await survival.run(), seed: seed, least: 2)
      } catch {
        campaign.note(error, seed: seed, survival.daemons + survival.apps)
      }
    }
    campaign.report()
    #expect(campaign.violations == [])
    #expect(campaign.counted >= seeds.wanted)
    #expect(campaign.fetchedAgain.allSatisfy { $0 <= 1 << 20 })
  }
}
