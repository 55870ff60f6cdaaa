import ArgumentParser
import Foundation
import XferEvents

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
      if let first = arguments.first, let advice = advice(first), XferCommand.exitCode(for: error) != .success {
        Remarks.say("'\(first)' is not a command. \(advice)")
        return wrongUsage
      }
      return report(error)
    }
  }

  /// Returns the commands that a mistyped word may mean, as a question; `nil` if the word is a command or similar to none.
  private static func advice(_ word: String) -> String? {
    let names = XferCommand.configuration.subcommands.map { $0._commandName }
    guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
    let near = NearNames.of(word, among: names)
    return near.isEmpty
      ? "The commands are \(names.joined(separator: ", "))."
      : "Did you mean " + near.map { "`xfer \($0)`" }.joined(separator: " or ") + "?"
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
  /// Whether the same command may succeed later.
  let isTemporary: Bool

  init(_ code: Int32, _ reason: String? = nil, isTemporary: Bool = false) {
    (self.code, self.reason, self.isTemporary) = (code, reason, isTemporary)
  }
}
