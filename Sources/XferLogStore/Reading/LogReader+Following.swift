import CXferPlatform
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
      followed.noteReplacement(at: segment.path, of: inputs[input].path, input: input)
      return true
    }
    // Sealing replaces the file of a segment that is no longer written by another one with the same events.
    if segments[place].isReleased { return false }
    // A copy of a log that is still written may be copied again. Each record counts once.
    keptCopies[place] = segments.count
    return true
  }

  /// Adds the logs that were created since the last search: at most once a second, and for at most a twentieth of the time.
  func addNewInputs() {
    let begin = xp_clock_monotonic()
    guard let search, begin >= nextSearch else { return }
    let known = Set(inputs.map(\.path))
    for input in search() where !known.contains(input.path) && input.isLasting {
      followed.noteNewInput(input.path, inputs.count)
      inputs.append(input)
    }
    let end = xp_clock_monotonic()
    nextSearch = end + Swift.max(Self.searchPause, (end - begin) * 20)
  }

  private static let searchPause: Int64 = 1_000_000_000
}

extension LogReader.Input {
  package var path: String {
    switch self {
    case .directory(let path), .segment(let path): path
    }
  }
}

extension LogReader.Input {
  /// Whether the input has the name of a log or a segment, not that of a file which is about to be renamed.
  fileprivate var isLasting: Bool {
    switch self {
    // A directory that was searched is an input only if it has segments itself.
    case .directory(let path): path.hasSuffix(LogDirectory.suffix) || !LogDirectory.segments(in: path).isEmpty
    case .segment(let path): LogDirectory.number(of: LogDirectory.fileName(of: path)) != nil
    }
  }
}
