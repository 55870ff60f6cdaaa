import ArgumentParser

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show and change how a log is written.", subcommands: [ConfigLevel.self])
}
