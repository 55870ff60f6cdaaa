package import XferEvents
import XferPredicate

/// A formatter that writes each event with all its fields: a line as in `EventLines`, then one line per field.
package struct EventDetails: EventDocument {
  private let style: EventTextStyle
  private var time: EventTimeText
  private var messages = MessageTexts()
  private static let nameColumns = 24

  package init(_ style: EventTextStyle) {
    self.style = style
    time = EventTimeText(style)
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let start = text.count
    if style.hasColor { text.beginColor(Palette.faint) }
    time.append(event.wall, digits: 9, withDate: true, to: &text)
    if style.hasColor { text.endColor() }
    let isAlarm = style.hasColor && event.level >= .error
    if isAlarm { text.beginColor(Palette.alarm) }
    text.append(event.level.letter)
    if isAlarm { text.endColor() }
    text.append(UInt8(ascii: " "))
    let subject = EventSubject(event)
    if style.hasColor { text.beginHue(subject.hue) }
    text.append(TerminalText.escaped(subject.name))
    if style.hasColor { text.endColor() }
    text.append("  " as StaticString)
    text.append(TerminalText.escaped(event.layout.name))
    text.append("  " as StaticString)
    text.append(TerminalText.escaped(messages.text(of: event)))
    text.trimSpaces(from: start)
    text.append(UInt8(ascii: "\n"))
    for (name, value) in event.values { append(name, value.detail, to: &text) }
    append("· place", "\(event.reference) in \(event.source.name)", to: &text)
    append("· writer", writer(of: event), to: &text)
    append("· clocks", clocks(of: event), to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    if style.hasColor { text.beginColor(Palette.warning) }
    text.append("── \(TerminalText.escaped(gap.text)) ──")
    if style.hasColor { text.endColor() }
    text.append(UInt8(ascii: "\n"))
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    if style.hasColor { text.beginColor(Palette.faint) }
    time.append(inset.wall, digits: 9, withDate: true, to: &text)
    if style.hasColor { text.endColor() }
    if style.hasColor { text.beginColor(inset.color) }
    text.append(inset.level.letter)
    let line = "\(inset.subject)  \(EventInset.mark)\(inset.title)  \(inset.text)"
    text.append(" \(TerminalText.escaped(line))")
    if style.hasColor { text.endColor() }
    text.append(UInt8(ascii: "\n"))
    for (name, value) in inset.details { append(name, value, to: &text) }
  }

  private func append(_ name: String, _ value: String, to text: inout TextBuffer) {
    if value.isEmpty { return }
    let name = TerminalText.escaped(name)
    text.append("    " as StaticString)
    if style.hasColor { text.beginColor(Palette.faint) }
    text.append(name)
    if style.hasColor { text.endColor() }
    text.append(repeating: UInt8(ascii: " "), count: max(1, Self.nameColumns - TerminalText.width(name)))
    text.append(TerminalText.escaped(value))
    text.append(UInt8(ascii: "\n"))
  }

  private func writer(of event: RecordedEvent) -> String {
    let writer = event.source.writer
    var parts: [String] = []
    if let role = writer.role { parts.append(role.name) }
    if let executable = writer.executable, !executable.isEmpty { parts.append(executable) }
    if let pid = writer.pid { parts.append("pid \(pid)") }
    if let thread = event.thread { parts.append("thread \(thread)") }
    if let launch = writer.launch { parts.append("launch \(launch)") }
    if let boot = writer.boot { parts.append("boot \(boot)") }
    return parts.joined(separator: ", ")
  }

  private func clocks(of event: RecordedEvent) -> String {
    var parts: [String] = []
    if let monotonic = event.monotonic { parts.append("monotonic \(monotonic) ns") }
    if let boottime = event.boottime { parts.append("boottime \(boottime) ns") }
    return parts.joined(separator: ", ")
  }
}
