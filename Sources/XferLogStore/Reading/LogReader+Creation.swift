import XferEvents

/// Segments that a running writer creates while its log is read.
extension LogReader {
  /// Opens the segments that were created or completed while the others were opened, and passes over those that are being created.
  func openCreatedMeanwhile() {
    var count: Int
    repeat {
      count = segments.count
      // A writer that left its segment after the directory was listed continues in one that is not in the list.
      if !segmentsWithoutNext.isEmpty { listAgain() }
      reopenUnfinished()
    } while segments.count > count
  }

  /// Opens segments without a header once more, and passes over those that a running process may be creating at this moment.
  ///
  /// A writer creates the file of its next segment before it writes the header. While that writer runs, a file without a header is
  /// therefore not damaged.
  private func reopenUnfinished() {
    for problem in problems where problem.error.code == .unfinished {
      // The writer is examined before the file, because it may complete the file and leave the previous segment in between.
      let mayBeInCreation = hasRunningWriter(before: problem)
      let isStillUnfinished = !reopen(problem)
      if mayBeInCreation, isStillUnfinished { forget(problem) }
    }
  }

  /// Whether the problem's file is its directory's newest segment, and the writer of an earlier one is running and has not closed it.
  private func hasRunningWriter(before problem: Problem) -> Bool {
    guard let number = problem.number else { return false }
    let directory = LogDirectory.parent(of: problem.path)
    let others = segments.filter { LogDirectory.parent(of: $0.path) == directory }
    return others.allSatisfy { $0.number < number } && others.contains { $0.isBeingWritten(seenFrom: observer) }
  }
}
