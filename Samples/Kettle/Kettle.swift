import ArgumentParser
import Foundation
import XferEngine

/// An app that need not be watched: what it fetches or sends goes on without it, and it is launched when that is done.
@main
struct Kettle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kettle", abstract: "Fetches and sends in the background.", subcommands: [Fetch.self, Send.self, Attend.self])

  struct Shared: ParsableArguments {
    @Option(help: "Where files go.")
    var into = "."

    @Option(help: "Do one thing wrong: \(WrongWay.allCases.map(\.rawValue).joined(separator: ", ")).")
    var wrong: WrongWay?

    /// With which a later life is launched.
    var attend: [String] { ["attend", "--into", into] + (wrong.map { ["--wrong", $0.rawValue] } ?? []) }
  }

  struct Fetch: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Starts downloads, and ends.")

    @OptionGroup var shared: Shared
    @Flag(help: "Do not end: somebody else will see to that.") var stay = false
    @Argument(help: "What to fetch.") var urls: [String]

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      for url in urls { app.fetch(url) }
      if stay { BackgroundApp.run() }
      app.leaveWhenIdle()
    }
  }

  struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Starts an upload of a file, and ends.")

    @OptionGroup var shared: Shared
    @Argument(help: "The file.") var file: String
    @Argument(help: "Where to.") var url: String

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      app.send(file, to: url)
      app.leave(code: 0)
    }
  }

  struct Attend: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "What the daemon launches: takes what has arrived, and ends.")

    @OptionGroup var shared: Shared

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      BackgroundApp.run()
    }
  }
}
