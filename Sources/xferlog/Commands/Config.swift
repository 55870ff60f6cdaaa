import ArgumentParser

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the settings of xferlog, and change the log levels of programs.",
    usage: "xferlog config [<options>]\nxferlog config level [<options>] [<rule> ...]",
    discussion: """
      Settings come from ~/.config/xferlog/config.yaml, ./.xferlog.yaml, environment variables and options; the later takes \
      precedence. `xferlog help config show` lists them.

      Examples:

        xferlog config --show-origin
        xferlog config level com.example:transfer=debug
      """,
    subcommands: [ConfigShow.self, ConfigLevel.self],
    defaultSubcommand: ConfigShow.self)
}
