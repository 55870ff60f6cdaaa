import XferPredicate
package import XferQuery

/// The rows of a query as lines that the user's template describes. Its fields are the columns.
package struct TemplateRows: QueryDocument {
  private let template: LineTemplate
  private var values: TemplateValues

  package init(_ template: LineTemplate, _ style: EventTextStyle) {
    self.template = template
    values = TemplateValues(style)
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ row: [ResultValue], to text: inout TextBuffer) {
    values.append(template, to: &text) { field in
      if case .column(let place) = field.source, place < row.count { row[place] } else { .null }
    }
  }
}
