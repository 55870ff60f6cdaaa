import XferDiagnosis
import XferEvents
import XferPredicate
import XferQuery
import XferReplay
import XferReport

/// The screen of a stepper with a given number of columns and rows.
package struct StepScreen {
  package let columns: Int
  package let rows: Int
  private let hasColor: Bool
  private let log: String

  package init(columns: Int, rows: Int, hasColor: Bool, log: String) {
    (self.columns, self.rows) = (max(20, columns), max(6, rows))
    (self.hasColor, self.log) = (hasColor, log)
  }

  private enum Look {
    case plain, faint, title, bar, alarm
  }

  private typealias Line = (text: String, look: Look)

  /// Returns the lines of the screen, one for each row.
  package func lines(_ stepper: Stepper) -> [String] {
    let head = [(bar(stepper), Look.bar)]
    var body = stepper.mode == .help ? Self.help.map { ($0, Look.plain) } : body(stepper)
    let room = rows - head.count - 1
    let hidden = max(0, body.count - room)
    body = Array(body.dropFirst(min(stepper.scroll, hidden)).prefix(room))
    body += [Line](repeating: ("", .plain), count: room - body.count)
    return (head + body + [foot(stepper, isCut: hidden > 0)]).map(styled)
  }

  private func styled(_ line: Line) -> String {
    let text = TerminalText.cut(line.text, to: columns)
    guard hasColor else { return text }
    switch line.look {
    case .plain: return text
    case .faint: return "\u{1b}[2m\(text)\u{1b}[0m"
    case .title: return "\u{1b}[1m\(text)\u{1b}[0m"
    case .alarm: return "\u{1b}[33m\(text)\u{1b}[0m"
    case .bar:
      let space = String(repeating: " ", count: max(0, columns - TerminalText.width(text)))
      return "\u{1b}[7m\(text)\(space)\u{1b}[0m"
    }
  }

  private func bar(_ stepper: Stepper) -> String {
    let (events, stops) = stepper.count
    let time = stepper.moment.wall.map { "  " + "\($0)".replacing("T", with: " ").prefix(23) + "Z" } ?? ""
    let scope = stops < events ? "  stop \(stepper.stop + 1) of \(stops)" : ""
    return TerminalText.escaped("#\(stepper.view.number) of \(events)\(scope)\(time)  \(log)")
  }

  private func foot(_ stepper: Stepper, isCut: Bool) -> Line {
    switch stepper.mode {
    case .going(let text): ("go to #NUMBER, TIME or task:SESSION/NUMBER.EVENT: \(TerminalText.escaped(text))", .title)
    case .searching(let text): ("search for an event or a task: \(TerminalText.escaped(text))", .title)
    case .help: ("press any key to return", .faint)
    case .browsing:
      if stepper.message.isEmpty {
        ((isCut ? "↑↓ scroll  " : "") + "n forward  p back  N P same task  f finding  g go to  / search  ? help  q quit", .faint)
      } else {
        (TerminalText.escaped(stepper.message), .alarm)
      }
    }
  }

  private func body(_ stepper: Stepper) -> [Line] {
    let text = StateText(now: stepper.moment)
    let view = stepper.view
    var lines: [Line] = []
    if let event = view.event {
      var messages = MessageTexts()
      let about = event.task?.label ?? event.session
      let head = [about, event.layout.name, messages.text(of: event)].compactMap(\.self).joined(separator: "  ")
      lines.append((TerminalText.escaped(head), .title))
      let writer = event.source.writer
      let by = [writer.role?.name, writer.executable, writer.pid.map { "pid \($0)" }].compactMap(\.self).joined(separator: ", ")
      lines.append((TerminalText.escaped("\(event.reference) in \(event.source.name), by \(by), \(event.level.name)"), .faint))
    } else if let gap = view.gap {
      lines.append((TerminalText.escaped("── \(gap.text) ──"), .alarm))
    } else {
      lines.append(("before the first event", .title))
    }
    for finding in stepper.findingsHere {
      lines.append(
        (TerminalText.escaped("▶ \(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue))"), .alarm))
      lines.append((TerminalText.escaped("  \(finding.summary)"), .plain))
    }
    lines.append(("", .plain))
    if view.event != nil || view.gap != nil {
      lines.append((view.changes.isEmpty ? "nothing changed" : "changed", .title))
      lines += text.lines(view.changes).map { ("  " + $0, .plain) }
      lines.append(("", .plain))
    }
    if let subject = view.subject {
      lines.append(("now", .title))
      lines += text.inspector(subject).map { ("  " + $0, .plain) }
    }
    return lines
  }

  private static let help = [
    "n  →  space    next event", "p  ←           previous event",
    "N  P           next, previous event of the same task",
    "f  F           next, previous finding", "g              go to #NUMBER, TIME or task:SESSION/NUMBER.EVENT",
    "/              search for an event's name or a task (/ Enter repeats)", "0  G           beginning, end",
    "↑  ↓           scroll", "?              help", "q              quit",
  ]
}
