import ArgumentParser
import XferReport

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the vocabulary: every event and its fields.",
    discussion: """
      With --document, the JSON Schema (draft 2020-12) of one of the documents that -o json writes: replay, why, stats, state, \
      verify, events, rules, or the object of a finding.

      Example: xferlog schema --document replay > replay.schema.json
      """)

  @Flag(help: "Print a JSON Schema of the lines that -o ndjson writes.")
  var jsonSchema = false

  @Option(help: ArgumentHelp("Print the JSON Schema of a document.", valueName: "name"))
  var document: DocumentCatalogue?

  func run() throws {
    if jsonSchema, document != nil {
      throw CommandExit(.wrongUsage, "--json-schema and --document exclude each other; give one of them")
    }
    let output = StandardOutput()
    output.buffer.append(document?.schema() ?? (jsonSchema ? EventSchema.document() : VocabularyDocument.markdown()))
    try output.flush()
  }
}

extension DocumentCatalogue: ExpressibleByArgument {}
