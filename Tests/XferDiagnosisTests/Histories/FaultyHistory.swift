import LogTestSupport
import XferEvents

/// A faultless history merged with the log of a fault in other processes on the same machine.
enum FaultyHistory {
  /// The families of events that describe the machine's state.
  private static let machineFamilies: Set<String> = ["network", "power", "disk", "protection", "policy"]

  private static let all: [History] = seeds(60, campaign: 300).map { HistoryGenerator.history(seed: $0) }.filter { history in
    // Excluded: dropped events, which lower the certainty of every absence (guard G3); sleep, during which the other log's clocks
    // run on; and events about the machine's state, which apply to all processes.
    history.sleeps.isEmpty
      && !history.tellings.contains { $0.event is LogDropped || machineFamilies.contains(type(of: $0.event).kind.family) }
  }
  private static let withoutDaemon = all.filter { history in !history.writers.contains { $0.context.role == .daemon } }

  /// Returns histories to merge a fault with: twenty in a campaign, otherwise the shortest.
  ///
  /// - Parameter isFree: whether the history must have no daemon, because the fault's log has its own or is about a missing daemon.
  static func surroundings(isFree: Bool) -> [History] {
    let suitable = isFree ? withoutDaemon : all
    if isCampaign { return Array(suitable.prefix(20)) }
    return suitable.min { $0.tellings.count < $1.tellings.count }.map { [$0] } ?? []
  }

  /// Returns a history merged with the log of a fault.
  ///
  /// - Parameters:
  ///   - fault: the log of the fault, whose segments were found first.
  ///   - segments: the maximum number of segments of the fault's log.
  static func members(_ fault: [LogMember], segments: Int, in history: History) -> [LogMember] {
    Weaving.woven(history.members { $0 + segments }, fault)
  }
}
