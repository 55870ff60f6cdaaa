import LogTestSupport
import Testing
import XferEvents
import XferQuery

@testable import XferDiagnosis

/// Tests that the state after an event depends neither on the path to the event nor on later events.
struct HistoryStateTests {
  /// Returns a faultless history for an even seed, and a history with a flaw for an odd one.
  private static func history(_ seed: UInt64) -> History {
    HistoryGenerator.history(seed: seed, flaw: seed % 2 == 0 ? nil : Flaw.allCases[Int(seed / 2) % Flaw.allCases.count])
  }

  /// Returns the state after each number of events, each from a fresh replay.
  private static func fresh(_ history: History) -> [StateDocument] {
    let members = history.members()
    return (0...members.count).map { count in
      var replay = SteppingReplay()
      for member in members.prefix(count) { replay.apply(member) }
      return replay.state
    }
  }

  @Test func `The state after any number of events equals that of a fresh replay of these events`() {
    var (states, places) = (0, 0)
    for seed in seeds(1, campaign: 500) {
      let history = Self.history(seed)
      let fresh = Self.fresh(history)
      let members = history.members()
      var diagnosis = Diagnosis()
      // Few snapshots, so that most steps back are long.
      var timeline = Timeline(members, spacing: 1 + Int(seed % 5), limit: 2 + Int(seed % 3))
      for count in 0...members.count {
        if count > 0 { diagnosis.apply(members[count - 1]) }
        timeline.go(to: count)
        #expect(StateDocument(diagnosis.world) == fresh[count], "seed \(seed): the diagnosis's after \(count) events")
        #expect(timeline.state == fresh[count], "seed \(seed): forward, after \(count) events")
      }
      var random = SeededRandom(seed: seed)
      for count in (0...members.count).shuffled(using: &random).prefix(64) {
        timeline.go(to: count)
        #expect(timeline.state == fresh[count], "seed \(seed): by leaps, after \(count) events")
        places += 1
      }
      states += fresh.count
    }
    print("\(states) states, \(places) leaps")
  }
}
