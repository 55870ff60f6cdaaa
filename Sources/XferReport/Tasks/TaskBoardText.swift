package import XferEvents
import XferLifecycle

/// The text of a board of tasks: a table for a terminal of any width, and lines for files.
package struct TaskBoardText {
  /// The width in columns; `nil` means unlimited.
  private let columns: Int?
  private let hasColor: Bool
  private var time: EventTimeText

  package init(_ style: EventTextStyle) {
    (columns, hasColor) = (style.columns, style.hasColor)
    time = EventTimeText(style)
  }

  private struct Cell {
    var text: String
    var width: Int
    var isRight = false
    /// The escape code that begins the color, and nothing else.
    var color: String?
  }

  // MARK: Tables

  /// Returns the lines of a table, without line feeds.
  ///
  /// - Parameters:
  ///   - rows: the number of lines of the screen; `nil` means unlimited.
  ///   - title: the name of the log.
  package func table(_ board: TaskBoard, at now: WallTime?, rows: Int? = nil, title: String? = nil) -> [String] {
    let all = board.lines(at: now)
    var lines: [String] = []
    if let title { lines.append(bar(summary(all) + "  " + title)) }
    lines.append(styled(text(header), "1"))
    let room = rows.map { max(0, $0 - lines.count) } ?? all.count
    if all.count <= room {
      lines += all.map { text(cells($0)) }
    } else {
      lines += all.prefix(max(0, room - 1)).map { text(cells($0)) }
      lines.append(styled(cut("and \(all.count - max(0, room - 1)) more"), "2"))
    }
    if title == nil { lines += columns.map { TerminalText.wrapped(summary(all), to: $0) } ?? [summary(all)] }
    return rows.map { Array(lines.prefix($0)) } ?? lines
  }

  /// Returns how many tasks there are in each state, and the rate of all of them.
  private func summary(_ lines: [TaskBoard.Line]) -> String {
    let rate = lines.reduce(Int64(0)) { $0.addingClamped($1.rate) }
    var counts: [(name: String, count: Int)] = []
    func note(_ name: String, _ isCounted: (TaskBoard.Line) -> Bool) {
      let count = lines.count(where: isCounted)
      if count > 0 { counts.append((name, count)) }
    }
    note("overdue") { $0.overdue != nil }
    note("with findings") { !$0.row.rules.isEmpty }
    note("running") { $0.row.state == .running && !$0.row.isOver }
    note("waiting") {
      switch $0.row.state {
      case .created, .queued, .held, .suspended: !$0.row.isOver
      default: false
      }
    }
    note("being delivered") {
      switch $0.row.state {
      case .transferred, .delivered, .failed, .cancelled: !$0.row.isOver
      default: false
      }
    }
    note("ended") { $0.row.isOver }
    let tasks = "\(lines.count.counted("task"))"
    let parts = counts.map { "\($0.count) \($0.name)" }
    return ([tasks] + parts + (rate > 0 ? ["\(ByteCount(rate))/s"] : [])).joined(separator: ", ")
  }

  private func bar(_ text: String) -> String {
    let text = cut(TerminalText.escaped(text))
    guard hasColor else { return text }
    let space = columns.map { String(repeating: " ", count: max(0, $0 - TerminalText.width(text))) } ?? ""
    return "\u{1b}[7m\(text)\(space)\u{1b}[0m"
  }

  private func cut(_ text: String) -> String { columns.map { TerminalText.cut(text, to: $0) } ?? text }

  private func styled(_ text: String, _ code: String) -> String { hasColor ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }

  // MARK: Rows

  private enum Layout { case narrow, medium, wide }

  private var layout: Layout {
    switch columns ?? .max {
    case ..<72: .narrow
    case ..<104: .medium
    default: .wide
    }
  }

  private var header: [Cell] { cells("TASK", "STATE", "BYTES", "%", "RATE", "LEFT", "SINCE", "REMARK") }

  private func cells(_ line: TaskBoard.Line, showsAge: Bool = true) -> [Cell] {
    let row = line.row
    var amount = row.moved > 0 || row.state == .running ? ByteCount(row.moved).description : ""
    if layout == .wide, let expected = row.expected, !amount.isEmpty { amount += " of \(ByteCount(expected))" }
    var state = row.state.rawValue
    // A narrow terminal has no column for the percentage.
    if layout == .narrow, row.state == .running, let percent = row.percent { state += " \(percent)%" }
    var cells = cells(
      row.task.label, state, amount, row.percent.map { "\($0)%" } ?? "",
      line.rate > 0 ? "\(ByteCount(line.rate))/s" : "", line.remaining?.short ?? "", showsAge ? line.age?.short ?? "" : "",
      remark(line))
    cells[0].color = "38;5;\(Palette.hue(row.task.uid.low))"
    if line.overdue != nil || !row.rules.isEmpty { cells[cells.count - 1].color = "\(Palette.alarm)" }
    return cells
  }

  private func remark(_ line: TaskBoard.Line) -> String {
    var parts: [String] = []
    if let overdue = line.overdue { parts.append("OVERDUE \(overdue.short)") }
    parts += line.row.rules.map { EventInset.mark + $0 }
    if !line.row.remark.isEmpty { parts.append(line.row.remark) }
    return parts.joined(separator: "  ")
  }

  private func cells(
    _ task: String, _ state: String, _ bytes: String, _ percent: String, _ rate: String, _ left: String, _ since: String,
    _ remark: String
  ) -> [Cell] {
    func leading(_ text: String, _ width: Int) -> Cell { Cell(text: text, width: width) }
    func trailing(_ text: String, _ width: Int) -> Cell { Cell(text: text, width: width, isRight: true) }
    return switch layout {
    case .narrow: [leading(task, 10), leading(state, 12), leading(remark, 0)]
    case .medium:
      [
        leading(task, 14), leading(state, 12), trailing(bytes, 10), trailing(percent, 4), trailing(rate, 12), trailing(left, 7),
        leading(remark, 0),
      ]
    case .wide:
      [
        leading(task, 18), leading(state, 12), trailing(bytes, 22), trailing(percent, 4), trailing(rate, 12), trailing(left, 8),
        trailing(since, 8),
        leading(remark, 0),
      ]
    }
  }

  /// Returns cells as a line. All but the last have a fixed width.
  private func text(_ cells: [Cell]) -> String {
    var line = ""
    var used = 0
    for (place, cell) in cells.enumerated() {
      let isLast = place == cells.count - 1
      var text = TerminalText.escaped(cell.text)
      if let columns {
        let room = isLast ? columns - used : min(cell.width, columns - used)
        text = place == 0 ? TerminalText.cutMiddle(text, to: max(0, room)) : TerminalText.cut(text, to: max(0, room))
      }
      let padding = isLast ? 0 : max(0, cell.width - TerminalText.width(text))
      let space = String(repeating: " ", count: padding)
      used += TerminalText.width(text) + padding + 1
      let shown = cell.color.map { text.isEmpty ? text : styled(text, $0) } ?? text
      line += (cell.isRight ? space + shown : shown + space) + (isLast ? "" : " ")
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  // MARK: Changes

  /// Returns a line about a task whose state has changed. The log alone determines it, not the time of reading.
  package mutating func change(_ row: TaskRow, on board: TaskBoard) -> String {
    // The state begins with this line, so its age says nothing.
    begin(at: board.last) + text(cells(board.line(row, at: board.last), showsAge: false))
  }

  /// Returns a line about a finding.
  package mutating func finding(_ inset: EventInset) -> String {
    let line = begin(at: inset.wall) + TerminalText.escaped("\(inset.subject)  \(EventInset.mark)\(inset.title)  \(inset.text)")
    return hasColor ? "\u{1b}[\(inset.color)m\(line)\u{1b}[0m" : line
  }

  private mutating func begin(at wall: WallTime?) -> String {
    var buffer = TextBuffer(capacity: 64)
    time.append(wall, digits: 3, withDate: true, to: &buffer)
    return buffer.string
  }
}
