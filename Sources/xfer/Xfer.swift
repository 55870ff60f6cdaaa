import ArgumentParser
import Foundation

@main
enum Xfer {
  // A scripted app runs on the main thread, as apps do.
  @MainActor static func main() async {
    // When the reader closes the pipe, write must fail instead of raising a signal.
    signal(SIGPIPE, SIG_IGN)
    // libcurl converts internationalised host names by the locale's encoding, and command-line arguments are UTF-8.
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "") }
    let words = CommandLine.arguments
    SecretArguments.hide(words)
    exit(await Execution.run(Array(words.dropFirst())))
  }
}

struct XferCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xfer",
    abstract: "Transfer files and record every step in a log for xferlog.",
    discussion: """
      Every step is recorded in the log at $XFERLOG_DIR, or log.xlog in $XDG_STATE_HOME/xferlog or ~/.local/state/xferlog. \
      `xferlog replay` explains what happened to the transfers. Exit codes of transfers are curl's.

      Example: xfer get https://example.com/map.zip
      """,
    version: CommandLog.version,
    subcommands: [
      Get.self, Put.self, Request.self, Ship.self, Serve.self, Conditions.self, App.self, RunScenarios.self, ActorCommand.self,
    ])
}
