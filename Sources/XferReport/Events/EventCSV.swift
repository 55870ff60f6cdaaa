package import XferEvents
import XferPredicate

/// Events as CSV: one row for each event, gap or finding. Control characters are escaped, and no cell becomes a formula.
package struct EventCSV: EventDocument {
  private var messages = MessageTexts()
  private let cells = CSVText()

  package init() {}

  private static let header = [
    "time", "mono", "level", "event", "session", "number", "uid", "role", "pid", "message", "place",
  ]

  package mutating func begin(in text: inout TextBuffer) { cells.append(Self.header, to: &text) }
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let (task, writer) = (event.task, event.source.writer)
    cells.append(
      [
        Self.cell(event.wall), Self.cell(event.monotonic), event.level.name, event.layout.name,
        task?.session ?? event.session ?? "", Self.cell(task?.number), Self.cell(task?.uid), writer.role?.name ?? "",
        Self.cell(writer.pid), messages.text(of: event), "\(event.reference)",
      ], to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    let moment = gap.after ?? gap.before
    cells.append(
      [Self.cell(moment?.wall), Self.cell(moment?.monotonic), "", "gap", "", "", "", "", "", gap.text, ""], to: &text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    let task = inset.tasks.first
    cells.append(
      [
        Self.cell(inset.wall), "", inset.level.name, "finding", task?.session ?? inset.session ?? "", Self.cell(task?.number),
        Self.cell(task?.uid), "", "", "\(inset.title): \(inset.text)", "",
      ], to: &text)
  }

  private static func cell(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }
}
