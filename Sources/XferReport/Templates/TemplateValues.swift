import XferEvents
import XferPredicate
import XferQuery

/// Writes the lines of a template with the values of its fields.
struct TemplateValues {
  /// The time of an event, which may be relative to that of another event.
  private var time: EventTimeText
  private var otherTime: EventTimeText

  init(_ style: EventTextStyle) {
    time = EventTimeText(style)
    var absolute = style
    absolute.time = .absolute
    otherTime = EventTimeText(absolute)
  }

  /// - Parameter value: returns the value of a field.
  mutating func append(_ template: LineTemplate, to text: inout TextBuffer, _ value: (QueryField) -> ResultValue) {
    for piece in template.pieces {
      switch piece {
      case .text(let literal): text.append(literal)
      case .field(let field, let isRaw): append(value(field), field, isRaw: isRaw, to: &text)
      }
    }
    text.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ value: ResultValue, _ field: QueryField, isRaw: Bool, to text: inout TextBuffer) {
    switch (value, field.type) {
    case (.null, _): text.append(UInt8(ascii: "-"))
    case (.number(let number), .time) where !isRaw:
      let start = text.count
      let wall = WallTime(nanoseconds: number)
      if field.source == .property(.time) {
        time.append(wall, digits: 3, withDate: true, to: &text)
      } else {
        otherTime.append(wall, digits: 3, withDate: true, to: &text)
      }
      text.trimSpaces(from: start)
    default: text.append(TerminalText.escaped(isRaw ? value.cell(field.type) : value.shown(field.type, zone: nil)))
    }
  }
}
