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

  package var watchedDirectories: [String] {
    inputs.compactMap { if case .directory(let path) = $0 { path } else { nil } }
  }

  /// Reads on another thread when nobody writes to the log any more and a second processor is available.
  package func readingAhead(_ arrange: @escaping EventBatch.Arranging) -> (any EventBatches)? {
    AheadReader(self, arrange: arrange)
  }
}
