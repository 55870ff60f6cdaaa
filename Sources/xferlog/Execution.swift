import ArgumentParser
import XferEvents
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs a command line and reports an error as a text on standard error and an exit code.
enum Execution {
  static func run(_ arguments: [String]) -> ExitStatus {
    var arguments = arguments
    var paging: PagingChoice?
    // As for git, the option may also stand before the command.
    if arguments.first == "--no-pager" {
      paging = .never
      arguments.removeFirst()
    }
    // Before the parser, which examines all commands first.
    if arguments == ["--version"] { return write(LogConfiguration.libraryVersion) }
    // A message in the midst of a line that a shell completes would be a riddle.
    if arguments.first == "---completion" { silence() }
    var pager: Pager?
    let status: ExitStatus
    do {
      var command = try parse(arguments)
      let surroundings = try surroundings(of: command)
      pager = self.pager(of: command, paging, surroundings)
      if let command = command as? any ReadingCommand { try command.run(surroundings) } else { try command.run() }
      status = .analysed
    } catch {
      status = report(error, arguments, paging)
    }
    pager?.finish()
    return status
  }

  /// Returns a pager for help, which may be longer than the terminal. A fault in a configuration file must not prevent help.
  private static func helpPager(_ choice: PagingChoice?, _ surroundings: Surroundings) -> Pager? {
    guard surroundings.terminal != nil else { return nil }
    let settings = (try? Settings(config: nil, environment: surroundings.environment)) ?? Settings()
    let choice = choice ?? settings.paging
    return choice == .never ? nil : Pager(settings, choice: choice, environment: surroundings.environment)
  }

  /// Returns the environment with the settings of a command. A command without settings is not affected by faults in configuration
  /// files.
  private static func surroundings(of command: any ParsableCommand) throws -> Surroundings {
    var surroundings = Surroundings.current()
    let reading = command as? any ReadingCommand
    guard reading != nil || command is any PagedCommand else { return surroundings }
    let rules = reading?.ruleOptions ?? (command as? any ConfiguredCommand)?.rules
    surroundings.settings = try Settings(config: rules?.config, environment: surroundings.environment)
    reading?.zoneOptions?.apply(to: &surroundings.settings)
    surroundings.adoptZone()
    return surroundings
  }

  private static func pager(
    of command: any ParsableCommand, _ choice: PagingChoice?, _ surroundings: Surroundings
  ) -> Pager? {
    guard surroundings.terminal != nil, let command = command as? any PagedCommand, command.canBePaged else { return nil }
    let choice = choice ?? command.paging.choice ?? surroundings.settings.paging
    if choice == .never { return nil }
    return Pager(surroundings.settings, choice: choice, environment: surroundings.environment)
  }

  private static func silence() {
    let null = open("/dev/null", O_WRONLY)
    if null >= 0 { dup2(null, STDERR_FILENO) }
  }

  /// Returns the command of a command line.
  ///
  /// The parser of the root command examines all subcommands, which takes longer than the replay of a small log. A named subcommand
  /// therefore parses its arguments itself. If it cannot, or is asked for its help, the root command parses them again, for the full
  /// name in help and errors. The common commands have a `_superCommandName`, because the parser otherwise looks for a request of a
  /// completion script in their arguments first.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = StopOptions.completed(arguments)
    if let name = arguments.first, !arguments.contains(where: { $0 == "--help" || $0 == "-h" }),
      let named = XferlogCommand.configuration.subcommands.first(where: { $0._commandName == name }),
      let command = try? named.parseAsRoot(Array(arguments.dropFirst()))
    {
      return command
    }
    try MistypedCommand.checkHelp(arguments)
    do {
      let command = try XferlogCommand.parseAsRoot(arguments)
      // The parser takes a mistyped command for a log of the default command.
      if command is Show, arguments.count > 1 { try MistypedCommand.check(arguments) }
      return command
    } catch {
      if XferlogCommand.exitCode(for: error) != .success { try MistypedCommand.check(arguments) }
      throw error
    }
  }

  static func end(_ status: ExitStatus) -> Never { exit(status.code) }

  private static func report(_ error: any Error, _ arguments: [String], _ paging: PagingChoice?) -> ExitStatus {
    switch error {
    case is OutputClosed: return .analysed
    case let exit as CommandExit: return say(exit.status, exit.reason)
    case let error as LogError: return say(.failed, error.message)
    case let error as SourceError: return say(error.code == .unreadable ? .failed : .wrongUsage, error.message)
    case is Interrupted: return .interrupted
    default: break
    }
    let surroundings = Surroundings.current()
    let columns = surroundings.environment["COLUMNS"].flatMap { Int($0) } ?? surroundings.terminal?.columns ?? 80
    let message = XferlogCommand.fullMessage(for: error, columns: columns)
    guard XferlogCommand.exitCode(for: error) == .success else {
      let quoted = quoting(arguments, in: message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message)
      return say(.wrongUsage, UserMessage(linesOf: quoted))
    }
    // Help, the version and completion scripts are results, so they go to standard output.
    guard message.hasPrefix("OVERVIEW") else { return write(message) }
    let isShort = arguments.contains("-h") && !arguments.contains("--help")
    let text = isShort ? ShortHelp(arguments).text(columns: columns) : message
    let pager = helpPager(paging, surroundings)
    defer { pager?.finish() }
    return write(text)
  }

  /// Returns a message of the parser in which no argument that it quotes breaks a line.
  private static func quoting(_ arguments: [String], in message: String) -> String {
    let values = arguments.flatMap { [$0] + $0.split(separator: "=", maxSplits: 1).dropFirst().map(String.init) }
    return values.filter { $0.contains("\n") }.reduce(message) { $0.replacing($1, with: TerminalText.escaped($1)) }
  }

  private static func write(_ text: String) -> ExitStatus {
    do {
      let output = StandardOutput()
      output.buffer.append(text)
      output.buffer.append(UInt8(ascii: "\n"))
      try output.flush()
      return .analysed
    } catch let exit as CommandExit {
      return say(exit.status, exit.reason)
    } catch {
      return error is Interrupted ? .interrupted : .analysed
    }
  }

  private static func say(_ status: ExitStatus, _ reason: UserMessage) -> ExitStatus {
    StandardError.remark("exit \(status.code) (\(status.word)): \(reason)")
    return status
  }
}
