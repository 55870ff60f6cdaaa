import ArgumentParser
import XferReport

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Print the vocabulary: every event and its fields.")

  @Flag(help: "As a JSON Schema of what -o ndjson writes, instead of a document.")
  var jsonSchema = false

  func run() throws {
    let output = StandardOutput()
    output.buffer.append(jsonSchema ? EventSchema.document() : VocabularyDocument.markdown())
    try output.flush()
  }
}
