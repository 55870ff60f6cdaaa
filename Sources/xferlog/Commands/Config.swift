import ArgumentParser

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show and change a log's configuration.",
    discussion: "Example: xferlog config level com.example:transfer=debug",
    subcommands: [ConfigLevel.self])
}
