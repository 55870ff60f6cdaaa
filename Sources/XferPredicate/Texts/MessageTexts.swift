package import XferEvents

/// The messages of events. Each template is parsed once per layout.
package struct MessageTexts: Sendable {
  private var templates: [Entry?] = []

  private struct Entry: Sendable {
    let layout: EventLayout
    let template: MessageTemplate
  }

  package init() {}

  /// Returns the message of an event with readable values. Control characters are not escaped.
  package mutating func text(of event: RecordedEvent) -> String {
    EventTexts.message(of: event.view, template(of: event.layout))
  }

  private mutating func template(of layout: EventLayout) -> MessageTemplate {
    let number = Int(layout.number)
    while templates.count <= number { templates.append(nil) }
    if let entry = templates[number], entry.layout === layout { return entry.template }
    let template = MessageTemplate(layout.message)
    templates[number] = Entry(layout: layout, template: template)
    return template
  }
}
