import XferDiagnosis
package import XferEvents
import XferLifecycle
package import XferQuery

/// The figures of `xferlog stats` as metrics of Prometheus.
///
/// No label has the name of a task or a URL, so that the number of time series does not grow with the log. Only hosts come from the log, and
/// their number is limited.
package struct MetricsDocument {
  private let statistics: Statistics
  private let drops: [String: Int64]
  private let isComplete: Bool
  private let events: Events
  private let hostLimit: Int
  private let version: String

  /// The figures that `xferlog stats` does not have.
  package struct Events: Sendable {
    /// The number of events of each level, at the level's raw value.
    private var levels = [Int](repeating: 0, count: Level.allCases.count)
    /// The number of tasks whose next step is late.
    package var overdue = 0
    /// The times from the delivery of a wake to the call of its completion handler, in nanoseconds.
    package var handlerTimes: [Int64] = []

    package init() {}

    package mutating func note(_ level: Level) { levels[Int(level.rawValue)] += 1 }

    func count(of level: Level) -> Int { levels[Int(level.rawValue)] }
  }

  /// The labels that the metrics have of their own.
  package static let ownLabels: Set = [
    "version", "outcome", "state", "direction", "stage", "le", "rule", "severity", "host", "family", "level",
  ]

  /// - Parameters:
  ///   - events: the figures that the statistics do not have.
  ///   - drops: the number of events that could not be written, by family.
  ///   - isComplete: whether the log is complete.
  ///   - hostLimit: the number of hosts that have samples of their own, those with the most tasks. The others are one host, `other`.
  package init(
    _ statistics: Statistics, _ events: Events, drops: [String: Int64], isComplete: Bool, hostLimit: Int, version: String
  ) {
    (self.statistics, self.events, self.drops, self.isComplete) = (statistics, events, drops, isComplete)
    (self.hostLimit, self.version) = (hostLimit, version)
  }

  package func write(to text: inout MetricsText) {
    writeLog(to: &text)
    writeTasks(to: &text)
    writeStages(to: &text)
    writeRules(to: &text)
    writeHosts(to: &text)
  }

  private func writeLog(to text: inout MetricsText) {
    text.begin("xferlog_build_info", .gauge, "The version of xferlog. The value is always 1.")
    text.sample("xferlog_build_info", 1, [("version", version)])
    text.begin("xferlog_log_complete", .gauge, "1 if the log is complete, 0 if events are missing or damaged.")
    text.sample("xferlog_log_complete", isComplete ? 1 : 0)
    text.begin("xferlog_log_gaps", .gauge, "Places where records are missing from the log.")
    text.sample("xferlog_log_gaps", statistics.events.gaps)
    text.begin("xferlog_events_total", .counter, "Events in the log, by level.")
    for level in Level.allCases { text.sample("xferlog_events_total", events.count(of: level), [("level", level.name)]) }
    text.begin("xferlog_events_dropped_total", .counter, "Events that could not be written, by family.")
    for (family, count) in drops.sorted(by: { $0.key < $1.key }) {
      text.sample("xferlog_events_dropped_total", count, [("family", family)])
    }
    if let span = statistics.events.span {
      text.begin("xferlog_last_event_timestamp_seconds", .gauge, "Wall-clock time of the latest event, in seconds since 1970.")
      text.sample("xferlog_last_event_timestamp_seconds", seconds: .nanoseconds(span.upperBound.nanoseconds))
    }
  }

  private func writeTasks(to text: inout MetricsText) {
    text.begin("xferlog_tasks", .gauge, "Tasks by state at the end of the log.")
    for (state, count) in statistics.states { text.sample("xferlog_tasks", count, [("state", state.rawValue)]) }
    text.begin("xferlog_overdue_tasks", .gauge, "Tasks whose next step is late.")
    text.sample("xferlog_overdue_tasks", events.overdue)
    text.begin("xferlog_tasks_total", .counter, "Tasks by outcome.")
    for (outcome, count) in statistics.outcomes { text.sample("xferlog_tasks_total", count, [("outcome", outcome.rawValue)]) }
    text.begin("xferlog_body_bytes_total", .counter, "Bytes of bodies, received or sent.")
    text.sample("xferlog_body_bytes_total", statistics.received, [("direction", "received")])
    text.sample("xferlog_body_bytes_total", statistics.sent, [("direction", "sent")])
  }

  private func writeStages(to text: inout MetricsText) {
    let name = "xferlog_task_stage_seconds"
    text.begin(name, .histogram, "Time that tasks spent in each stage.")
    for stage in statistics.stages { write(stage.histogram, name, [("stage", stage.stage.rawValue)], to: &text) }
    let handlers = "xferlog_handler_latency_seconds"
    text.begin(handlers, .histogram, "Time from the delivery of a wake to the call of its completion handler.")
    write(TimeHistogram(events.handlerTimes), handlers, [], to: &text)
  }

  private func write(
    _ histogram: TimeHistogram, _ name: String, _ labels: [(name: String, value: String)], to text: inout MetricsText
  ) {
    for (bound, count) in zip(TimeHistogram.bounds, histogram.counts) {
      text.sample("\(name)_bucket", count, labels + [("le", bound.inSeconds)])
    }
    text.sample("\(name)_bucket", histogram.count, labels + [("le", "+Inf")])
    text.sample("\(name)_sum", seconds: histogram.sum, labels)
    text.sample("\(name)_count", histogram.count, labels)
  }

  private func writeRules(to text: inout MetricsText) {
    text.begin("xferlog_findings", .gauge, "Findings by rule. The severity is that of the rule.")
    for rule in statistics.rules { text.sample("xferlog_findings", rule.findings, Self.labels(of: rule)) }
    text.begin("xferlog_findings_counted", .gauge, "Findings that count for the exit code of xferlog replay, by rule.")
    for rule in statistics.rules { text.sample("xferlog_findings_counted", rule.counted, Self.labels(of: rule)) }
    text.begin("xferlog_undecidable", .gauge, "Subjects about which the rules could not decide.")
    text.sample("xferlog_undecidable", statistics.rules.reduce(0) { $0 + $1.undecidable })
  }

  private static func labels(of rule: RuleStatistics) -> [(name: String, value: String)] {
    [("rule", rule.rule), ("severity", rule.severity.rawValue)]
  }

  private func writeHosts(to text: inout MetricsText) {
    let figures: [(name: String, kind: MetricsText.Kind, help: String, value: (HostStatistics) -> Int64)] = [
      ("xferlog_host_tasks_total", .counter, "Tasks by host.", { Int64($0.tasks) }),
      ("xferlog_host_failed_tasks_total", .counter, "Tasks that failed, by host.", { Int64($0.failed) }),
      ("xferlog_host_lost_tasks_total", .counter, "Tasks that were lost, by host.", { Int64($0.lost) }),
      ("xferlog_host_received_bytes_total", .counter, "Bytes of bodies received, by host.", { $0.received }),
    ]
    let groups = hostGroups
    for figure in figures {
      text.begin(figure.name, figure.kind, figure.help)
      for group in groups {
        text.sample(figure.name, group.hosts.reduce(0) { $0 &+ figure.value($1) }, [("host", group.name)])
      }
    }
  }

  /// The hosts by the value of their label, each of which may occur only once. A host may be named as the group of the others is.
  private var hostGroups: [(name: String, hosts: [HostStatistics])] {
    var groups: [(name: String, hosts: [HostStatistics])] = []
    for (place, host) in statistics.hosts.enumerated() {
      let name = place < hostLimit ? host.host ?? "unknown" : "other"
      if let known = groups.firstIndex(where: { $0.name == name }) {
        groups[known].hosts.append(host)
      } else {
        groups.append((name, [host]))
      }
    }
    return groups
  }
}
