package import XferQuery
import XferDiagnosis
import XferEvents
import XferLifecycle

extension WhyAnswer {
  /// The answer as text with lines of unlimited width.
  package var text: String { text(on: PageStyle()) }

  /// Returns the answer as text: a sentence, followed by the facts that support it.
  package func text(on page: PageStyle) -> String {
    var lines = head.map { PageLine($0) }
    func append(_ title: String, _ section: [PageLine]) { if !section.isEmpty { lines += ["", PageLine(title)] + section } }
    append("what the task needs", conditionLines)
    append("what can change next", prospectLines.map { PageLine($0) })
    append("how the task ended", chainLines)
    if showsStages { append("delivery to the app", stageLines) }
    append("findings", findingLines)
    append("what the log cannot tell", unknowns.map { "  \($0)" })
    return page.text(lines)
  }

  private var times: StateText { StateText(now: end?.moment ?? Moment()) }

  private var head: [String] {
    let identity = task.identity
    let about = [task.type?.name, task.hostText.map { "to \($0)" }, task.intent.map { "for \($0)" }].compactMap(\.self)
    var lines = [
      "\(identity.label) (\(about.isEmpty ? "task" : about.joined(separator: " "))) \(sentence)", "  uid \(identity.uid)",
    ]
    if let earlier = task.continues { lines.append("  continues the download of the task with the uid \(earlier.uid)") }
    if task.result != .resumed, let next = task.continuation?.task {
      lines.append("  resumed by \(next.label) (uid \(next.uid))")
    }
    if let end { lines.append("  the log ends \(end.wall.map { "at \($0)" } ?? "at an unknown time")") }
    return lines
  }

  /// The answer as a sentence without its subject.
  package var sentence: String {
    switch form {
    case .over:
      switch task.result {
      case .succeeded:
        let accepted = task.acceptsErrorStatus ? ": the app accepts the status \(task.status ?? 0) on purpose" : ""
        return "succeeded" + (task.contradiction.map { ", but \($0)" } ?? accepted)
      case .failed: return "failed" + (task.error.map { ": \($0.text)" } ?? task.status.map { ": status \($0)" } ?? "")
      case .cancelled:
        let status = task.status ?? task.attempt?.status ?? 0
        return "was cancelled" + (status >= 400 ? " after a response with the status \(status)" : "")
          + (task.contradiction.map { "; \($0)" } ?? "")
      case .lost: return "was lost: its process ended before the task completed"
      case .resumed:
        guard let next = task.continuation?.task else { return "was lost, and a later task resumed it" }
        return "was lost: its process ended before the task completed; \(next.label) (uid \(next.uid)) resumed it"
      case .open, .unknown: return task.forgotten == nil ? "ended" : "was forgotten by the daemon"
      }
    case .undelivered:
      let end = task.hasFailedAttempt ? "failed to transfer\(attemptProblem)" : "finished transferring"
      guard let missing = missingStage else { return "\(end), and the app was notified" }
      if isExcerpt { return "\(end); the log does not show the completion" }
      let blame = missing.blame.map { ": \($0)" } ?? "; the log does not say why"
      return "\(end), but its completion was never \(missing.name.rawValue)\(blame)"
    case .waiting:
      guard let deciding else { return "waits; the log does not say for what" }
      return "waits: \(deciding.text)" + (since(deciding).map { ", \($0)" } ?? "")
    case .moving:
      guard let deciding else { return "is transferring" }
      return "is transferring: \(deciding.text)" + (since(deciding).map { ", \($0)" } ?? "")
    }
  }

  /// Why the last attempt failed, such as ` (networkConnectionLost (url -1005))`; empty if the log does not say it.
  private var attemptProblem: String {
    (task.attempt?.error?.text ?? task.attempt?.end?.name).map { " (\($0))" } ?? ""
  }

  /// Returns how long a condition has had its state, such as `since 14:02:07.121Z, for 3.2s`; `nil` if the log does not say.
  private func since(_ condition: Condition) -> String? {
    guard let since = condition.since else { return nil }
    let age = times.duration(since: since).map { "for \($0.short)" }
    // The log of another program may have no dates, so that its last line only seems to be the present.
    guard since.wall != nil else { return age == "for 0s" ? nil : age }
    return ["since \(times.time(since.wall))", age].compactMap(\.self).joined(separator: ", ")
  }

  private var conditionLines: [PageLine] {
    let columns = conditions.map { $0.name.rawValue.count }.max() ?? 0
    return conditions.map { condition in
      let mark = condition.decides ? "▶" : " "
      let standing = condition.standing == .satisfied ? "yes    " : condition.standing == .unsatisfied ? "NO     " : "unknown"
      let name = condition.name.rawValue.padding(to: columns)
      let text = "\(mark) \(name)  \(standing)  \(condition.text)" + (since(condition).map { "  (\($0))" } ?? "")
      return PageLine(text, condition.decides ? Palette.warning : nil)
    }
  }

  private var prospectLines: [String] {
    prospects.map { prospect in
      let when = prospect.remaining.map { $0 < .zero ? "\((.zero - $0).short) before the log's end" : "in \($0.short)" }
      let time = prospect.wall.map { "at \(times.time($0))" }
      return "  \(prospect.name)\(prospect.length.map { ", \($0.short)" } ?? ""): "
        + [when, time].compactMap(\.self).joined(separator: ", ")
        + " by the \(prospect.clock.rawValue) clock"
    }
  }

  private var chainLines: [PageLine] {
    let columns = chain.map { TerminalText.width($0.place) }.max() ?? 0
    return chain.enumerated().flatMap { place, link in
      let mark = place == 0 ? "  " : "└ "
      let time = link.fact.wall.map { String("\($0)".dropFirst(11)) } ?? "-"
      let gap = String(repeating: " ", count: columns - TerminalText.width(link.place))
      let rules = link.rules.map { PageLine("        ▶ \($0)", Palette.alarm) }
      let source = lines.place(link.fact.reference)
      let text = "\(mark)\(time)  \(link.place)\(gap)  \(link.text)  [\(link.fact.kind.name) \(source)]"
      return [PageLine(text)] + quote(link.fact) + rules
    }
  }

  /// The line of a foreign log that an event comes from.
  private func quote(_ fact: Fact) -> [PageLine] {
    lines.quote(fact.reference).map { [PageLine("        line  \($0)")] } ?? []
  }

  private var showsStages: Bool { missingStage.map { form != .over || $0.name != .acknowledged } ?? false }

  private var stageLines: [PageLine] {
    let first = stages.firstIndex { $0.fact == nil }
    return stages.enumerated().flatMap { place, stage -> [PageLine] in
      let mark = place == first ? "▶" : " "
      let hasFailed = stage.name == .transferred && task.hasFailedAttempt
      let name = (hasFailed ? "failed" : stage.name.rawValue).padding(to: 12)
      let callback = stage.callback.map { "  \($0.name)" } ?? ""
      if let fact = stage.fact {
        return ["\(mark) \(name)  \(times.time(fact.wall))\(callback)  [\(lines.place(fact.reference))]"] + quote(fact)
      }
      let standing = place == first ? isExcerpt ? "not shown" : "MISSING" : isExcerpt ? "-        " : "-      "
      let text = "\(mark) \(name)  \(standing)\(callback)" + (stage.blame.map { "  \($0)" } ?? "")
      return [PageLine(text, place == first && !isExcerpt ? Palette.alarm : nil)]
    }
  }

  private var findingLines: [PageLine] {
    findings.flatMap { cited in
      let finding = cited.finding
      let title =
        "  \(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue))"
        + (cited.root.map { ", caused by \($0.rule)" } ?? "")
      let evidence = finding.evidence.flatMap { fact -> [PageLine] in
        guard lines.file(fact.reference) != nil else { return [] }
        return ["      evidence  \(fact.kind.name)  \(lines.place(fact.reference))"] + quote(fact)
      }
      return [PageLine(title, finding.severity.color), "      \(finding.summary)"] + evidence
        + (cited.root.map { ["      root: \($0.summary)"] } ?? [])
    }
  }
}

extension String {
  fileprivate func padding(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }
}
