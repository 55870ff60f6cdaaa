import XferEvents

/// The writer of events in a converted log, as an `import.writerFound` stores it.
struct ConvertedWriter {
  /// The number of the writer in the log.
  let number: Int
  /// The number of the file that the writer wrote.
  let file: Int
  let context: WriterContext

  init(number: Int, file: Int, context: WriterContext) { (self.number, self.file, self.context) = (number, file, context) }

  /// - Returns: `nil` if the event does not number its writer and file.
  init?(_ event: EventView) {
    guard let number = event.importWriter, let file = event.importFile else { return nil }
    var context = WriterContext(
      launch: event.launch, boot: event.boot, pid: event.pid, role: event.role, executable: event.executable,
      captureMode: event.captureMode, lowestLevel: event.levels.flatMap { Level(name: $0) },
      installation: event.installation.flatMap { InstallationID(text: $0) })
    (context.version, context.osVersion) = (event.version, event.osVersion)
    if let log = event.coverage, case .plain(let words)? = event.coveredEvents {
      context.coverage = ImportCoverage(log: log, words: words)
    }
    self.init(number: number, file: file, context: context)
  }

  var event: ImportWriterFound {
    ImportWriterFound(
      importWriter: number, importFile: file, launch: context.launch, boot: context.boot,
      installation: context.installation?.text, pid: context.pid, role: context.role, executable: context.executable,
      version: context.version, osVersion: context.osVersion, captureMode: context.captureMode,
      levels: context.lowestLevel?.name, coverage: context.coverage?.log, coveredEvents: context.coverage?.words)
  }
}
