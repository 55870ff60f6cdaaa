package import XferDiagnosis
import XferEvents

/// The findings of a replay in the form in which CI services show them: the findings that no other finding explains, the most severe
/// first, so that a service's limits cut the least severe ones.
package struct JobReport {
  package struct Settings {
    /// The name that distinguishes the results of several jobs of one commit.
    package var category: String
    /// The version of this program.
    package var version: String
    /// The place in the repository at which findings are shown; `nil` shows them at the log.
    package var anchor: RepositoryPlace?
    /// The lowest severity that fails the job; `nil` if no finding does.
    package var limit: Severity?
    /// The directories that paths are relative to.
    package var repository: RepositoryRoot

    package init(
      category: String, version: String, anchor: RepositoryPlace?, limit: Severity?, repository: RepositoryRoot
    ) {
      (self.category, self.version, self.anchor, self.limit) = (category, version, anchor, limit)
      self.repository = repository
    }
  }

  /// How the command ends.
  package struct Conclusion {
    package let code: Int32
    /// The exit code in words, such as `nothing analysed`.
    package let word: String
    /// Empty if there is nothing to say.
    package let reason: String
    /// Whether findings are the reason of the exit code.
    package let isAboutFindings: Bool

    package init(code: Int32, word: String, reason: String, isAboutFindings: Bool) {
      (self.code, self.word, self.reason, self.isAboutFindings) = (code, word, reason, isAboutFindings)
    }

    /// A line such as `exit 1 (findings): 2 findings: lost-completion`.
    var text: String { "exit \(code) (\(word))" + (reason.isEmpty ? "" : ": \(reason)") }
  }

  let document: ReplayDocument
  let settings: Settings
  let conclusion: Conclusion
  let items: [JobItem]

  package init(_ document: ReplayDocument, _ settings: Settings, _ conclusion: Conclusion) {
    (self.document, self.settings, self.conclusion) = (document, settings, conclusion)
    let findings = document.diagnosis.findings
    var consequences: [Int: [Int]] = [:]
    for (place, finding) in findings.enumerated() {
      if let root = finding.causedBy { consequences[root, default: []].append(place) }
    }
    func below(_ place: Int) -> [Finding] { (consequences[place] ?? []).flatMap { [findings[$0]] + below($0) } }
    let places = findings.indices.filter { findings[$0].causedBy == nil }
    var items = places.map { place in
      JobItem(
        findings[place], consequences: below(place),
        isFailing: findings[place].counts(withPossible: document.countsPossible)
          && settings.limit.map { findings[place].severity >= $0 } ?? false,
        isSure: findings[place].counts(withPossible: document.countsPossible),
        place: settings.anchor ?? Self.place(of: findings[place], document, settings.repository))
    }
    items = items.enumerated().sorted { left, right in
      left.element.precedes(right.element) || !right.element.precedes(left.element) && left.offset < right.offset
    }.map(\.element)
    var ordinals: [String: Int] = [:]
    for place in items.indices {
      let key = items[place].finding.rule + items[place].finding.fingerprint
      ordinals[key, default: 0] += 1
      items[place].ordinal = ordinals[key] ?? 1
    }
    self.items = items
  }

  /// Returns the place of a finding without an anchor: the line of a foreign log, or else the first input.
  private static func place(
    of finding: Finding, _ document: ReplayDocument, _ repository: RepositoryRoot
  ) -> RepositoryPlace {
    for fact in finding.evidence {
      if let place = place(of: fact.reference, document, repository) { return place }
    }
    let path = document.inputs.first?.path ?? "-"
    return RepositoryPlace(file: path == "-" ? "standard-input" : repository.relative(path), line: nil)
  }

  static func place(
    of reference: EventReference, _ document: ReplayDocument, _ repository: RepositoryRoot
  ) -> RepositoryPlace? {
    guard case .line(_, let line) = reference, let file = document.sourceLines.file(reference), file != "-" else { return nil }
    return RepositoryPlace(file: repository.relative(file), line: Int(clamping: line))
  }

  /// Returns the evidence and the remedy of an item and of its consequences, as lines of bounded number and length.
  func lines(of item: JobItem) -> [String] {
    var lines = document.block(item.finding, isConsequence: false).map(\.text)
    for consequence in item.consequences.prefix(Self.consequenceLimit) {
      lines += document.block(consequence, isConsequence: true).map { "    " + $0.text }
    }
    if item.consequences.count > Self.consequenceLimit {
      lines.append("    └ \(item.consequences.count - Self.consequenceLimit) more consequences")
    }
    if lines.count > Self.lineLimit {
      lines = lines.prefix(Self.lineLimit) + ["    … \(lines.count - Self.lineLimit) more lines; see the replay of the log"]
    }
    return lines.map { $0.utf8.count > Self.lengthLimit ? String($0.prefix(Self.lengthLimit)) + "…" : $0 }
  }

  private static let consequenceLimit = 20
  private static let lineLimit = 60
  private static let lengthLimit = 1000
}
