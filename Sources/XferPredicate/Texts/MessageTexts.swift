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

  /// Returns the fields of the event that neither its message nor its subject mentions, in the order in which people read them.
  package mutating func others(of event: RecordedEvent) -> [(name: String, value: RecordedValue)] {
    let template = template(of: event.layout)
    let names = template.names
    return event.values.filter { name, _ in
      // The message contains the port after the host.
      !names.contains(name) && name != "task" && name != "session" && !(name == "port" && names.contains("host"))
    }
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
