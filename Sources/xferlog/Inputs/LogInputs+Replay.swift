import XferDiagnosis
import XferEvents
import XferLifecycle
import XferLogStore
import XferReplay
import XferReport

extension LogInputs {
  /// What became of each input, now that the reader has read it to its end; then what is no log.
  func accounts(of diagnosis: Diagnosis, _ reader: LogReader) -> [ReplayDocument.Input] {
    var accounts = inputs.map { ReplayDocument.Input(path: $0.path, format: "xferlog") }
    for (origin, counts) in zip(reader.origins, diagnosis.replay.counts.sources) {
      accounts[origin.input].events += counts.events
      accounts[origin.input].unmodelled += counts.unmodelled
      accounts[origin.input].missing = accounts[origin.input].missing.addingClamped(counts.dropped)
      if counts.dropped > 0 { accounts[origin.input].complete = false }
    }
    for gap in diagnosis.world.gaps {
      guard let origin = reader.origins.first(where: { $0.holds(gap) }) else { continue }
      let isMadeGood = gap.cause == .missingHead && diagnosis.isListed(gap.launch)
      if !isMadeGood { accounts[origin.input].complete = false }
      switch gap.cause {
      case .damaged, .torn, .truncated: accounts[origin.input].damaged += 1
      case .missingSequence, .missingHead, .dropped: break
      }
      // A torn record's call never returned: nothing is missing with it. What was dropped has been counted above.
      guard gap.cause != .torn, gap.cause != .dropped, let sequences = gap.sequences else { continue }
      accounts[origin.input].missing = accounts[origin.input].missing.addingClamped(Int64(sequences.count))
    }
    for (place, process) in diagnosis.world.processes.enumerated() where diagnosis.tasksLeftOpen(by: place) > 0 {
      if let last = reader.origins.last(where: { $0.launch == process.launch }) { accounts[last.input].complete = false }
    }
    for (place, problems) in Dictionary(grouping: reader.problems, by: \.input) {
      accounts[place].complete = false
      let others = problems.count == 1 ? "" : "\n\(problems.count - 1) more could not be read."
      accounts[place].error = problems.first.map { $0.error.description + others }
    }
    return accounts + refusals.map { ReplayDocument.Input(path: $0.path, format: "unknown", error: $0.problem) }
  }
}

extension LogReader.Origin {
  fileprivate func holds(_ gap: LogGap) -> Bool {
    number == gap.segment && name == gap.name && (gap.launch == nil || gap.launch == launch)
  }
}
