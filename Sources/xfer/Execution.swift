import ArgumentParser
import Foundation

/// Runs a command line and converts its outcome into messages and an exit code.
enum Execution {
  /// The exit code for an invalid command line, same as curl's.
  static let wrongUsage: Int32 = 2

  @MainActor static func run(_ arguments: [String]) async -> Int32 {
    do {
      var command = try XferCommand.parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      return 0
    } catch let exit as CommandExit {
      if let reason = exit.reason { Remarks.say(reason) }
      return exit.code
    } catch {
      return report(error)
    }
  }

  private static func report(_ error: any Error) -> Int32 {
    let message = XferCommand.fullMessage(for: error)
    // Help, the version and completion scripts are results, so they go to standard output.
    if XferCommand.exitCode(for: error) == .success {
      print(message)
      return 0
    }
    Remarks.say(message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message)
    return wrongUsage
  }
}

/// An exit of the command with a nonzero code.
struct CommandExit: Error, Equatable {
  /// The exit code, same as curl's where curl has one.
  let code: Int32
  /// The message to print. `nil` when the failure was already reported.
  let reason: String?

  init(_ code: Int32, _ reason: String? = nil) {
    self.code = code
    self.reason = reason
  }
}
