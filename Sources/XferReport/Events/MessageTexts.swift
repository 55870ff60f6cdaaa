package import XferEvents
import XferQuery

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
    template(of: event.layout).text { name in
      let text = event.value(named: name)?.text
      return name == "host" ? text.map { $0 + Self.port(of: event) } : text
    }
  }

  /// Returns the suffix of a host that names the port, such as `:8080`. Empty for the default port of the scheme.
  private static func port(of event: RecordedEvent) -> String {
    guard let port = event.port else { return "" }
    return HostText.suffix(port: port, scheme: event.scheme)
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
