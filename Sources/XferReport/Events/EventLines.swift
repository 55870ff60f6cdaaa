package import XferEvents
import XferPredicate

/// A formatter that writes one line per event: time, time since the task's previous event, level, subject, name and message.
///
/// On a terminal, the columns depend only on its width, and a long message continues on the next line. On a narrow terminal, the
/// message is below the other columns. The wide form has no width, and also shows the writer and all fields.
///
/// The style decides whether times without an event are drawn, and whether a run of progress events is merged.
package struct EventLines: EventDocument {
  private var style: EventTextStyle
  private var time: EventTimeText
  private var messages = MessageTexts()
  private var lastOfTask = LastTimes()
  /// The columns on a terminal; `nil` for a file, whose columns widen for longer names up to a limit.
  private var fixed: EventColumns?
  /// The width of the terminal, also for the wide form; `nil` for a file.
  private var terminalColumns: Int?
  private var writerColumns = 8
  private var subjectColumns = 12
  private var eventColumns = 18
  private var clock = SilenceClock()
  private var burst: ProgressBurst?
  /// Whether the burst's line is on the screen, without a line feed.
  private var isBurstShown = false
  private static let maximumSubjectColumns = 24
  private static let maximumEventColumns = 29

  package init(_ style: EventTextStyle) {
    self.style = style
    time = EventTimeText(style)
    if let columns = style.columns { resize(to: columns) }
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) { settle(in: &text) }

  package mutating func resize(to columns: Int) {
    terminalColumns = columns
    style.columns = style.isWide ? nil : columns
    if style.isWide { return }
    let fixed = EventColumns(columns: columns)
    (self.fixed, subjectColumns, eventColumns) = (fixed, fixed.subject, fixed.event)
  }

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let silence = clock.silence(before: event)
    let isSilent = style.silence.map { silence >= $0 } ?? false
    if style.mergesProgress, ProgressBurst.contains(event) {
      if !isSilent, burst != nil {
        if let task = event.task, let now = event.monotonic { _ = lastOfTask.replace(now, of: task.uid) }
        burst?.add(event)
        return
      }
      settle(in: &text)
      burst = ProgressBurst(after: event)
    } else {
      settle(in: &text)
    }
    if isSilent { appendSilence(silence, to: &text) }
    appendLine(event, to: &text)
  }

  private mutating func appendLine(_ event: RecordedEvent, to text: inout TextBuffer) {
    let start = text.count
    if style.hasColor { text.beginColor(Palette.faint) }
    time.append(event.wall, digits: timeDigits, withDate: style.showsDate, to: &text)
    if style.showsSinceLast { appendSinceLast(event, to: &text) }
    if style.hasColor { text.endColor() }

    appendLevel(event.level, to: &text)
    let subject = EventSubject(event)
    let name = TerminalText.escaped(fixed?.name(of: event.layout) ?? event.layout.name)
    var message = TerminalText.escaped(messages.text(of: event))
    if style.isWide {
      appendWriter(event, to: &text)
      message = messages.wide(message, of: event)
    }
    if let fixed, fixed.isStacked {
      let room = max(4, fixed.columns - timeColumns - 2)
      let shown = TerminalText.escaped(subject.name)
      append(shown, hue: subject.hue, columns: room, to: &text)
      let used = timeColumns + 2 + min(room, TerminalText.width(shown))
      appendStacked(name, message, behind: used, from: start, to: &text)
    } else {
      let used = appendNames(subject, name, to: &text)
      appendMessage(message, behind: used, from: start, to: &text)
    }
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    settle(in: &text)
    appendRuled(TerminalText.escaped(gap.text), color: Palette.warning, to: &text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    settle(in: &text)
    let silence = clock.silence(before: inset)
    if let limit = style.silence, silence >= limit { appendSilence(silence, to: &text) }
    let start = text.count
    if style.hasColor { text.beginColor(Palette.faint) }
    time.append(inset.wall, digits: timeDigits, withDate: style.showsDate, to: &text)
    if style.showsSinceLast { text.append(repeating: UInt8(ascii: " "), count: 9) }
    if style.hasColor { text.endColor() }
    if style.hasColor { text.beginColor(inset.color) }
    text.append(inset.level.letter)
    text.append(UInt8(ascii: " "))
    if style.isWide { text.append(repeating: UInt8(ascii: " "), count: writerColumns + 1) }
    var subject = TerminalText.escaped(inset.subject)
    let title = EventInset.mark + inset.title
    let message = TerminalText.escaped(inset.text)
    if let fixed, fixed.isStacked {
      subject = TerminalText.cutMiddle(subject, to: max(4, fixed.columns - timeColumns - 2))
      text.append(subject)
      appendStacked(
        title, message, behind: timeColumns + 2 + TerminalText.width(subject), from: start, color: inset.color, to: &text)
      return
    }
    if style.columns != nil { subject = TerminalText.cutMiddle(subject, to: subjectColumns) }
    if fixed == nil { subjectColumns = min(max(subjectColumns, TerminalText.width(subject)), Self.maximumSubjectColumns) }
    let names = subject.padded(to: subjectColumns) + " " + title.padded(to: eventColumns) + " "
    text.append(names)
    appendMessage(
      message, behind: timeColumns + 2 + subjectColumns + 1 + eventColumns + 1,
      beginning: timeColumns + 2 + TerminalText.width(names), from: start, color: inset.color, to: &text)
  }

  // MARK: Silences and bursts

  private func appendSilence(_ silence: Duration, to text: inout TextBuffer) {
    appendRuled("\(silence.short) without \(style.isFiltered ? "a matching" : "an") event", color: Palette.faint, to: &text)
  }

  /// Shows the progress so far in a line that is replaced when more progress follows.
  package mutating func pause(in text: inout TextBuffer) {
    guard style.redraws, let burst, burst.isChanged else { return }
    self.burst?.isChanged = false
    if isBurstShown { text.append("\r\u{1b}[K" as StaticString) }
    append(burst, to: &text)
    isBurstShown = true
  }

  package mutating func settle(in text: inout TextBuffer) {
    guard let burst else { return }
    self.burst = nil
    if isBurstShown {
      if burst.isChanged {
        text.append("\r\u{1b}[K" as StaticString)
        append(burst, to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    } else if let event = burst.only {
      appendLine(event, to: &text)
    } else if burst.count > 0 {
      append(burst, to: &text)
      text.append(UInt8(ascii: "\n"))
    }
    isBurstShown = false
  }

  private func append(_ burst: ProgressBurst, to text: inout TextBuffer) {
    if style.hasColor { text.beginColor(Palette.faint) }
    let line = "        ⋮ \(burst.text)"
    // A line that fills the last column could not be replaced, because some terminals wrap after it.
    text.append(terminalColumns.map { TerminalText.cut(line, to: max(1, $0 - 1)) } ?? line)
    if style.hasColor { text.endColor() }
  }

  // MARK: Columns

  private mutating func appendWriter(_ event: RecordedEvent, to text: inout TextBuffer) {
    let writer = TerminalText.escaped(EventTexts.writer(of: event.view))
    writerColumns = max(writerColumns, min(TerminalText.width(writer), Self.maximumSubjectColumns))
    text.append(writer.padded(to: writerColumns) + " ")
  }

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

  /// - Parameter name: an escaped text.
  private func append(_ name: String, hue: UInt8, columns: Int, to text: inout TextBuffer) {
    if style.hasColor { text.beginHue(hue) }
    text.append(style.columns == nil ? name : TerminalText.cutMiddle(name, to: columns))
    if style.hasColor { text.endColor() }
  }

  /// - Returns: the number of columns that the line occupies so far.
  private mutating func appendNames(_ subject: EventSubject, _ kind: String, to text: inout TextBuffer) -> Int {
    let name = TerminalText.escaped(subject.name)
    let width = min(TerminalText.width(name), style.columns == nil ? .max : subjectColumns)
    if fixed == nil { subjectColumns = min(max(subjectColumns, width), Self.maximumSubjectColumns) }
    append(name, hue: subject.hue, columns: subjectColumns, to: &text)
    let padding = max(1, subjectColumns - width + 1)
    text.append(repeating: UInt8(ascii: " "), count: padding)

    let kind = fixed == nil ? kind : TerminalText.cut(kind, to: eventColumns)
    let kindWidth = TerminalText.width(kind)
    if fixed == nil { eventColumns = min(max(eventColumns, kindWidth), Self.maximumEventColumns) }
    text.append(kind)
    let kindPadding = max(1, eventColumns - kindWidth + 1)
    text.append(repeating: UInt8(ascii: " "), count: kindPadding)
    return timeColumns + 2 + width + padding + kindWidth + kindPadding
  }

  /// The number of fractional digits of a second in times.
  private var timeDigits: Int { fixed.map { $0.columns < EventColumns.narrowest } ?? false ? 0 : 3 }

  private var timeColumns: Int {
    let time =
      switch style.time {
      case .absolute: (style.showsDate ? 11 : 0) + (timeDigits == 0 ? 8 : 12) + (style.isUTC ? 1 : 0) + 1
      case .relative, .delta: 11
      case .none: 0
      }
    return time + (style.showsSinceLast ? 9 : 0)
  }

  // MARK: Messages

  /// Appends a message and ends the line. On a terminal, a long message continues on further lines, indented to column `used`.
  ///
  /// - Parameters:
  ///   - beginning: the column that the line has reached; `nil` means `used`. If the column is greater than `used`, the message
  ///     begins on the next line.
  ///   - start: the byte offset in the buffer at which the line begins.
  ///   - color: the color in which the line is being written.
  private func appendMessage(
    _ message: String, behind used: Int, beginning: Int? = nil, from start: Int, color: StaticString? = nil,
    to text: inout TextBuffer
  ) {
    guard let columns = style.columns else {
      text.append(message)
      return endLine(from: start, color: color, to: &text)
    }
    // If a long title extends into the message's column, the whole message moves to the next line.
    var lines = TerminalText.wrapped(message, to: max(1, columns - used))
    if let beginning, beginning > used { lines.insert("", at: 0) }
    var start = start
    for (place, line) in lines.enumerated() {
      if place > 0 { start = beginContinuation(used, color: color, to: &text) }
      text.append(line)
      endLine(from: start, color: color, to: &text)
    }
  }

  /// Appends a name after the subject if it fits there, otherwise on the next line, and the message below the subject.
  private func appendStacked(
    _ name: String, _ message: String, behind used: Int, from start: Int, color: StaticString? = nil, to text: inout TextBuffer
  ) {
    let columns = style.columns ?? .max
    let fits = used + 1 + TerminalText.width(name) <= columns
    if fits { text.append(" " + name) }
    endLine(from: start, color: color, to: &text)
    let below = fits ? message : message.isEmpty ? name : name + " " + message
    if below.isEmpty { return }
    for line in TerminalText.wrapped(below, to: max(1, columns - EventColumns.stackedIndent)) {
      let start = beginContinuation(EventColumns.stackedIndent, color: color, to: &text)
      text.append(line)
      endLine(from: start, color: color, to: &text)
    }
  }

  /// - Returns: the byte offset in the buffer at which the line begins.
  private func beginContinuation(_ indent: Int, color: StaticString?, to text: inout TextBuffer) -> Int {
    let start = text.count
    text.append(repeating: UInt8(ascii: " "), count: indent)
    if style.hasColor, let color { text.beginColor(color) }
    return start
  }

  private func endLine(from start: Int, color: StaticString?, to text: inout TextBuffer) {
    if style.hasColor, color != nil { text.endColor() }
    text.trimSpaces(from: start)
    text.append(UInt8(ascii: "\n"))
  }

  private func appendRuled(_ line: String, color: StaticString, to text: inout TextBuffer) {
    let ruled = "── \(line) ──"
    for line in style.columns.map({ TerminalText.wrapped(ruled, to: $0, hang: 3) }) ?? [ruled] {
      if style.hasColor { text.beginColor(color) }
      text.append(line)
      if style.hasColor { text.endColor() }
      text.append(UInt8(ascii: "\n"))
    }
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
