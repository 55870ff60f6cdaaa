import XferReading

extension Postmortem {
  /// Writes a postmortem of logs as one HTML file, which needs no network and no other file.
  ///
  /// The report contains the log: `xferlog replay FILE.html` and `Postmortem(of:)` read it again.
  ///
  /// - Parameters:
  ///   - logs: The paths of the logs, at least one.
  ///   - path: The file to write. An existing file is replaced.
  ///   - options: The rules. Baselines and limits of severity do not apply to a report.
  /// - Throws: `PostmortemError` if nothing can be read, or if the file cannot be written.
  public static func writeReport(
    of logs: [String], to path: String, options: Options = Options()
  ) throws(PostmortemError) {
    try PostmortemError.catching { try Replaying(logs, options).report(to: path) }
  }
}
