package import XferEvents
import XferLifecycle
import XferReplay

extension Diagnosis {
  /// Why the log does not tell the whole story; empty when it does. One line for each reason.
  package var incompleteness: [String] {
    var reasons: [String] = []
    let gaps = world.gaps
    func count(_ matches: (LogGap.Cause) -> Bool) -> Int { gaps.count { matches($0.cause) } }
    let damaged = count { if case .damaged = $0 { true } else { false } }
    if damaged > 0 { reasons.append("\(damaged) damaged \(damaged == 1 ? "place" : "places")") }
    let torn = gaps.count { $0.cause == .torn && !hasClosedLog($0.launch) }
    if torn > 0 { reasons.append("\(torn) torn \(torn == 1 ? "record" : "records")") }
    let missing = count { $0 == .missingSequence }
    if missing > 0 { reasons.append("\(missing) \(missing == 1 ? "gap" : "gaps") in the sequence of a lane") }
    let truncated = count { $0 == .truncated }
    if truncated > 0 { reasons.append("\(truncated) \(truncated == 1 ? "segment is" : "segments are") cut off") }
    let heads = gaps.count { $0.cause == .missingHead && !isListed($0.launch) }
    if heads > 0 { reasons.append("the beginning of \(heads) \(heads == 1 ? "lane" : "lanes") is gone") }
    for (family, dropped) in world.drops.sorted(by: { $0.key < $1.key }) {
      reasons.append("\(dropped) events of \(family) could not be written")
    }
    for (place, process) in world.processes.enumerated() {
      let open = tasksLeftOpen(by: place)
      guard open > 0 else { continue }
      let name = process.executable ?? "a process"
      reasons.append("the log of \(name) (pid \(process.pid ?? 0)) stops with \(open) \(open == 1 ? "task" : "tasks") open")
    }
    return reasons
  }

  /// Whether a process is a daemon that says, in what there is of its log, which tasks it has: that tells what matters of what is gone.
  package func isListed(_ launch: LaunchID?) -> Bool {
    guard let launch else { return false }
    return world.processes.contains { $0.launch == launch && $0.daemon?.listed != nil }
  }

  /// Whether a process has said that it logs no more: a thread of it that was amid a record then has lost nothing that counts.
  private func hasClosedLog(_ launch: LaunchID?) -> Bool {
    world.processes.contains { $0.launch == launch && $0.logClosed != nil }
  }

  /// Tasks that a process had open where its log stops, although nothing says that it is over.
  package func tasksLeftOpen(by place: Int) -> Int {
    let process = world.processes[place]
    guard process.firstSeen != nil, process.endFact == nil else { return 0 }
    return world.tasks.indexes(ofProcess: place).count { world.tasks[$0].result == .open }
  }
}
