import XferDiagnosis

/// Annotations of a job: commands in its output that show findings at a line, and in the list of the job's problems.
package enum JobAnnotations {
  /// A service that reads annotations from the output of programs.
  package enum Service: String, Sendable, CaseIterable {
    case github, azure

    /// The kinds of annotations. Azure has none for notes.
    fileprivate var levels: [JobItem.Level] { self == .github ? [.error, .warning, .note] : [.error, .warning] }

    fileprivate var limit: String {
      switch self {
      case .github: "GitHub shows 10 annotations of a kind for a step, and 50 for a job"
      case .azure: "Azure Pipelines shows 10 errors and 10 warnings of a step"
      }
    }
  }

  /// The number of annotations of a kind that a step may have.
  static let limit = 10

  /// Returns the commands, one for each line, and what was left out. If findings of a kind are left out, the last annotation of that kind
  /// says how many.
  package static func lines(_ report: JobReport, for service: Service) -> (lines: [String], cut: JobCut?) {
    let items = report.items.filter { $0.finding.accepted == nil }
    var (lines, leftOut): ([String], [JobItem]) = ([], [])
    let conclusion = report.conclusion
    if conclusion.code > 1 || conclusion.code == 1 && !conclusion.isAboutFindings {
      lines.append(command(.error, title: "xferlog", conclusion.text, at: nil, service))
    }
    for level in JobItem.Level.allCases {
      let those = items.filter { $0.level == level }
      guard service.levels.contains(level) else {
        leftOut += those
        continue
      }
      let room = level == .error ? limit - lines.count : limit
      let shown = those.count > room ? those.prefix(room - 1) : those[...]
      lines += shown.map { command($0, report, level, service) }
      let rest = those.dropFirst(shown.count)
      if rest.isEmpty { continue }
      leftOut += rest
      let text = JobCut(kept: shown.count, total: those.count, leftOut: Array(rest), limit: service.limit).text
      lines.append(command(level, title: "xferlog", "Annotations show \(text)", at: nil, service))
    }
    let cut = JobCut(kept: items.count - leftOut.count, total: items.count, leftOut: leftOut, limit: service.limit)
    return (lines, leftOut.isEmpty ? nil : cut)
  }

  private static func command(
    _ item: JobItem, _ report: JobReport, _ level: JobItem.Level, _ service: Service
  ) -> String {
    let text = "\(item.finding.summary) \(item.finding.remedy)"
    // A log is not a file of the repository.
    let place = report.settings.anchor == nil && item.place.line == nil ? nil : item.place
    return command(
      level, title: "\(item.finding.rule) (\(item.finding.severity.rawValue), \(item.finding.certainty.rawValue))", text,
      at: place,
      service)
  }

  private static func command(
    _ level: JobItem.Level, title: String, _ text: String, at place: RepositoryPlace?, _ service: Service
  ) -> String {
    let text = TerminalText.withoutCommands(String(TerminalText.escaped(text).prefix(textLimit)))
    switch service {
    case .github:
      var properties: [String] = []
      if let place { properties.append("file=\(githubProperty(place.file))") }
      if let line = place?.line { properties.append("line=\(line)") }
      properties.append("title=\(githubProperty(title))")
      let name = level == .note ? "notice" : level.rawValue
      return "::\(name) \(properties.joined(separator: ","))::\(encoded(text, ["%": "%25"]))"
    case .azure:
      var properties = "type=\(level == .error ? "error" : "warning");"
      if let place { properties += "sourcepath=\(azureProperty(place.file));" }
      if let line = place?.line { properties += "linenumber=\(line);" }
      return "##vso[task.logissue \(properties)]\(encoded("\(title): \(text)", ["%": "%AZP25"]))"
    }
  }

  private static let textLimit = 4000

  private static func githubProperty(_ text: String) -> String {
    encoded(TerminalText.escaped(text), ["%": "%25", ":": "%3A", ",": "%2C"])
  }

  private static func azureProperty(_ text: String) -> String {
    encoded(TerminalText.escaped(text), ["%": "%AZP25", ";": "%3B", "]": "%5D"])
  }

  /// Returns a text with characters replaced. The text has no line breaks, because control characters are escaped before.
  private static func encoded(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let code = codes[scalar] { result += code } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
