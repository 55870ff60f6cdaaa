package import XferEvents

/// The texts of an event that people read.
package enum EventTexts {
  /// Returns the name of the event's subject: its task, its session, or the process that wrote it.
  package static func subject(of event: EventView) -> String {
    if let task = event.task { return task.label }
    return event.session ?? writer(of: event)
  }

  /// Returns the name of the process that wrote the event, such as `app:4001`.
  package static func writer(of event: EventView) -> String {
    let writer = event.source.writer
    let role = writer.role?.name ?? "process"
    return writer.pid.map { "\(role):\($0)" } ?? role
  }

  /// Returns the message of the event with readable values. Control characters are not escaped.
  package static func message(of event: EventView) -> String {
    let layout = event.layout
    let number = Int(layout.number)
    let isKnown = number < templates.count && EventLayout.known[number].map { $0 === layout } ?? false
    return message(of: event, isKnown ? templates[number] ?? MessageTemplate(layout.message) : MessageTemplate(layout.message))
  }

  static func message(of event: EventView, _ template: MessageTemplate) -> String {
    template.text { name in
      let text = event.value(named: name)?.text
      return name == "host" ? text.map { HostText.text($0, port: event.port, scheme: event.scheme) } : text
    }
  }

  /// The templates of the events that this reader knows, by number.
  private static let templates: [MessageTemplate?] = EventLayout.known.map { $0.map { MessageTemplate($0.message) } }
}
