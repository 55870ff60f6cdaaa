package import XferEvents

extension LogReader: FollowableSource {
  package var unreadable: [UnreadablePart] {
    problems.map { problem in
      UnreadablePart(
        input: problem.input,
        error: SourceError(
          .unreadable, place: problem.error.place, problem: problem.error.problem, advice: problem.error.advice))
    }
  }

  /// One sentence for each directory or file with copies that were left out.
  package var remarks: [String] {
    var seen: Set<[String]> = []
    return leftOutCopies.compactMap { copy in
      let (parent, other) = (LogDirectory.parent(of: copy.path), LogDirectory.parent(of: copy.kept))
      let all = leftOutCopies.filter { LogDirectory.parent(of: $0.path) == parent && LogDirectory.parent(of: $0.kept) == other }
      guard seen.insert([parent, other]).inserted else { return nil }
      if isWhole(parent, all.count) { return "left out: \(parent) is a copy of \(other), which has all its records" }
      if all.count == 1 { return "left out: \(copy.path) is a copy of \(copy.kept), which has all its records" }
      let rest = all.count > 2 ? " and \(all.count - 2) more" : ""
      let names = all.prefix(2).map { String($0.path.dropFirst(parent.count + 1)) }.joined(separator: ", ")
      return "left out: \(names)\(rest) in \(parent) are copies of segments in \(other), which have all their records"
    }
  }

  /// Whether a number of segments is all that a directory has.
  private func isWhole(_ directory: String, _ count: Int) -> Bool {
    inputs.contains { if case .directory(directory) = $0 { true } else { false } }
      && segments.count { LogDirectory.parent(of: $0.path) == directory } == count
  }

  package var watchedDirectories: [String] {
    inputs.compactMap { if case .directory(let path) = $0 { path } else { nil } }
  }

  package func takeChanges() -> [FollowedChange] { followed.takeChanges() }

  /// Starts to read ahead on another thread.
  ///
  /// - Returns: `nil` if too few bytes are read for that, if the log is still being written, or if there is only one processor.
  package func readingAhead(_ arrange: @escaping EventBatch.Arranging) -> (any EventBatches)? {
    wantedBytes < AheadReader.smallestLog ? nil : AheadReader(self, arrange: arrange)
  }
}
