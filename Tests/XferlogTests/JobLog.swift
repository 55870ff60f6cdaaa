import Foundation
import LogTestSupport
import XferEvents

/// A log in which rules of the tests find a chosen number of problems of each severity, and the files that the tests need with the log.
struct JobLog {
  let path: String
  let rules: String

  static let severities = ["critical", "error", "warning", "notice"]

  /// - Parameters:
  ///   - counts: the number of findings of each severity and text.
  ///   - texts: the texts of findings, which a log can contain.
  init(
    in directory: TemporaryDirectory, name: String = "job.xlog", seed: UInt64 = 1, _ counts: [String: Int],
    texts: [String] = ["a problem"]
  ) throws {
    let log = try RecordedLog(in: directory, name: name, seed: seed)
    var time: Int64 = 0
    // The least severe findings come first, so that a cut by time would keep them.
    for severity in Self.severities.reversed() {
      for text in texts {
        for _ in 0..<(counts[severity] ?? 0) {
          time += 1
          log.emit(at: time, AppNoted(intent: text, message: severity))
        }
      }
    }
    log.emit(at: time + 1, AppNoted(message: "end"))
    log.close()
    path = log.path
    rules = directory.path("job-rules.yaml")
    try Data(Self.ruleText.utf8).write(to: URL(fileURLWithPath: rules))
  }

  private static let ruleText =
    "rules:\n"
    + severities.map { severity in
      """
        - id: noted-\(severity)
          severity: \(severity)
          summary: "{intent}"
          explanation: The event itself is the problem.
          remedy: Do not note it.
          per: log
          when: {event: app.noted, fields: {message: \(severity)}}
          expect: none

      """
    }.joined()
}

/// Files that `xferlog replay` wrote for CI services, read by tools of other projects.
enum JobResult {
  static func read(_ format: String, _ path: String) throws -> [String: Any] {
    let run = try ToolRun(ExportTools.python, [ExportTools.script("read-job-result"), format, path])
    guard run.status == 0, let document = try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any]
    else {
      throw ExportTools.Failure(text: "\(format): \(run.standardError)\nTests/run installs the tools that this test needs.")
    }
    return document
  }

  /// Reads a SARIF file with sarif-tools, and validates it against the schema of SARIF 2.1.0.
  static func sarif(_ path: String) throws -> [String: Any] {
    let seen = try read("sarif", path)
    let schema = seen["schema"] as? String ?? ""
    let run = try ToolRun(ExportTools.python, [ExportTools.script("validate-json"), schema, path])
    guard run.status == 0 else { throw ExportTools.Failure(text: "\(run.text)\(run.standardError)") }
    return seen
  }

  /// Reads a JUnit report with junitparser, and checks that its totals are those of its cases.
  static func junit(_ path: String) throws -> (suite: [String: Any], cases: [[String: Any]], distinct: Int) {
    let seen = try read("junit", path)
    let suites = seen["suites"] as? [[String: Any]] ?? []
    let count = seen["count"] as? Int ?? -1
    guard suites.count == 1, suites[0]["tests"] as? Int == count else {
      throw ExportTools.Failure(text: "\(suites) does not have \(count) cases")
    }
    return (suites[0], seen["cases"] as? [[String: Any]] ?? [], seen["distinct"] as? Int ?? -1)
  }

  static func object(_ path: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any] ?? [:]
  }

  static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
