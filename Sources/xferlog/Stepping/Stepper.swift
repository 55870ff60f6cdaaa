package import XferDiagnosis
package import XferEvents
import XferQuery
import XferReplay
import XferReport

/// The state of stepping through a log: the current stop and the input line.
package struct Stepper {
  private(set) var timeline: Timeline
  /// The positions in the timeline of the events and gaps at which stepping stops, in ascending order.
  private let stops: [Int]
  /// The index of the current stop; -1 before the first.
  private(set) var stop = -1
  /// The number of events up to and including each event or gap of the timeline.
  private let numbers: [Int]
  private let findings: [(finding: Finding, stop: Int)]
  private let time: TimeExpression
  /// The files whose lines the user may name.
  private let files: [PlaceExpression.LineFile]

  private(set) var mode = Mode.browsing
  private(set) var message = ""
  private(set) var scroll = 0
  private(set) var isDone = false
  private var lastSearch = ""
  private(set) var view: View

  package enum Mode: Equatable {
    case browsing, help
    /// The user is typing an event or a time to go to.
    case going(String)
    /// The user is typing a text to search for.
    case searching(String)
  }

  /// The contents of the screen at a stop.
  package struct View {
    let event: RecordedEvent?
    let gap: LogGap?
    let number: Int
    let changes: [StateDocument.Change]
    let subject: StateDocument.Entity?
  }

  /// - Parameters:
  ///   - members: the events and gaps of the log, in the order in which they are applied.
  ///   - isStop: whether stepping stops at an event. It always stops at gaps.
  ///   - time: the parser for times that the user types.
  package init(
    _ members: [LogMember], findings: [Finding], time: TimeExpression, isStop: (RecordedEvent) -> Bool = { _ in true }
  ) {
    timeline = Timeline(members)
    var (stops, numbers, events) = ([Int](), [Int](), 0)
    var (span, files) = (nil as ClosedRange<WallTime>?, Set<PlaceExpression.LineFile>())
    for (place, member) in members.enumerated() {
      switch member {
      case .gap: stops.append(place)
      case .event(let event):
        events += 1
        if let wall = event.wall { span = min(span?.lowerBound ?? wall, wall)...max(span?.upperBound ?? wall, wall) }
        if case .line(let number, _) = event.reference { files.insert(.init(number: number, name: event.source.name)) }
        if isStop(event) { stops.append(place) }
      }
      numbers.append(events)
    }
    (self.stops, self.numbers, self.files) = (stops, numbers, files.sorted { $0.number < $1.number })
    self.time = TimeExpression(now: time.now, zone: time.zone, covered: span)
    self.findings = Self.stops(of: findings, stops, members)
    view = View(event: nil, gap: nil, number: 0, changes: [], subject: nil)
  }

  /// Returns the findings, each with the stop of the last event among its evidence.
  private static func stops(
    of findings: [Finding], _ stops: [Int], _ members: [LogMember]
  ) -> [(finding: Finding, stop: Int)] {
    let wanted = Set(findings.flatMap(\.evidence))
    if wanted.isEmpty { return [] }
    var stopOf: [Fact: Int] = [:]
    for (stop, place) in stops.enumerated() {
      guard case .event(let event) = members[place], let fact = event.fact, wanted.contains(fact) else { continue }
      stopOf[fact] = stop
    }
    let placed = findings.enumerated().compactMap { place, finding in
      finding.evidence.compactMap { stopOf[$0] }.max().map { (finding: finding, stop: $0, place: place) }
    }
    return placed.sorted { ($0.stop, $0.place) < ($1.stop, $1.place) }.map { ($0.finding, $0.stop) }
  }

  /// The number of events, and the number of stops.
  package var count: (events: Int, stops: Int) { (numbers.last ?? 0, stops.count) }

  package var findingsHere: [Finding] { findings.filter { $0.stop == stop }.map(\.finding) }

  package var moment: Moment { view.event?.moment ?? view.gap?.before ?? view.gap?.after ?? Moment() }

  // MARK: Keys

  package mutating func press(_ key: StepKey) {
    message = ""
    switch mode {
    case .help: mode = .browsing
    case .browsing: browse(key)
    case .going(let text): type(key, text, Mode.going) { $0.go(to: $1) }
    case .searching(let text): type(key, text, Mode.searching) { $0.search($1) }
    }
  }

  private mutating func browse(_ key: StepKey) {
    switch key {
    case .right, .text("n"), .text(" "): move(to: stop + 1)
    case .left, .text("p"): move(to: stop - 1)
    case .text("N"): moveWithinTask(1)
    case .text("P"): moveWithinTask(-1)
    case .text("f"): moveToFinding { found, here in found.first { $0.stop > here } }
    case .text("F"): moveToFinding { found, here in found.last { $0.stop < here } }
    case .home, .text("0"): move(to: -1)
    case .end, .text("G"): move(to: stops.count - 1)
    case .text("g"): mode = .going("")
    case .text("/"): mode = .searching("")
    case .down, .text("j"): scroll += 1
    case .up, .text("k"): scroll = max(0, scroll - 1)
    case .pageDown: scroll += 10
    case .pageUp: scroll = max(0, scroll - 10)
    case .text("?"), .text("h"): mode = .help
    case .text("q"), .escape: isDone = key == .text("q")
    default: message = "unknown key; press ? for help"
    }
  }

  private mutating func type(
    _ key: StepKey, _ text: String, _ next: (String) -> Mode, _ done: (inout Stepper, String) -> Void
  ) {
    switch key {
    case .text(let character): mode = next(text + String(character))
    case .backspace where text.isEmpty, .escape: mode = .browsing
    case .backspace: mode = next(String(text.dropLast()))
    case .enter:
      mode = .browsing
      done(&self, text)
    default: break
    }
  }

  // MARK: Movement

  private mutating func move(to target: Int) {
    if target < -1 || stop < 0 && target < 0 { return message = "this is before the first event" }
    if target >= stops.count {
      return message = stops.isEmpty ? "no event matches --task and --session" : "this is the last event"
    }
    stop = target
    scroll = 0
    look()
  }

  private mutating func look() {
    guard stop >= 0 else {
      timeline.go(to: 0)
      view = View(event: nil, gap: nil, number: 0, changes: [], subject: nil)
      return
    }
    let place = stops[stop]
    timeline.go(to: place)
    let before = timeline.state
    let change = timeline.go(to: place + 1)
    let after = timeline.state
    let (event, gap): (RecordedEvent?, LogGap?) =
      switch timeline.members[place] {
      case .event(let event): (event, nil)
      case .gap(let gap): (nil, gap)
      }
    let subject =
      change.flatMap { after.entity(of: $0.subject, in: timeline.world) }
      ?? event?.task.flatMap { after.entity(of: $0) }
    view = View(
      event: event, gap: gap, number: numbers[place], changes: after.changes(since: before), subject: subject)
  }

  private func event(at stop: Int) -> RecordedEvent? {
    guard stops.indices.contains(stop), case .event(let event) = timeline.members[stops[stop]] else { return nil }
    return event
  }

  private mutating func moveWithinTask(_ step: Int) {
    guard let task = view.event?.task else { return message = "this event has no task" }
    var place = stop + step
    while stops.indices.contains(place) {
      if event(at: place)?.task?.uid == task.uid { return move(to: place) }
      place += step
    }
    message = "no \(step > 0 ? "later" : "earlier") event of \(task.label)"
  }

  private mutating func moveToFinding(_ choose: ([(finding: Finding, stop: Int)], Int) -> (finding: Finding, stop: Int)?) {
    guard let found = choose(findings, stop) else {
      message = findings.isEmpty ? "there are no findings" : "no more findings in this direction"
      return
    }
    move(to: found.stop)
  }

  private mutating func go(to text: String) {
    if text.isEmpty { return }
    let isNumber = text.allSatisfy { $0.isASCII && $0.isNumber }
    let place: PlaceExpression
    do throws(PlaceExpression.Problem) {
      place = try PlaceExpression(isNumber ? "#\(text)" : text, time: time, files: files)
    } catch {
      return message = error.description.split(separator: "\n").first.map(String.init) ?? ""
    }
    var finder = PlaceFinder(place)
    for (index, member) in timeline.members.enumerated() {
      switch finder.look(at: member) {
      case .notYet: continue
      case .before: return move(toMember: index - 1)
      case .after: return move(toMember: index)
      }
    }
    switch finder.end(isNumber ? "#\(text)" : text) {
    case .here: move(to: stops.count - 1)
    case .nowhere(let problem): message = problem
    }
  }

  /// Moves to the last stop at or before an event or gap.
  private mutating func move(toMember member: Int) { move(to: (stops.lastIndex { $0 <= member } ?? -1)) }

  private mutating func search(_ typed: String) {
    let text = typed.isEmpty ? lastSearch : typed
    if text.isEmpty { return }
    lastSearch = text
    let later = stop + 1 < stops.count ? Array(stop + 1..<stops.count) : []
    // The search wraps around at the end.
    for place in later + Array(0..<max(0, min(stop + 1, stops.count))) {
      guard let event = event(at: place), Self.matches(event, text) else { continue }
      let hasWrapped = place <= stop
      move(to: place)
      if hasWrapped { message = "search wrapped to the beginning" }
      return
    }
    message = "no event or task contains '\(text)'"
  }

  private static func matches(_ event: RecordedEvent, _ text: String) -> Bool {
    if event.layout.name.contains(text) { return true }
    guard let task = event.task else { return event.session?.contains(text) ?? false }
    return task.label.contains(text) || "\(task.uid)".hasPrefix(text)
  }
}
