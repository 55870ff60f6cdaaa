import XferEvents

/// Files that are replaced while their log is followed.
extension LogReader {
  /// Decides whether to read a file that has taken the place of a segment.
  ///
  /// - Parameter segment: The segment in the new file, which has not been added yet.
  /// - Returns: Whether the file can have events that the earlier file did not have.
  func replaces(_ segment: SegmentReader, ofInput input: Int) -> Bool {
    guard let place = segments.lastIndex(where: { $0.path == segment.path }) else { return true }
    guard segments[place].header.nonce == segment.header.nonce else {
      followed.noteReplacedFile(of: inputs[input].path)
      return true
    }
    // Sealing replaces the file of a segment that is no longer written by another one with the same events.
    if segments[place].isReleased { return false }
    // A copy of a log that is still written may be copied again. Each record counts once.
    keptCopies[place] = segments.count
    return true
  }
}

extension LogReader.Input {
  package var path: String {
    switch self {
    case .directory(let path), .segment(let path): path
    }
  }
}
