import XferDiagnosis

extension FleetSummary {
  /// The summary as one HTML page without scripts, which needs no other file.
  package var page: String {
    var text = TextBuffer()
    ReportPage.beginStatic(title: sentence, style: Self.style, in: &text)
    text.append(
      "<header id=\"header\"><p class=\"badge\"><span class=\"mark\(problems.isEmpty ? "" : " mark-findings")\"></span>fleet</p>")
    text.append("<h1>\(HTMLText.escaped(sentence))</h1></header>\n<main>\n")
    for remark in remarks { text.append("<p>\(HTMLText.escaped(remark))</p>\n") }
    appendTable(in: &text)
    for (place, problem) in problems.enumerated() { append(problem, place, in: &text) }
    text.append("</main>\n</body>\n</html>\n")
    return text.string
  }

  private static let style = """
    table.fleet { border-collapse: collapse; margin: 14px 0; width: 100%; }
    table.fleet caption { color: var(--faint); font-size: 13px; text-align: start; }
    table.fleet th, table.fleet td { border-bottom: 1px solid var(--line); padding: 5px 12px 5px 0; text-align: start; vertical-align: top; }
    table.fleet .number { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; }
    .new { background: var(--critical); border-radius: 4px; color: var(--back); font-size: 12px; font-weight: 600; padding: 1px 6px; }
    svg.interval { height: 14px; width: 100%; min-width: 120px; max-width: 320px; }
    """

  private func appendTable(in text: inout TextBuffer) {
    if problems.isEmpty { return }
    text.append(
      "<table class=\"fleet\"><caption>Problems by fingerprint. Rates are shares of the logs, with 95 % confidence.</caption>\n<thead><tr>"
    )
    for title in ["Severity", "Rule", "Logs", "Rate", "", "First seen"] { text.append("<th scope=\"col\">\(title)</th>") }
    text.append("</tr></thead>\n<tbody>\n")
    let widest = problems.compactMap { $0.logs.interval?.upperBound }.max() ?? 1
    for (place, problem) in problems.enumerated() {
      text.append("<tr><td class=\"severity severity-\(problem.severity.rawValue)\">\(problem.severity.rawValue)</td>")
      text.append(
        "<td><a href=\"#p\(place)\">\(HTMLText.escaped(problem.rule))</a>\(newMark(problem))<br>\(HTMLText.escaped(problem.details))</td>"
      )
      text.append("<td class=\"number\">\(problem.logs.count) of \(problem.logs.total)</td>")
      text.append("<td class=\"number\">\(problem.logs.text)</td><td>\(Self.picture(problem.logs, widest: widest))</td>")
      text.append("<td>\(HTMLText.escaped(problem.firstSeen ?? "–"))</td></tr>\n")
    }
    text.append("</tbody></table>\n")
  }

  private func newMark(_ problem: Problem) -> String {
    problem.isNew ? " <span class=\"new\">new in \(HTMLText.escaped(release ?? ""))</span>" : ""
  }

  /// Returns a drawing of a rate, as a point on its confidence interval. Screen readers skip it, because the text beside it has the same
  /// numbers.
  private static func picture(_ proportion: Proportion, widest: Double) -> String {
    guard let rate = proportion.rate, let interval = proportion.interval, widest > 0 else { return "" }
    func place(_ share: Double) -> String { "\((share / widest * 980 + 10).rounded())" }
    return """
      <svg class="interval" viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true"><line x1="\(place(interval.lowerBound))" \
      x2="\(place(interval.upperBound))" y1="20" y2="20" stroke="currentColor" stroke-width="6"/><line x1="\(place(rate))" \
      x2="\(place(rate))" y1="4" y2="36" stroke="currentColor" stroke-width="12"/></svg>
      """
  }

  private func append(_ problem: Problem, _ place: Int, in text: inout TextBuffer) {
    text.append("<section id=\"p\(place)\"><h2>\(HTMLText.escaped(problem.rule))\(newMark(problem))</h2>\n")
    if !problem.details.isEmpty { text.append("<p class=\"faint\">\(HTMLText.escaped(problem.details))</p>\n") }
    text.append("<p>\(HTMLText.escaped(problem.example.summary))</p>\n<dl class=\"pairs\">")
    let task = problem.example.task.map { ", task \($0)" } ?? ""
    let facts = [
      ("Severity", "\(problem.severity.rawValue), \(problem.certainty.rawValue)"),
      ("Findings", "\(problem.findings) in \(problem.logs.count) of \(problem.logs.total) logs: \(problem.logs.text)"),
      ("First seen", problem.firstSeen ?? "–"), ("Last seen", problem.lastSeen ?? "–"), ("Example", problem.example.log + task),
      ("Fingerprint", problem.fingerprint),
    ]
    for (name, value) in facts { text.append("<dt>\(name)</dt><dd>\(HTMLText.escaped(value))</dd>") }
    text.append("</dl>\n")
    for (title, parts) in [("Version", problem.versions), ("System", problem.systems)] {
      let widest = parts.compactMap { $0.logs.interval?.upperBound }.max() ?? 1
      text.append("<table class=\"fleet\"><thead><tr><th scope=\"col\">\(title)</th><th scope=\"col\">Logs</th>")
      text.append("<th scope=\"col\">Rate</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n")
      for part in parts {
        text.append("<tr><th scope=\"row\">\(HTMLText.escaped(part.name ?? "unknown"))</th>")
        text.append(
          "<td class=\"number\">\(part.logs.count) of \(part.logs.total)</td><td class=\"number\">\(part.logs.text)</td>")
        text.append("<td>\(Self.picture(part.logs, widest: widest))</td></tr>\n")
      }
      text.append("</tbody></table>\n")
    }
    text.append("</section>\n")
  }
}
