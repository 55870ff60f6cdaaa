import ArgumentParser
import XferReading
import XferReport

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the event vocabulary: every event and its fields.",
    discussion: """
      With --document, prints the JSON Schema (draft 2020-12) of a document that another command prints with -o json, or of a \
      finding within a document.

      Examples:
        xferlog schema task.created 'file.*'
        xferlog schema --document replay > replay.schema.json
      """)

  @Argument(help: "Events to print (names such as task.created or created, or globs; default: all events).", completion: .event)
  var event: [String] = []

  @Flag(help: "Print the JSON Schema of one line of 'xferlog show -o ndjson'.")
  var jsonSchema = false

  @Option(help: ArgumentHelp("Print the JSON Schema of a document that -o json prints.", valueName: "name"))
  var document: DocumentCatalogue?

  @OptionGroup
  var paging: PagingOptions

  func run() throws {
    if jsonSchema, document != nil {
      throw CommandExit(.wrongUsage, "--json-schema and --document cannot be combined; give one of them")
    }
    if !event.isEmpty, jsonSchema || document != nil {
      throw CommandExit(.wrongUsage, "names of events cannot be combined with --json-schema or --document")
    }
    let output = StandardOutput()
    output.buffer.append(try text())
    try output.flush()
  }

  private func text() throws -> String {
    if let document { return document.schema() }
    if jsonSchema { return EventSchema.document() }
    if event.isEmpty { return VocabularyDocument.markdown() }
    return VocabularyDocument.markdown(of: try event.flatMap(EventNames.matching))
  }
}

extension DocumentCatalogue: ExpressibleByArgument {}
