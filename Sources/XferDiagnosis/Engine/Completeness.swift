package import XferEvents
import XferLifecycle
import XferReplay

extension JointDiagnosis {
  /// The reasons why the inputs are incomplete, one line each. Empty if they are complete.
  package var incompleteness: [String] { incompleteness { _ in true } }

  /// Returns the reasons why the inputs are incomplete.
  ///
  /// - Parameter concerns: a closure that decides whether a gap matters.
  package func incompleteness(where concerns: (LogGap) -> Bool) -> [String] {
    World.incompleteness(of: parts.map(\.world), where: concerns)
  }
}

extension Diagnosis {
  /// The reasons why the log is incomplete, one line each. Empty if the log is complete.
  package var incompleteness: [String] { World.incompleteness(of: [world]) { _ in true } }
}

extension World {
  fileprivate static func incompleteness(of worlds: [World], where concerns: (LogGap) -> Bool) -> [String] {
    var reasons: [String] = []
    let gaps = worlds.flatMap(\.gaps).filter(concerns)
    let damaged = gaps.count { if case .damaged = $0.cause { true } else { false } }
    if damaged > 0 { reasons.append(damaged.counted("damaged place")) }
    reasons += Self.reasons(gaps.filter { gap in gap.cause == .torn && !worlds.contains { $0.hasClosedLog(gap.launch) } }) {
      count, terms in
      "\(count) torn \(count == 1 ? terms.record.singular : terms.record.plural)"
    }
    reasons += Self.reasons(gaps.filter { $0.cause == .missingSequence }) { count, terms in
      "\(count.counted("gap")) in the sequence of a \(terms.stream.singular)"
    }
    reasons += Self.reasons(gaps.filter { $0.cause == .truncated }) { count, terms in
      "\(terms.file.counted(count)) \(count == 1 ? "is" : "are") truncated"
    }
    reasons += Self.reasons(gaps.filter { gap in gap.cause == .missingHead && !worlds.contains { $0.isListed(gap.launch) } }) {
      count, terms in
      "the beginning of \(terms.stream.counted(count)) is missing"
    }
    reasons += gaps.compactMap(\.missingSegmentsSentence)
    if let reason = missingLogs(of: worlds) { reasons.append(reason) }
    for (family, dropped) in worlds.flatMap(\.drops).sorted(by: { $0.key < $1.key }) {
      reasons.append("\(dropped) events of \(family) could not be written")
    }
    for world in worlds {
      for (place, process) in world.processes.enumerated() {
        let open = world.tasksLeftOpen(by: place)
        guard open > 0 else { continue }
        let pid = process.pid.map { " (pid \($0))" } ?? ""
        reasons.append(
          "the log of \(process.executable ?? "a process")\(pid) stops with \(open.counted("task")) open")
      }
    }
    return reasons
  }

  /// A sentence about the missing logs of processes that the log mentions; `nil` if there are none.
  private static func missingLogs(of worlds: [World]) -> String? {
    let lacking = worlds.filter { !$0.missingWriters.isEmpty }
    let names = lacking.flatMap { $0.missingWriters.map(\.name) }
    guard let first = names.first else { return nil }
    let isLong = names.count > namedWriters
    let list = isLong ? "\(first) and \(names.count - 1) other processes" : names.joined(separator: " and ")
    let open = lacking.reduce(0) { sum, world in sum + world.tasks.indexes.count { world.tasks[$0].result == .open } }
    let consequence = open == 0 ? "" : "; \(open.counted("task")) cannot be judged"
    return "the \(names.count == 1 ? "log" : "logs") of \(list) \(names.count == 1 ? "is" : "are") missing\(consequence)"
  }

  /// The maximum number of processes that are named one by one.
  private static let namedWriters = 3

  /// Returns one reason for each kind of log source in which gaps occur.
  ///
  /// - Parameter reason: a closure that words the reason, in the terms of the source, for example "segment".
  private static func reasons(_ gaps: [LogGap], _ reason: (_ count: Int, SourceTerms) -> String) -> [String] {
    var kinds: [(terms: SourceTerms, count: Int)] = []
    for gap in gaps {
      if let place = kinds.firstIndex(where: { $0.terms == gap.terms }) {
        kinds[place].count += 1
      } else {
        kinds.append((gap.terms, 1))
      }
    }
    return kinds.map { reason($0.count, $0.terms) }
  }

  /// Whether a process is a daemon whose readable log lists the daemon's tasks. The list replaces the missing beginning of that log.
  package func isListed(_ launch: LaunchID?) -> Bool {
    guard let launch else { return false }
    return processes.contains { $0.launch == launch && $0.daemon?.listed != nil }
  }

  /// Whether a process closed its log. A record that one of its threads was still writing at that time is not a loss.
  private func hasClosedLog(_ launch: LaunchID?) -> Bool {
    processes.contains { $0.launch == launch && $0.logClosed != nil }
  }

  /// Returns the number of tasks still open where the log of a process stops. Zero if the log shows the end of the process.
  package func tasksLeftOpen(by place: Int) -> Int {
    let process = processes[place]
    guard process.firstSeen != nil, process.endFact == nil else { return 0 }
    return tasks.indexes(ofProcess: place).count { tasks[$0].result == .open }
  }
}
