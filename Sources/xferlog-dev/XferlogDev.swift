import ArgumentParser

@main
struct XferlogDev: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xferlog-dev",
    abstract: "Write the generated files of the project, or check that they are up to date.",
    subcommands: [Generate.self, Manual.self])
}
