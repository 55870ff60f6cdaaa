import ArgumentParser

@main
struct XferlogDev: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xferlog-dev",
    abstract: "Makes the generated parts of the project and checks them.",
    subcommands: [Generate.self])
}
