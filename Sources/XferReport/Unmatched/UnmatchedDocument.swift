import XferEvents

/// The lines of foreign logs that no importer recognises.
package struct UnmatchedDocument: Sendable {
  /// A foreign log with the figures of its records.
  package struct Input: Sendable {
    package let path: String
    package let format: String
    package let lines: UInt64
    package let records: Int
    package let recognised: Int

    package init(path: String, format: String, lines: UInt64, records: Int, recognised: Int) {
      (self.path, self.format, self.lines, self.records, self.recognised) = (path, format, lines, records, recognised)
    }
  }

  /// Messages of known processes that differ only in their values.
  package struct Kind: Sendable {
    package let process: String?
    package let subsystem: String?
    package let category: String?
    package let text: String
    package let count: Int
    /// The index of the input with the first message.
    package let input: Int
    package let line: UInt64

    package init(
      process: String?, subsystem: String?, category: String?, text: String, count: Int, input: Int, line: UInt64
    ) {
      (self.process, self.subsystem, self.category, self.text) = (process, subsystem, category, text)
      (self.count, self.input, self.line) = (count, input, line)
    }
  }

  package let inputs: [Input]
  package let kinds: [Kind]
  /// The number of unrecognised messages of known processes.
  package let count: Int

  package init(inputs: [Input], kinds: [Kind], count: Int) { (self.inputs, self.kinds, self.count) = (inputs, kinds, count) }

  /// Whether the logs have no record at all.
  package var isEmpty: Bool { inputs.allSatisfy { $0.records == 0 } }

  /// The fields of the document `xferlog.unmatched/1`.
  static let object = DocumentObject<UnmatchedDocument>(
    "unmatched", "The records of foreign logs that were not recognised, without what identifies people and servers."
  ) { fields in
    fields.schema("xferlog.unmatched/1")
    fields.list("inputs", input, "The foreign logs.") { $0.inputs }
    fields.integer("count", "Number of unrecognised messages of processes that write about transfers.") { $0.count }
    fields.list("kinds", kind, "The unrecognised messages by their text without values, the most frequent first.") { $0.kinds }
  }

  private static let input = DocumentObject<Input>("unmatchedInput", "A foreign log.") { fields in
    fields.text("path", "Path of the log as given on the command line; `-` for standard input.") { $0.path }
    fields.text("format", "Format of the log.") { $0.format }
    fields.integer("lines", "Number of lines.") { $0.lines }
    fields.integer("records", "Number of records, after their lines were joined.") { $0.records }
    fields.integer("recognised", "Number of records whose meaning is known.") { $0.recognised }
  }

  private static let kind = DocumentObject<Kind>("unmatchedKind", "Messages that differ only in their values.") { fields in
    fields.optionalText("process", "Name of the system's process; `null` for an app, whose name is private.") { $0.process }
    fields.optionalText("subsystem", "Subsystem, if it is one of Apple's.") { $0.subsystem }
    fields.optionalText("category", "Category within the subsystem.") { $0.category }
    fields.text("text", "Message with `…` in the place of values.") { $0.text }
    fields.integer("count", "Number of such messages.") { $0.count }
    fields.integer("input", "Index of the input with the first message, counted from 0.") { $0.input }
    fields.integer("line", "Line of the first message, counted from 1.") { $0.line }
  }

  package func writeJSON(to json: inout JSONText) { Self.object.write(self, to: &json) }

  // MARK: Text

  package func write(to text: inout TextBuffer) {
    for input in inputs {
      text.append(
        TerminalText.escaped(
          "\(input.path) (\(input.format)): "
            + SourceFigures.text(lines: input.lines, records: input.records, recognised: input.recognised)))
      text.append(UInt8(ascii: "\n"))
    }
    let noun = count == 1 ? "message" : "messages"
    text.append("\(count) unrecognised \(noun) of processes that write about transfers\n")
    if kinds.isEmpty { return }
    var table = TextTable([("count", .right), ("process", .left), ("category", .left), ("message", .left)])
    for kind in kinds {
      let place = [kind.subsystem, kind.category].compactMap(\.self).joined(separator: ":")
      table.append(["\(kind.count)", kind.process ?? "an app", place.isEmpty ? "-" : place, kind.text])
    }
    text.append(UInt8(ascii: "\n"))
    table.flush(to: &text)
  }
}
