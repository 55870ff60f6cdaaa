package import XferEvents
package import XferPredicate
import XferQuery

/// Events as lines that the user's template describes. A field that an event lacks is `-`.
package struct TemplateLines: EventDocument {
  private let template: LineTemplate
  private let subjects: (any SubjectValues)?
  private var values: TemplateValues

  /// - Parameter subjects: the values of subjects' fields; `nil` if the template names none that need a replay.
  package init(_ template: LineTemplate, _ style: EventTextStyle, _ subjects: (any SubjectValues)? = nil) {
    (self.template, self.subjects) = (template, subjects)
    values = TemplateValues(style)
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    values.append(template, to: &text) { [subjects] in ResultValue($0.reading(of: event.view, subjects)) }
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    values.append(template, to: &text) { field in
      switch field.source {
      case .property(.time): ResultValue(FieldReading((gap.after ?? gap.before)?.wall))
      case .property(.event): .text("gap")
      case .property(.message): .text(gap.text)
      case .property(.file): .text(gap.name)
      default: .null
      }
    }
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    let task = inset.tasks.first
    values.append(template, to: &text) { field in
      switch field.source {
      case .property(.time): ResultValue(FieldReading(inset.wall))
      case .property(.event): .text("finding")
      case .property(.message): .text("\(EventInset.mark)\(inset.title)  \(inset.text)")
      case .property(.level): .number(Int64(inset.level.rawValue))
      case .property(.task), .subject(SubjectField(.task, "name")): ResultValue(FieldReading(task?.label))
      case .property(.session): ResultValue(FieldReading(task?.session ?? inset.session))
      case .property(.taskUID): ResultValue(FieldReading(task.map { "\($0.uid)" }))
      case .property(.taskNumber): ResultValue(FieldReading(task?.number))
      case .subject(SubjectField(.finding, "rule")): .text(inset.title)
      default: .null
      }
    }
  }
}
