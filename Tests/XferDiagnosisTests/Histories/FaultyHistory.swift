import LogTestSupport
import XferEvents

/// A history in whose midst something goes wrong: what goes wrong is told by somebody else.
enum FaultyHistory {
  private static let ofTheMachine: Set<String> = ["network", "power", "disk", "protection", "policy"]

  private static let all: [History] = seeds(60, campaign: 300).map { HistoryGenerator.history(seed: $0) }.filter { history in
    // That events could not be written, wherever, lowers what is absent (G3), and other clocks run on while a machine sleeps.
    // What one app tells of the machine's state is so for all.
    history.sleeps.isEmpty
      && !history.tellings.contains { $0.event is LogDropped || ofTheMachine.contains(type(of: $0.event).kind.family) }
  }
  private static let withoutDaemon = all.filter { history in !history.writers.contains { $0.context.role == .daemon } }

  /// Histories on whose machine something can happen: short ones in a run for every change.
  ///
  /// - Parameter isFree: whether the machine must have no daemon, because the other log has one, or is about one that has none.
  static func surroundings(isFree: Bool) -> [History] {
    let suitable = isFree ? withoutDaemon : all
    if isCampaign { return Array(suitable.prefix(20)) }
    return suitable.min { $0.tellings.count < $1.tellings.count }.map { [$0] } ?? []
  }

  /// - Parameters:
  ///   - fault: whose segments were found first.
  ///   - segments: how many these are at most.
  static func members(_ fault: [LogMember], segments: Int, in history: History) -> [LogMember] {
    Weaving.woven(history.members { $0 + segments }, fault)
  }
}
