import XferDiagnosis

extension FleetSummary {
  /// Writes the figures as metrics for Prometheus.
  ///
  /// The labels are bounded: the problems that come first, and the newest versions. No label is a device.
  package func write(to metrics: inout MetricsText) {
    for (name, help, value) in [
      ("logs", "Logs that were judged.", logs), ("clean_logs", "Judged logs without findings that count.", cleanLogs),
      ("unjudged_logs", "Logs that could not be read or that have no events.", unjudged),
      ("tasks", "Tasks of the judged logs.", tasks),
    ] {
      metrics.begin("xferlog_fleet_\(name)", .gauge, help)
      metrics.sample("xferlog_fleet_\(name)", value)
    }
    metrics.begin("xferlog_fleet_version_logs", .gauge, "Judged logs of a version of the app.")
    for (name, logs) in versions.prefix(Self.mostVersions) {
      metrics.sample("xferlog_fleet_version_logs", logs, [("version", name ?? "unknown")])
    }
    let shown = problems.prefix(Self.mostProblems)
    metrics.begin("xferlog_fleet_problem_logs", .gauge, "Logs of a version of the app that have a problem.")
    for problem in shown {
      for part in problem.versions.prefix(Self.mostVersions) {
        metrics.sample(
          "xferlog_fleet_problem_logs", part.logs.count, Self.labels(problem) + [("version", part.name ?? "unknown")])
      }
    }
    metrics.begin(
      "xferlog_fleet_problem_ratio", .gauge, "Share of the judged logs that have a problem, with its confidence interval (95 %).")
    for problem in shown {
      guard let rate = problem.logs.rate, let interval = problem.logs.interval else { continue }
      for (bound, share) in [("low", interval.lowerBound), ("rate", rate), ("high", interval.upperBound)] {
        metrics.sample("xferlog_fleet_problem_ratio", ratio: share, Self.labels(problem) + [("bound", bound)])
      }
    }
    metrics.begin("xferlog_fleet_problem_new", .gauge, "Whether the newest version has a problem and no earlier one has it.")
    for problem in shown {
      metrics.sample(
        "xferlog_fleet_problem_new", problem.isNew ? 1 : 0, Self.labels(problem) + [("version", release ?? "unknown")])
    }
  }

  private static let mostProblems = 100
  private static let mostVersions = 20

  private static func labels(_ problem: Problem) -> [(name: String, value: String)] {
    [("rule", problem.rule), ("fingerprint", problem.fingerprint), ("severity", problem.severity.rawValue)]
  }
}
