import ArgumentParser
import XferEvents
import XferLogStore
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
    do {
      var command = try parse(arguments)
      try command.run()
      return .analysed
    } catch {
      return report(error)
    }
  }

  /// Returns the command of a command line.
  ///
  /// The parser of the root command examines all subcommands, which takes longer than the replay of a small log. A named subcommand
  /// therefore parses its arguments itself. If it cannot, the root command parses them again, for its help and its errors.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = StopOptions.completed(arguments)
    if let name = arguments.first,
      let named = XferlogCommand.configuration.subcommands.first(where: { $0._commandName == name }),
      let command = try? named.parseAsRoot(Array(arguments.dropFirst()))
    {
      return command
    }
    return try XferlogCommand.parseAsRoot(arguments)
  }

  static func end(_ status: ExitStatus) -> Never { exit(status.code) }

  private static func report(_ error: any Error) -> ExitStatus {
    switch error {
    case is OutputClosed: return .analysed
    case let exit as CommandExit: return say(exit.status, exit.reason)
    case let error as LogError: return say(.failed, error.description)
    case let error as SourceError: return say(error.code == .unreadable ? .failed : .wrongUsage, error.description)
    case is Interrupted: return .interrupted
    default: break
    }
    let message = XferlogCommand.fullMessage(for: error)
    if XferlogCommand.exitCode(for: error) == .success {
      // Help, the version and completion scripts are results, so they go to standard output.
      do {
        let output = StandardOutput()
        output.buffer.append(message)
        output.buffer.append(UInt8(ascii: "\n"))
        try output.flush()
        return .analysed
      } catch { return report(error) }
    }
    return say(.wrongUsage, message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message)
  }

  private static func say(_ status: ExitStatus, _ reason: String) -> ExitStatus {
    StandardError.remark("exit \(status.code) (\(status.word)): \(reason)")
    return status
  }
}
