import XferEvents
import XferImport
import XferReading
import XferReport

extension LogInputs {
  /// Returns the records of foreign inputs that no importer recognises. Apple's logs are listed, the others are counted.
  func unmatched() throws -> UnmatchedDocument {
    var figures: [UnmatchedDocument.Input] = []
    var kinds: [UnmatchedDocument.Kind] = []
    var count = 0
    for (place, input) in inputs.enumerated() {
      try Interruption.check()
      let format = format(of: input)
      guard format == AppleImporter().format else {
        figures.append(try counted(input, place, format))
        continue
      }
      guard let report = UnmatchedReport(ImportedInput(place: place, name: input.path, path: input.file, options: importOptions))
      else { throw CommandExit(.failed, "\(input.path) cannot be read") }
      count += report.unmatched
      figures.append(
        UnmatchedDocument.Input(
          path: input.path, format: format, lines: report.lines, records: report.records, recognised: report.recognised))
      kinds += report.kinds.map { kind in
        UnmatchedDocument.Kind(
          process: kind.process, subsystem: kind.subsystem, category: kind.category, text: kind.text, count: kind.count,
          input: place, line: kind.line)
      }
    }
    return UnmatchedDocument(
      inputs: figures, kinds: kinds.sorted { ($1.count, $0.input, $0.line) < ($0.count, $1.input, $1.line) }, count: count)
  }

  /// Reads an input to its end, because an importer knows its figures only then.
  private func counted(_ input: Input, _ place: Int, _ format: String) throws -> UnmatchedDocument.Input {
    guard case .foreign(let importer, let file) = input.location else {
      return UnmatchedDocument.Input(path: input.path, format: format, lines: 0, records: 0, recognised: 0)
    }
    let source = try importers[importer].open(
      [ImportedInput(place: place, name: input.path, path: file, options: importOptions)], firstIndex: 0)
    var members = 0
    while source.next() != nil {
      members += 1
      if members & 0xFFFF == 0 { try Interruption.check() }
    }
    let figures = source.figures.first
    return UnmatchedDocument.Input(
      path: input.path, format: format, lines: figures?.lines ?? 0, records: figures?.records ?? 0,
      recognised: figures?.recognised ?? 0)
  }
}
