import Foundation
import LogTestSupport
import Testing

/// What `Tests/Support/watch-report` sees of a served report.
enum ServedReport {
  /// Runs a scenario of `watch-report`.
  static func watch(_ scenario: String, in directory: TemporaryDirectory) throws -> [String: Any] {
    let run = try ToolRun(
      ToolRun.checkout + "/.build/python-tools/bin/python",
      [
        ToolRun.checkout + "/Tests/Support/watch-report", ToolRun.tool, ToolRun.checkout + "/Samples", directory.path,
        scenario,
      ],
      environment: ["HOME": directory.path])
    try #require(run.lines.count == 1, "\(run.standardError)")
    return try VisitedReport.object(run.lines[0])
  }
}
