import ArgumentParser
import XferEvents
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Emit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emit",
    abstract: "Write messages to a log, from the command line or from standard input.",
    usage: "xferlog emit [<options>] <message> ...\n… | xferlog emit [<options>] [-]",
    discussion: """
      Each line is stored before the next one is read. Messages are stored unmasked unless --private is given.

      With --input ndjson, each line is a JSON object. A message is {"message": "…"}; its optional members level, subsystem, \
      category and private override the options. An app event is {"event": "app.noted", "fields": {"message": "…"}}; \
      app.intentDeclared and app.outcomeRecorded are also possible.

      Example: xferlog emit --level error --task img/7 'disk full'
      """)

  enum Input: String, ArgumentChoice { case text, ndjson }

  @Argument(
    help: ArgumentHelp("The message. If it is omitted or -, each line of standard input is one message.", valueName: "message"))
  var message: [String] = []

  @OptionGroup
  var place: LogPlace

  @Option(help: ArgumentHelp("The subsystem of the messages.", valueName: "name"))
  var subsystem = "shell"

  @Option(help: ArgumentHelp("The category within the subsystem.", valueName: "name"))
  var category = "default"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The level of the messages (debug, info, default, error or fault).", valueName: "level"),
    completion: .levels)
  var level = "default"

  @Option(
    name: .shortAndLong, help: "The task that the messages are about (NUMBER, SESSION/NUMBER, or task UUID or its beginning).",
    completion: .task)
  var task: String?

  @Option(
    name: .customLong("field"), help: ArgumentHelp("Append a named value to each message (repeatable).", valueName: "name=value"))
  var fields: [String] = []

  @Flag(name: .customLong("private"), help: "Treat messages, values and intents as private, and store them as --capture says.")
  var isPrivate = false

  @Option(
    help: ArgumentHelp(
      """
      How to store private values (hashed: as keyed hashes, equal for equal texts; redacted: not at all; full: unmasked, even \
      passwords).
      """, valueName: "mode"))
  var capture = CaptureChoice.hashed

  @Option(help: "Format of standard input.")
  var input: Input = .text

  @Flag(help: "Print each event's reference (SEGMENT/LANE/POSITION) as soon as the event would survive SIGKILL.")
  var ack = false

  func run() throws {
    guard let level = Level(name: level) else {
      throw CommandExit(.wrongUsage, "'\(level)' is not a level; levels are debug, info, default, error, fault")
    }
    let defaults = EmissionDefaults(
      subsystem: subsystem, category: category, level: level, isPrivate: isPrivate, values: try fields.map(Self.value))
    let readsLines = message.isEmpty || message == ["-"]
    if message.isEmpty, isatty(STDIN_FILENO) == 1 {
      throw CommandExit(.wrongUsage, "there is no message; give one as an argument, or lines on standard input")
    }
    Interruption.handle(SIGTERM)
    let environment = Surroundings.current().environment
    let log = try EmissionLog(
      directory: place.directory(environment), environment: environment, capture: capture.mode, isPrivate: isPrivate,
      isSmall: !readsLines,
      task: task, acknowledges: ack)
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
        if line.isCut {
          StandardError.remark("line \(line.number) has \(line.length) bytes and was truncated to \(InputLines.limit)")
        }
        // Invalid UTF-8 becomes U+FFFD.
        try log.write(defaults.emission(String(decoding: line.bytes, as: UTF8.self)), line: line.number)
      case .ndjson:
        if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        if line.isCut {
          throw log.refuse("the line has \(line.length) bytes, more than the limit of \(InputLines.limit).", line: line.number)
        }
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
      throw CommandExit(.wrongUsage, "'\(text)' is not a field; write --field NAME=VALUE")
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}
