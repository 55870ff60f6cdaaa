import XferEvents

/// The Swift source of shorthands for the examples of rules.
enum ExampleSources {
  static func file() -> GeneratedFile {
    GeneratedFile(
      path: "Sources/XferDiagnosis/Generated/ExampleEvents+Generated.swift",
      text: """
        // swift-format-ignore-file
        // Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

        import XferEvents

        // Citations of every event of a kind.
        extension Citation {
        \(Vocabulary.events.map(citation).joined(separator: "\n"))
        }

        // Initializers for events about the examples' task.
        \(Vocabulary.events.filter { $0.required.contains("task") }.map(initializer).joined(separator: "\n"))

        """)
  }

  private static func citation(_ event: EventDefinition) -> String {
    let name = TypedEventSources.caseName(event)
    return "  static var \(name): Citation { .every(.\(name)) }"
  }

  private static func initializer(_ event: EventDefinition) -> String {
    let fields = TypedEventSources.fields(of: event).filter { $0.name != "task" }
    let parameters = fields.map { TypedEventSources.parameter($0, of: event) }.joined(separator: ", ")
    let arguments = fields.map { ", \($0.name): \(TypedEventSources.escaped($0.name))" }.joined()
    return """
      extension \(TypedEventSources.typeName(event)) {
        init(\(parameters)) { self.init(task: .example\(arguments)) }
      }
      """
  }
}
