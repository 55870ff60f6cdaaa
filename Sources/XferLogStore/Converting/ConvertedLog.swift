import XferEvents

/// Logs that `xferlog import` converted from logs of other programs.
package enum ConvertedLog {
  /// The origin of the segments of a log.
  package enum Kind: Sendable {
    /// All segments were written by the programs themselves, or the log has no segment.
    case recorded
    case converted
    /// Segments of both kinds were copied into one directory.
    case mixed
  }

  package static func kind(of input: LogReader.Input) -> Kind {
    let paths =
      switch input {
      case .segment(let path): [path]
      case .directory(let directory): LogDirectory.segments(in: directory).map(\.path)
      }
    var (converted, recorded) = (false, false)
    for path in paths {
      guard let summary = SegmentSummary(path: path) else { continue }
      if summary.header.incompatible.contains(.converted) { converted = true } else { recorded = true }
      if converted, recorded { return .mixed }
      // Only a converted log can be mixed with others, because a log in use may have thousands of segments.
      if recorded, paths.count > examined { break }
    }
    return converted ? .converted : .recorded
  }

  /// The number of segments above which the first one stands for all.
  private static let examined = 8

  /// Whether a log that is about to be written to was converted. Its first segment decides, because apps open logs often.
  static func isConverted(_ directory: String) -> Bool {
    for (_, path) in LogDirectory.segments(in: directory) {
      if let summary = SegmentSummary(path: path) { return summary.header.incompatible.contains(.converted) }
    }
    return false
  }
}
