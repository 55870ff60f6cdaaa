import ArgumentParser
import Foundation

/// Runs a command line and turns what comes of it into remarks and an exit code.
enum Execution {
  /// What curl ends with when it does not understand its command line.
  static let wrongUsage: Int32 = 2

  static func run(_ arguments: [String]) async -> Int32 {
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
    // Help, the version and completion scripts are results.
    if XferCommand.exitCode(for: error) == .success {
      print(message)
      return 0
    }
    Remarks.say(message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message)
    return wrongUsage
  }
}

/// How a command ends other than well.
struct CommandExit: Error, Equatable {
  /// curl's.
  let code: Int32
  /// `nil` when all was said already.
  let reason: String?

  init(_ code: Int32, _ reason: String? = nil) {
    self.code = code
    self.reason = reason
  }
}
