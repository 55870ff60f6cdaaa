package import XferEvents
package import XferLifecycle
package import XferReplay

/// The diagnosis of inputs that may come from several installations, such as the logs of two devices.
///
/// Each installation has a diagnosis and a world of its own. Equal session identifiers, task numbers, process ids or program names of
/// two installations therefore never meet, and the answers about one log do not depend on the other logs that are read with it.
package struct JointDiagnosis {
  /// The diagnosis of each installation, in the order in which their first events or gaps are read. Never empty.
  package private(set) var parts: [Diagnosis]
  /// The findings of all installations. Sorted, and linked to their causes, only after `finish`.
  package private(set) var findings: [Finding] = []
  private var table = InstallationTable()
  private let start: Diagnosis
  /// The number of the events, gaps and other counts of all installations.
  package var counts: Replay.Counts { parts.dropFirst().reduce(parts[0].replay.counts) { $0 + $1.replay.counts } }

  /// Gives the findings other summaries.
  package mutating func changeSummaries(_ change: (String) -> String) {
    for place in findings.indices {
      let summary = change(findings[place].summary)
      if summary != findings[place].summary { findings[place] = findings[place].with(summary: summary) }
    }
  }

  /// - Parameters:
  ///   - endedLimit: the number of ended tasks that stay in the world of each installation.
  ///   - onTaskEnd: a closure that is called once for each task, when the task is closed or at the end of the log.
  package init(
    _ tables: RuleTables = .catalogue, endedLimit: Int = 256,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in }
  ) {
    start = Diagnosis(tables, endedLimit: endedLimit, onTaskEnd: onTaskEnd)
    parts = [start]
  }

  /// Creates the diagnosis of a single installation from one that is finished.
  package init(_ diagnosis: Diagnosis) {
    start = diagnosis
    parts = [diagnosis]
    findings = diagnosis.findings
  }

  /// Applies an event or a gap.
  ///
  /// - Returns: the findings that are new, more certain, lowered or withdrawn.
  package mutating func apply(_ member: LogMember) -> [Finding] {
    let place =
      switch member {
      case .event(let event): table.place(of: event.view)
      case .gap(let gap): table.place(of: gap)
      }
    makeRoom()
    let fresh = parts[place].apply(member)
    return fresh.isEmpty ? [] : fresh.map { parts[place].findings[$0] }
  }

  /// Applies a batch of events and gaps.
  ///
  /// - Parameter each: a closure that is called with each event or gap right after it has been applied.
  package mutating func apply(_ batch: EventBatch, _ each: ((LogMember) throws -> Void)? = nil) throws {
    var start = 0
    for (end, gap) in batch.gaps {
      try apply(batch.events, start..<end, each)
      start = end
      let place = table.place(of: gap)
      makeRoom()
      parts[place].apply(gap)
      try each?(.gap(gap))
    }
    try apply(batch.events, start..<batch.events.count, each)
    for source in batch.endedSources {
      for part in parts.indices { parts[part].forgetSymbols(of: source) }
    }
  }

  /// Applies successive events of the same installation together, so that each event costs one comparison more than without other
  /// installations.
  private mutating func apply(
    _ events: ContiguousArray<EventView>, _ places: Range<Int>, _ each: ((LogMember) throws -> Void)?
  ) throws {
    var start = places.lowerBound
    while start < places.upperBound {
      let (part, end) = table.run(of: events, start..<places.upperBound)
      makeRoom()
      try parts[part].apply(events, start..<end, each)
      start = end
    }
  }

  private mutating func makeRoom() {
    while parts.count < table.count { parts.append(start) }
  }

  /// Decides everything that is still open. Call this once, at the end of the inputs.
  package mutating func finish() {
    for place in parts.indices { parts[place].finish() }
    findings = Self.joined(parts)
  }

  /// Returns the findings of all parts in one order, with each consequence linked to its cause.
  private static func joined(_ parts: [Diagnosis]) -> [Finding] {
    if parts.count == 1 { return parts[0].findings }
    let places = parts.indices.flatMap { part in parts[part].findings.indices.map { (part: part, place: $0) } }
    let order = places.sorted { left, right in
      let (one, other) = (parts[left.part].findings[left.place], parts[right.part].findings[right.place])
      if left.part != right.part, one.precedes(other) != other.precedes(one) { return one.precedes(other) }
      return (left.part, left.place) < (right.part, right.place)
    }
    var new = parts.map { [Int](repeating: 0, count: $0.findings.count) }
    for (place, old) in order.enumerated() { new[old.part][old.place] = place }
    return order.map { part, place in
      var finding = parts[part].findings[place]
      finding.causedBy = finding.causedBy.map { new[part][$0] }
      return finding
    }
  }

  /// Keeps the findings that a closure accepts, and the findings that explain them. Call this after `finish`.
  ///
  /// - Returns: the number of findings before.
  package mutating func keepFindings(where isWanted: (Finding) -> Bool) -> Int {
    var kept = findings.map(isWanted)
    for place in findings.indices where kept[place] {
      var root = findings[place].causedBy
      while let cause = root, !kept[cause] {
        kept[cause] = true
        root = findings[cause].causedBy
      }
    }
    var (places, count) = ([Int](repeating: 0, count: findings.count), 0)
    for place in findings.indices where kept[place] { (places[place], count) = (count, count + 1) }
    let all = findings.count
    findings = findings.indices.filter { kept[$0] }.map { place in
      var finding = findings[place]
      finding.causedBy = finding.causedBy.map { places[$0] }
      return finding
    }
    return all
  }

  /// Marks the findings that a baseline or suppressions accept, and counts the uses of each entry. Call this after `finish`.
  package mutating func accept(with acceptance: inout Acceptance) {
    for place in findings.indices { findings[place].accepted = acceptance.entry(for: findings[place].basis) }
  }

  // MARK: The whole

  /// Returns the diagnosis that a task's world belongs to.
  package func part(of world: World) -> Diagnosis {
    parts.first { $0.world.installation == world.installation } ?? parts[0]
  }

  /// The descriptions of all rules, in the order of `tallies`.
  package var descriptions: [RuleDescription] { start.descriptions }

  package var tallies: [Diagnosis.Tally] {
    parts.dropFirst().reduce(parts[0].tallies) { sum, part in zip(sum, part.tallies).map { $0 + $1 } }
  }

  package var undecided: [Diagnosis.Undecided: Int] {
    parts.dropFirst().reduce(parts[0].undecided) { $0.merging($1.undecided, uniquingKeysWith: +) }
  }

  package var gaps: [LogGap] { parts.flatMap(\.world.gaps) }

  /// The number of events that could not be written, by family, according to the writers.
  package var drops: [String: Int64] {
    parts.dropFirst().reduce(parts[0].world.drops) { $0.merging($1.world.drops) { $0.addingClamped($1) } }
  }

  /// The process lives of all installations.
  package var processes: [ProcessLifecycle] { parts.flatMap(\.world.processes) }
}

extension Diagnosis.Tally {
  fileprivate static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.silent += right.silent
    sum.undecidable += right.undecidable
    sum.findings += right.findings
    sum.inFlight += right.inFlight
    return sum
  }
}
