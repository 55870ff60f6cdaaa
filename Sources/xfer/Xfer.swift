import ArgumentParser
import Foundation

@main
enum Xfer {
  static func main() async {
    // A reader that closes the pipe is found out by write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    // libcurl converts names in other scripts from what the locale says: words of a command line are UTF-8.
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "") }
    let words = CommandLine.arguments
    SecretArguments.hide(words)
    exit(await Execution.run(Array(words.dropFirst())))
  }
}

struct XferCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xfer",
    abstract: "Transfers files, and keeps a log that xferlog can replay.",
    discussion: """
      Every step goes to the log in $XFERLOG_DIR, or log.xlog in the state directory. `xferlog replay` says what became of \
      the transfers. Exit codes are curl's.
      """,
    version: CommandLog.version,
    subcommands: [Get.self, Put.self, Request.self, Serve.self, Conditions.self, App.self, RunScenarios.self])
}
