extension InjectedLife {
  /// The scenario that `xfer scenario run` plays.
  var yaml: String {
    """
    scenario: "\(description)"
    routes:
    \(list(allPieces.flatMap(\.routes), indent: 2))
    actors:
      reader:
        app: Reader
        privacy: full
        files: { told: { size: 0 }\(allPieces.flatMap(\.files).map { ", \($0)" }.joined()) }
        launch:
    \(list(launch, indent: 6))
        on:
    \(reactions)
    steps:
    \(list(steps, indent: 2))
    """
  }

  private func list(_ lines: [String], indent: Int) -> String {
    if lines.isEmpty { return String(repeating: " ", count: indent) + "[]" }
    return lines.map { "\(String(repeating: " ", count: indent))- \($0)" }.joined(separator: "\n")
  }

  // MARK: The app

  private var launch: [String] {
    var lines = course?.atLaunch ?? []
    let sessions = allPieces.flatMap(\.sessions).reduce(into: [InjectedSession]()) { list, session in
      if !list.contains(session) { list.append(session) }
    }
    lines += course?.sessions ?? []
    if sessions.contains(.background), !lines.contains(where: { $0.contains("com.example.a") }) {
      lines.append(InjectedSession.background.creation)
    }
    let others = sessions.filter { session in
      session != .background && !(course?.sessions.contains { $0.contains(session.name) } ?? false)
    }
    // Background sessions are created at each launch, others at the first.
    lines += others.filter(\.isBackground).map(\.creation)
    var first = others.filter { !$0.isBackground }.map(\.creation)
    first += pieces.flatMap(\.creation)
    first += others.filter(\.isInvalidated).map { "{ invalidate: \($0.name) }" }
    lines += first.map { "{ do: [\($0)], when: { launch: 1 } }" }
    if let course {
      let next = course.piece.creation + course.goOn
      lines.append(
        """
        { on: global, when: { launch: 1 }, do: [{ wait: { file: $FILES/go, within: 100s } }, \(next.joined(separator: ", "))] }
        """)
    }
    return lines
  }

  /// The answers of tasks that have no reaction of their own to a callback that needs an answer.
  private static let answers = [
    "redirect": "{ answer: follow }", "challenge": "{ answer: default }", "delayed": "{ answer: continue }",
  ]

  private var reactions: String {
    var lines: [String: [String]] = [:]
    for reaction in allPieces.flatMap(\.reactions) { lines[reaction.callback, default: []].append(reaction.text) }
    for (callback, answer) in Self.answers where lines[callback] != nil {
      let own = Set(allPieces.flatMap(\.reactions).filter { $0.callback == callback }.compactMap(\.task))
      lines[callback]! += tasks.filter { !own.contains($0) }.map { "{ do: [\(answer)], when: { task: \($0) } }" }
    }
    // The app's own record of each completion.
    let record = [
      "{ append: { path: $FILES/told, text: \"$TASK $STATUS $ERROR\\n\" } }",
      "{ write: { path: $FILES/told-$TASK, text: \"$STATUS $ERROR\" } }",
    ]
    lines["completed"] = record + (lines["completed"] ?? [])
    for (callback, steps) in course?.reactions ?? [:] { lines[callback, default: []] += steps }
    if let course {
      lines["handle-events"] = ["{ write: { path: $FILES/woken, text: x } }"] + course.handleEvents
      lines["events-finished"] = course.eventsFinished
    }
    let endings = pieces.flatMap(\.endings)
    if advance > 0 {
      lines["entered-background", default: []].append("{ write: { path: $FILES/away, text: x } }")
      lines["entering-foreground", default: []] += endings + ["{ write: { path: $FILES/back, text: x } }"]
    }
    return lines.sorted { $0.key < $1.key }.map { "      \($0.key):\n\(list($0.value, indent: 8))" }.joined(separator: "\n")
  }

  // MARK: The device

  private var advance: Int { pieces.compactMap(\.advance).max() ?? 0 }

  /// Tasks that end only when the clock has advanced.
  private var isLate: (String) -> Bool {
    let late = Set(
      pieces.filter { !$0.endings.isEmpty || $0.creation.contains { $0.contains("begin: ") } }.flatMap(\.tasks))
    return { late.contains($0) }
  }

  private var steps: [String] {
    var lines = pieces.compactMap(\.conditions).map { "conditions: { \($0) }" }
    lines.append("launch: reader")
    let prompt = pieces.flatMap(\.tasks).filter { !isLate($0) }
    lines += waits(prompt)
    if advance > 0 { lines += passTime(prompt.count) }
    if let course {
      lines.append("file: { write: go, text: go }")
      let told = waits(course.piece.tasks.filter { !course.piece.lost.contains($0) }, after: pieces.flatMap(\.tasks).count)
      lines += course.steps.flatMap { $0 == InjectedCourse.allAcknowledged ? told : [$0] } + told
    } else if !ending.isEmpty {
      lines.append(ending)
    }
    return lines
  }

  private func waits(_ tasks: [String], after count: Int = 0) -> [String] {
    if tasks.isEmpty { return [] }
    return tasks.map { "wait: { file: told-\($0), within: 40s }" }
      + ["wait: { event: task.acknowledged, count: \(count + tasks.count), within: 10s }"]
  }

  private func passTime(_ count: Int) -> [String] {
    var lines = pieces.contains(where: \.isAskedLater) ? ["conditions: { clock: +61s }"] : []
    lines += pieces.flatMap(\.signs).map { "wait: { \($0) }" }
    lines += ["conditions: { clock: +\(advance)s }", "background: reader", "wait: { file: away }"]
    // The user returns, and the app gives up what is stuck.
    if pieces.contains(where: { $0.conditions == "network: cellular" }) { lines.append("conditions: { network: up }") }
    if pieces.contains(where: { $0.conditions == "power: battery" }) { lines.append("conditions: { power: charging }") }
    lines += ["foreground: reader", "wait: { file: back }"]
    return lines + waits(pieces.flatMap(\.tasks).filter(isLate), after: count)
  }
}
