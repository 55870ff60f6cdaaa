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

/// Advice for a word that should name a command.
enum MistypedCommand {
  /// Returns the commands that a mistyped first word may mean, as a question; `nil` if none is similar.
  static func suggestion(for word: String) -> String? {
    if word == "ship" { return "To send logs to a server, write `xfer ship`." }
    let commands = XferlogCommand.configuration.subcommands
    let nested = commands.filter { names($0).contains(word) }.map { "\($0._commandName) \(word)" }
    let near = nested.isEmpty ? NearNames.of(word, among: names(XferlogCommand.self)) : nested
    return near.isEmpty ? nil : "Did you mean " + near.map { "`xferlog \($0)`" }.joined(separator: " or ") + "?"
  }

  /// Throws if the arguments name no command where one is expected. The parser has rejected them already, but its message is about
  /// an option or a value.
  static func check(_ arguments: [String]) throws {
    guard let first = arguments.first, isWord(first) else { return }
    let commands = XferlogCommand.configuration.subcommands
    guard let command = commands.first(where: { $0._commandName == first }) else {
      // Any other first word may be a log.
      guard first != "help", access(first, F_OK) != 0, let suggestion = suggestion(for: first) else { return }
      throw CommandExit(.wrongUsage, "'\(first)' is not a command. \(suggestion)")
    }
    let known = names(command)
    guard !known.isEmpty, arguments.count > 1, isWord(arguments[1]), arguments[1] != "help", !known.contains(arguments[1]) else {
      return
    }
    let near = NearNames.of(arguments[1], among: known)
    let advice =
      near.isEmpty
      ? "The commands are \(known.joined(separator: ", "))."
      : "Did you mean " + near.map { "`xferlog \(first) \($0)`" }.joined(separator: " or ") + "?"
    throw CommandExit(.wrongUsage, "'\(arguments[1])' is not a command of xferlog \(first). \(advice)")
  }

  /// Throws if help is asked for a word that is not a command. The parser would print the help of the whole program.
  static func checkHelp(_ arguments: [String]) throws {
    guard arguments.first == "help", arguments.count > 1, !arguments[1].hasPrefix("-"),
      !names(XferlogCommand.self).contains(arguments[1]), arguments[1] != "help"
    else { return }
    let advice = suggestion(for: arguments[1]) ?? "`xferlog --help` lists the commands."
    throw CommandExit(.wrongUsage, "'\(arguments[1])' is not a command. \(advice)")
  }

  private static func names(_ command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.map { $0._commandName }
  }

  private static func isWord(_ text: String) -> Bool {
    text.first?.isLetter ?? false && text.allSatisfy { $0.isLetter || $0 == "-" }
  }
}
