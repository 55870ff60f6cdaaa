import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay
import XferReport

extension LogInputs {
  /// Returns the figures of each input after its source has been read to the end, followed by the inputs that could not be read.
  ///
  /// - Parameter alterations: the parts of the source that were changed after they had been written.
  func accounts(
    of diagnosis: JointDiagnosis, _ source: any EventSource, _ alterations: [SourceIncompleteness]
  ) -> [ReplayDocument.Input] {
    var accounts = inputs.map { ReplayDocument.Input(path: $0.path, format: format(of: $0)) }
    let origins = source.origins
    for (origin, counts) in zip(origins, diagnosis.counts.sources) {
      accounts[origin.input].events += counts.events
      accounts[origin.input].unmodelled += counts.unmodelled
      accounts[origin.input].missing = accounts[origin.input].missing.addingClamped(counts.dropped)
      if counts.dropped > 0 { accounts[origin.input].complete = false }
    }
    for gap in diagnosis.gaps {
      guard let origin = origins.first(where: { $0.holds(gap) }) else { continue }
      // A daemon's list of its tasks replaces the missing beginning of its log.
      let isReplaced = gap.cause == .missingHead && diagnosis.parts.contains { $0.world.isListed(gap.launch) }
      if !isReplaced { accounts[origin.input].complete = false }
      switch gap.cause {
      case .damaged, .torn, .truncated: accounts[origin.input].damaged += 1
      case .missingSequence, .missingHead, .missingSegments, .dropped: break
      }
      // The call that wrote a torn record never returned, so the record does not count as missing. Dropped records have been
      // counted above.
      guard gap.cause != .torn, gap.cause != .dropped, let sequences = gap.sequences else { continue }
      accounts[origin.input].missing = accounts[origin.input].missing.addingClamped(Int64(sequences.count))
    }
    for part in diagnosis.parts {
      for (place, process) in part.world.processes.enumerated() where part.world.tasksLeftOpen(by: place) > 0 {
        if let last = origins.last(where: { $0.launch == process.launch }) { accounts[last.input].complete = false }
      }
    }
    for figures in source.figures { accounts[figures.input].figures = figures }
    for reason in source.incompleteness + alterations { accounts[reason.input].complete = false }
    for (place, parts) in Dictionary(grouping: source.unreadable, by: \.input) {
      accounts[place].complete = false
      let others = parts.count == 1 ? "" : "\n\(parts.count - 1) more could not be read."
      accounts[place].error = parts.first.map { $0.error.description + others }
    }
    return accounts + unread.map { ReplayDocument.Input(path: $0.path, format: "unknown", error: $0.problem.description) }
  }
}
