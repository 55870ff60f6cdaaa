import Foundation
import LogTestSupport
import Testing

/// What `Tests/Support/browse-report` sees when it opens a report in Debian's Chromium.
enum VisitedReport {
  /// A way to use a page, as `browse-report` names it, and the page's path.
  struct Visit {
    let scenario: String
    let path: String
  }

  /// Opens pages in one browser, and returns a line of JSON for each.
  static func lines(_ visits: [Visit], home: TemporaryDirectory) throws -> [String] {
    let run = try ToolRun(
      ToolRun.checkout + "/.build/python-tools/bin/python",
      [ToolRun.checkout + "/Tests/Support/browse-report"] + visits.flatMap { [$0.scenario, $0.path] },
      environment: ["HOME": home.path(".")])
    try #require(run.lines.count == visits.count, "\(run.standardError)")
    return run.lines
  }

  /// Writes a report of a log, changes its HTML, and opens it.
  static func visit(
    _ scenario: String, log: String, in directory: TemporaryDirectory, change: (String) -> String = { $0 }
  ) throws -> [String: Any] {
    let path = directory.path("page.html")
    try write(log, to: path)
    try change(String(contentsOfFile: path, encoding: .utf8)).write(toFile: path, atomically: true, encoding: .utf8)
    return try object(lines([Visit(scenario: scenario, path: path)], home: directory)[0])
  }

  static func write(_ log: String, _ options: String..., to path: String) throws {
    let run = try ToolRun.xferlog(["report", log, "-o", path, "--overwrite"] + options)
    try #require(run.status == 0, "\(run.standardError)")
  }

  // MARK: Sample logs

  static let samples = ["killed-before-delivery", "clean-run", "hundred-tasks-five-at-a-time", "missed-completion-handler"]

  static func sample(_ name: String) -> String { "\(ToolRun.checkout)/Samples/\(name)/log.xlog" }

  /// What was seen of a sample's report.
  static func seen(_ scenario: String, of sample: String) throws -> [String: Any] {
    try object(try #require(try visits.get()["\(scenario) \(sample)"]))
  }

  /// All visits of samples that do not change the page. One browser makes them, because its start takes most of the time.
  private static let visits = Result<[String: String], any Error> {
    let directory = TemporaryDirectory()
    var (keys, visits): ([String], [Visit]) = ([], [])
    func add(_ scenario: String, _ sample: String, _ path: String) {
      keys.append("\(scenario) \(sample)")
      visits.append(Visit(scenario: scenario, path: path))
    }
    for name in samples {
      let path = directory.path("\(name).html")
      try write(sample(name), to: path)
      for scenario in ["open", "layout"] { add(scenario, name, path) }
      if name == "hundred-tasks-five-at-a-time" { for scenario in ["finding", "printed"] { add(scenario, name, path) } }
      guard name == "killed-before-delivery" else { continue }
      for scenario in ["finding", "keyboard", "filters", "plain", "share"] { add(scenario, name, path) }
      let compared = directory.path("compared.html")
      try write(sample(name), "--against", sample("clean-run"), to: compared)
      add("differences", name, compared)
    }
    return Dictionary(uniqueKeysWithValues: zip(keys, try lines(visits, home: directory)))
  }

  static func object(_ line: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any] ?? (value as? [[String: Any]]).map { ["list": $0] })
  }
}
