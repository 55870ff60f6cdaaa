import XferDiagnosis

extension FleetSummary {
  package func write(to json: inout JSONText) { Self.object.write(self, to: &json) }

  static let object = DocumentObject<FleetSummary>(
    "fleet", "The findings in the logs of many devices, by fingerprint. New ones come first, then the most severe ones."
  ) { fields in
    fields.schema("xferlog.fleet/1")
    fields.integer("logs", "Number of logs that were judged.") { $0.logs }
    fields.integer("cleanLogs", "Number of these logs without findings that count.") { $0.cleanLogs }
    fields.integer("unjudged", "Number of logs that could not be read or that have no events.") { $0.unjudged }
    fields.integer("tasks", "Number of tasks of the judged logs.") { $0.tasks }
    fields.flag("complete", "Whether all rows of the verdicts were read, as far as the rows tell.") { $0.incompleteness.isEmpty }
    fields.texts("incompleteBecause", "Why rows may be missing.") { $0.incompleteness }
    fields.optionalText("release", "The release whose new problems come first: the newest one, or that of --release.") {
      $0.release
    }
    fields.list("versions", partObject, "Versions of the app, the newest first.") {
      $0.versions.map { Count(name: $0, logs: $1) }
    }
    fields.list("systems", partObject, "Operating systems, the newest first.") { $0.systems.map { Count(name: $0, logs: $1) } }
    fields.list("problems", problemObject, "The problems.") { $0.problems }
  }

  private struct Count {
    let name: String?
    let logs: Int
  }

  private static let partObject = DocumentObject<Count>("fleetPart", "The judged logs of one version or system.") { fields in
    fields.optionalText("name", "Version or system; `null` if the logs do not tell.") { $0.name }
    fields.integer("logs", "Number of logs.") { $0.logs }
  }

  private static let rateObject = DocumentObject<Part>("fleetRate", "The logs of one version or system that have the problem.") {
    fields in
    fields.optionalText("name", "Version or system; `null` if the logs do not tell.") { $0.name }
    addRate(to: &fields) { $0.logs }
  }

  private static func addRate<Value>(
    to fields: inout DocumentFields<Value>, _ proportion: @escaping @Sendable (Value) -> Proportion
  ) {
    fields.integer("logs", "Number of logs with the problem.") { proportion($0).count }
    fields.integer("of", "Number of logs that could have it.") { proportion($0).total }
    fields.optionalInteger("ratePerMillion", "Share of the logs.") { proportion($0).rate.map(perMillion) }
    fields.optionalInteger("lowPerMillion", "Lower bound of the share: Wilson's interval with 95 % confidence.") {
      proportion($0).interval.map { perMillion($0.lowerBound) }
    }
    fields.optionalInteger("highPerMillion", "Upper bound of the share.") {
      proportion($0).interval.map { perMillion($0.upperBound) }
    }
  }

  @Sendable private static func perMillion(_ share: Double) -> Int64 { Int64(exactly: (share * 1_000_000).rounded()) ?? 0 }

  private static let problemObject = DocumentObject<Problem>("fleetProblem", "The findings with one fingerprint.") { fields in
    fields.text("rule", "Identifier of the rule.") { $0.rule }
    fields.text("fingerprint", "Fingerprint, which is the same for the same problem in other logs.") { $0.fingerprint }
    fields.optionalText("variant", "Variant of the rule.") { $0.example.variant }
    fields.optionalText("host", "Host of the requests.") { $0.example.host }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Highest severity of the findings.") { $0.severity.rawValue }
    fields.choice("certainty", Certainty.allCases.map(\.rawValue), "Highest certainty of the findings.") { $0.certainty.rawValue }
    fields.flag("counted", "Whether a finding counts for the exit code of a replay.") { $0.isCounted }
    fields.flag("new", "Whether the release has the problem and no earlier version has it.") { $0.isNew }
    fields.integer("findings", "Number of findings.") { $0.findings }
    addRate(to: &fields) { $0.logs }
    fields.optionalText("firstSeen", as: .time, "Time of the first finding.") { $0.firstSeen }
    fields.optionalText("lastSeen", as: .time, "Time of the last finding.") { $0.lastSeen }
    fields.list("versions", rateObject, "The rate of each version of the app, the newest first.") { $0.versions }
    fields.list("systems", rateObject, "The rate of each operating system, the newest first.") { $0.systems }
    fields.text("exampleLog", "The log with the first finding.") { $0.example.log }
    fields.optionalText("exampleTask", "Task of this finding, as SESSION/NUMBER.") { $0.example.task }
    fields.text("exampleSummary", "This finding in one sentence.") { $0.example.summary }
  }
}
