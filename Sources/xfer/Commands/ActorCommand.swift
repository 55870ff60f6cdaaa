import ArgumentParser
import Foundation
import XferScript

/// The `xfer actor` command.
struct ActorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "actor",
    abstract: "Run an app whose sessions, tasks and reactions to callbacks, correct or faulty, are defined by a script.",
    usage: "xfer actor [<options>] <script>",
    discussion: """
      The app uses only the library's public API. It runs until its script says `exit` or until it is killed; xferd launches it \
      again when its background sessions have events. In texts of the script, $SERVER, $FILES and $DIR stand for the values of \
      the options. The exit code is 2 if the script has a mistake.

      Example: xfer actor reader.yaml --server http://127.0.0.1:8080
      """)

  @Argument(help: "The script in YAML.", completion: .file(extensions: ["yaml", "yml"]))
  var script: String

  @Flag(help: "Only check the script.")
  var check = false

  @Option(help: "The address that $SERVER stands for.")
  var server: String?

  @Option(help: "The folder that $FILES stands for (default: files in the folder of --directory).")
  var files: String?

  @Option(help: "The folder that $DIR stands for, where the app keeps what later launches need (default: the script's folder).")
  var directory: String?

  func run() throws {
    let script: ActorScript
    do throws(ScriptError) {
      script = try ActorScript(contentsOf: self.script)
    } catch {
      throw CommandExit(Execution.wrongUsage, "\(error)")
    }
    if check { return print("\(self.script): ok") }
    let place = ActorPlace(script: self.script, directory: directory, files: files, server: server)
    let program: ActorProgram
    do {
      program = try ActorProgram(script, place)
    } catch {
      throw CommandExit(Execution.wrongUsage, "the app cannot start: \(error)")
    }
    program.run()
  }
}
