import Foundation
import LogTestSupport
import Testing

/// SIGKILL of the app or of the daemon right before or after an event is in its log: the stores of a log are no system calls.
@Suite(.timeLimit(.minutes(isCampaign ? 60 : 5))) struct EventKillTests {
  @Test func `Whoever dies at an event, the transfer ends once and right`() async throws {
    let places = try await EventPlaces()
    var campaign = Campaign("kills at events")
    let seeds = TrialSeeds(wanted: isCampaign ? 300 : 4)
    for seed in seeds.all where campaign.counted < max(1, seeds.wanted) {
      var random = SeededRandom(seed: seed &+ 1 << 32)
      let work = BackgroundWork.allCases[Int(seed) % 2]
      let victim = Victim.allCases[Int(seed) / 2 % 2]
      let death = places.draw(victim, work, &random)
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

/// Where an app and a daemon write events, by runs that nobody disturbs.
struct EventPlaces {
  private var lanes: [BackgroundWork: [Victim: [(lane: Int, count: Int)]]] = [:]

  init() async throws {
    for work in BackgroundWork.allCases {
      let aftermath = try await Survival(work: work).run()
      #expect(aftermath.violations == [])
      for victim in Victim.allCases {
        let first = aftermath.events.first { $0.role == victim.rawValue }?.launch
        let events = aftermath.events.filter { $0.launch == first }
        lanes[work, default: [:]][victim] = Dictionary(grouping: events, by: \.lane).map { lane, events in
          (lane, events.map(\.sequence).max()! + 1)
        }.sorted { $0.lane < $1.lane }
      }
    }
  }

  func draw(_ victim: Victim, _ work: BackgroundWork, _ random: inout SeededRandom) -> Death {
    let (lane, count) = lanes[work]![victim]!.randomElement(using: &random)!
    let moment = Bool.random(using: &random) ? "before" : "after-commit"
    return .atEvent("\(lane):\(Int.random(in: 0..<count, using: &random)):\(moment)")
  }
}
