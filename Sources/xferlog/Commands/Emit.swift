import ArgumentParser
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Emit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write to a log: a message from the command line, or one for each line of standard input.",
    usage: "xferlog emit [<options>] <message> ...\n… | xferlog emit [<options>] [-]",
    discussion: """
      Every line is in the log before the next one is read. Its text is public unless --private hashes it. With --input \
      ndjson a line is {"message": "…"}, with level, subsystem, category and private where they differ from the options, \
      or an event of the app's own, as {"event": "app.noted", "fields": {"message": "…"}}: also app.intentDeclared and \
      app.outcomeRecorded.
      """)

  enum Input: String, ExpressibleByArgument, CaseIterable { case text, ndjson }

  @Argument(
    help: ArgumentHelp("The message; - for lines of standard input, which also are read without one.", valueName: "message"))
  var message: [String] = []

  @OptionGroup
  var place: LogPlace

  @Option(help: ArgumentHelp("Who speaks.", valueName: "name"))
  var subsystem = "shell"

  @Option(help: ArgumentHelp("A part of the subsystem.", valueName: "name"))
  var category = "default"

  @Option(name: .shortAndLong, help: ArgumentHelp("debug, info, default, error or fault.", valueName: "level"))
  var level = "default"

  @Option(name: .shortAndLong, help: "The task of the log that it is about: NUMBER, SESSION/NUMBER, a uid or its beginning.")
  var task: String?

  @Option(
    name: .customLong("field"), help: ArgumentHelp("A named value behind the message. Repeatable.", valueName: "name=value"))
  var fields: [String] = []

  @Flag(name: .customLong("private"), help: "Keep of texts only a keyed hash, which still joins.")
  var isPrivate = false

  @Option(
    help: ArgumentHelp(
      "What the log keeps of private values: hashed, redacted, or full: everything, passwords too.", valueName: "mode"))
  var capture = CaptureChoice.hashed

  @Option(help: "What a line of standard input is: text or ndjson.")
  var input: Input = .text

  @Flag(help: "Print where each event stands, SEGMENT/LANE/POSITION, once it would survive a kill.")
  var ack = false

  func run() throws {
    guard let level = Level(name: level) else {
      throw CommandExit(.wrongUsage, "'\(level)' is not a level; levels are debug, info, default, error, fault")
    }
    let defaults = EmissionDefaults(
      subsystem: subsystem, category: category, level: level, isPrivate: isPrivate, values: try fields.map(Self.value))
    let readsLines = message.isEmpty || message == ["-"]
    if message.isEmpty, isatty(STDIN_FILENO) == 1 {
      throw CommandExit(.wrongUsage, "there is nothing to write; give a message, or lines on standard input")
    }
    Interruption.minds(SIGTERM)
    let environment = Surroundings.current().environment
    let log = try EmissionLog(
      directory: place.directory(environment), environment: environment, capture: capture.mode, isPrivate: isPrivate, task: task,
      acknowledges: ack)
    do {
      if readsLines {
        try writeLines(to: log, defaults)
      } else {
        try log.write(defaults.emission(message.joined(separator: " ")), line: nil)
      }
      try log.conclude()
    } catch let error as Interrupted {
      log.close(.signal, code: ExitStatus.interrupted.code)
      Interruption.endAsSignalled()
      throw error
    } catch {
      log.close(.returned, code: error is OutputClosed ? 0 : ExitStatus.failed.code)
      throw error
    }
    log.close(.returned, code: 0)
  }

  private func writeLines(to log: EmissionLog, _ defaults: EmissionDefaults) throws {
    var lines = InputLines()
    let reader = EmissionJSON(defaults: defaults)
    while let line = try lines.next() {
      switch input {
      case .text:
        if line.isCut { StandardError.remark("line \(line.number) has \(line.length) bytes and is cut") }
        // Invalid UTF-8 becomes U+FFFD.
        try log.write(defaults.emission(String(decoding: line.bytes, as: UTF8.self)), line: line.number)
      case .ndjson:
        if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        if line.isCut { throw log.refuse("it has \(line.length) bytes, more than \(InputLines.limit).", line: line.number) }
        let emission: Emission
        do throws(EmissionJSON.Problem) {
          emission = try reader.emission(line.bytes)
        } catch {
          throw log.refuse(
            error.text.hasSuffix("?") || error.text.hasSuffix(".") ? error.text : error.text + ".", line: line.number)
        }
        try log.write(emission, line: line.number)
      }
    }
  }

  private static func value(_ text: String) throws -> (name: String, value: String) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw CommandExit(.wrongUsage, "'\(text)' is no field; write --field NAME=VALUE")
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}
