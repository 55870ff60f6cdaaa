package import XferEvents

/// One line for each event: time, time since the task's previous event, level, subject, name and message.
package struct EventLines: EventDocument {
  private let style: EventTextStyle
  private var time: EventTimeText
  private var messages = MessageTexts()
  private var lastOfTask = LastTimes()
  // Columns widen for longer names up to a limit. A longer name shifts its line, or is cut on a terminal.
  private var subjectColumns = 12
  private var eventColumns = 18
  private static let maximumSubjectColumns = 24
  private static let maximumEventColumns = 29

  package init(_ style: EventTextStyle) {
    self.style = style
    time = EventTimeText(style)
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let start = text.count
    if style.hasColor { text.beginColor(Palette.faint) }
    time.append(event.wall, digits: 3, withDate: style.showsDate, to: &text)
    if style.showsSinceLast { appendSinceLast(event, to: &text) }
    if style.hasColor { text.endColor() }

    appendLevel(event.level, to: &text)
    let subject = EventSubject(event)
    let used = appendNames(subject, event, to: &text)
    let message = TerminalText.escaped(messages.text(of: event))
    text.append(fitted(message, behind: used))
    text.trimSpaces(from: start)
    text.append(UInt8(ascii: "\n"))
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    appendRuled(TerminalText.escaped(gap.text), color: Palette.warning, to: &text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    let start = text.count
    if style.hasColor { text.beginColor(Palette.faint) }
    time.append(inset.wall, digits: 3, withDate: style.showsDate, to: &text)
    if style.showsSinceLast { text.append(repeating: UInt8(ascii: " "), count: 9) }
    if style.hasColor { text.endColor() }
    if style.hasColor { text.beginColor(inset.color) }
    text.append(inset.level.letter)
    text.append(UInt8(ascii: " "))
    var subject = TerminalText.escaped(inset.subject)
    if style.columns != nil { subject = TerminalText.cutMiddle(subject, to: Self.maximumSubjectColumns) }
    subjectColumns = min(max(subjectColumns, TerminalText.width(subject)), Self.maximumSubjectColumns)
    let names =
      subject.padded(to: subjectColumns) + " "
      + (EventInset.mark + TerminalText.escaped(inset.title)).padded(to: eventColumns) + " "
    text.append(names)
    text.append(fitted(TerminalText.escaped(inset.text), behind: timeColumns + 2 + TerminalText.width(names)))
    if style.hasColor { text.endColor() }
    text.trimSpaces(from: start)
    text.append(UInt8(ascii: "\n"))
  }

  // MARK: Columns

  private mutating func appendSinceLast(_ event: RecordedEvent, to text: inout TextBuffer) {
    var span = ""
    if let task = event.task, let now = event.monotonic {
      if let last = lastOfTask.replace(now, of: task.uid) {
        span = (now < last ? "" : "+") + Duration.nanoseconds(now &- last).short
      }
    }
    text.append(repeating: UInt8(ascii: " "), count: 8 - TerminalText.width(span))
    text.append(span)
    text.append(UInt8(ascii: " "))
  }

  private func appendLevel(_ level: Level, to text: inout TextBuffer) {
    let isColored = style.hasColor && level >= .error
    if isColored { text.beginColor(Palette.alarm) }
    text.append(level.letter)
    if isColored { text.endColor() }
    text.append(UInt8(ascii: " "))
  }

  /// - Returns: the number of columns that the line occupies.
  private mutating func appendNames(_ subject: EventSubject, _ event: RecordedEvent, to text: inout TextBuffer) -> Int {
    var name = TerminalText.escaped(subject.name)
    if style.columns != nil { name = TerminalText.cutMiddle(name, to: Self.maximumSubjectColumns) }
    let width = TerminalText.width(name)
    subjectColumns = min(max(subjectColumns, width), Self.maximumSubjectColumns)
    if style.hasColor { text.beginHue(subject.hue) }
    text.append(name)
    if style.hasColor { text.endColor() }
    let padding = max(1, subjectColumns - width + 1)
    text.append(repeating: UInt8(ascii: " "), count: padding)

    let kind = TerminalText.escaped(event.layout.name)
    let kindWidth = TerminalText.width(kind)
    eventColumns = min(max(eventColumns, kindWidth), Self.maximumEventColumns)
    text.append(kind)
    let kindPadding = max(1, eventColumns - kindWidth + 1)
    text.append(repeating: UInt8(ascii: " "), count: kindPadding)
    return timeColumns + 2 + width + padding + kindWidth + kindPadding
  }

  private var timeColumns: Int {
    let time =
      switch style.time {
      case .absolute: (style.showsDate ? 11 : 0) + 12 + (style.isUTC ? 1 : 0) + 1
      case .relative, .delta: 11
      case .none: 0
      }
    return time + (style.showsSinceLast ? 9 : 0)
  }

  /// Returns the part of the message that fits the terminal. Addresses are shortened in the middle first.
  private func fitted(_ message: String, behind used: Int) -> String {
    guard let columns = style.columns else { return message }
    let room = max(0, columns - used)
    let excess = TerminalText.width(message) - room
    guard excess > 0 else { return message }
    var words = message.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let addresses = words.indices.filter { words[$0].contains("/") && TerminalText.width(words[$0]) > 16 }
    if let longest = addresses.max(by: { TerminalText.width(words[$0]) < TerminalText.width(words[$1]) }) {
      words[longest] = TerminalText.cutMiddle(words[longest], to: max(16, TerminalText.width(words[longest]) - excess))
    }
    return TerminalText.cut(words.joined(separator: " "), to: room)
  }

  private func appendRuled(_ line: String, color: StaticString, to text: inout TextBuffer) {
    if style.hasColor { text.beginColor(color) }
    text.append("── \(line) ──")
    if style.hasColor { text.endColor() }
    text.append(UInt8(ascii: "\n"))
  }
}

extension EventInset {
  var color: StaticString { level >= .error ? Palette.alarm : Palette.warning }
}

extension TextBuffer {
  /// Removes the spaces at the end of the line that begins at `start`.
  mutating func trimSpaces(from start: Int) {
    var end = count
    while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    cut(to: end)
  }
}

/// The time of the last event of each recent task. Older tasks are dropped, so that memory is bounded.
private struct LastTimes {
  private var recent: [TaskUID: Int64] = [:]
  private var older: [TaskUID: Int64] = [:]
  private static let limit = 1 << 15

  mutating func replace(_ time: Int64, of task: TaskUID) -> Int64? {
    let last = recent.updateValue(time, forKey: task) ?? older[task]
    if recent.count >= Self.limit {
      older = recent
      recent = [:]
    }
    return last
  }
}
