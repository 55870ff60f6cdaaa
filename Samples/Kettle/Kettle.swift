import ArgumentParser
import Foundation
import XferEngine
import XferEvents
import XferLogStore

/// An app that need not be watched: what it fetches or sends goes on without it, and it is launched when that is done.
@main
struct Kettle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kettle", abstract: "Fetches and sends in the background.",
    subcommands: [
      Fetch.self, Send.self, Attend.self, List.self, Continue.self, HandOver.self, FetchApart.self, Queue.self, StayAlive.self,
      ComeBack.self,
    ])

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
    @Flag(help: "Do not end: somebody else will see to that.") var stay = false
    @Flag(help: "The file was made to be sent, and is deleted then.") var temporary = false
    @Argument(help: "The file.") var file: String
    @Argument(help: "Where to.") var url: String

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      app.send(file, to: url, isTemporary: temporary)
      if stay { BackgroundApp.run() }
      app.leave(code: 0)
    }
  }

  struct Attend: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "What the daemon launches: takes what has arrived, and ends.")

    @OptionGroup var shared: Shared

    func run() throws {
      let app = try KettleApp(shared, endsWhenDone: true)
      app.launch()
      BackgroundApp.run()
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Says which tasks there are, and ends.")

    @OptionGroup var shared: Shared

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      app.list()
      BackgroundApp.run()
    }
  }

  struct Continue: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fetches part of a file, stops, goes on with what it has, and ends.")

    @OptionGroup var shared: Shared
    @Argument(help: "What to fetch.") var url: String

    func run() throws {
      let interrupted = InterruptedFetch(try KettleApp(shared))
      interrupted.start(url)
      BackgroundApp.run()
    }
  }

  struct HandOver: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fetches by itself, and hands over to a background session when its background time runs out.")

    @OptionGroup var shared: Shared
    @Argument(help: "What to fetch.") var url: String

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      let fetch = HandedOverFetch(app)
      fetch.start(url)
      BackgroundApp.run()
    }
  }

  struct FetchApart: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Fetches each URL in a background session of its own, and ends.")

    @OptionGroup var shared: Shared
    @Argument(help: "What to fetch.") var urls: [String]

    func run() throws {
      let app = try KettleApp(shared)
      let fetches = SeparateFetches(app)
      fetches.start(urls)
      BackgroundApp.run()
    }
  }

  struct Queue: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Fetches one after the other, each within a second, and ends.")

    @OptionGroup var shared: Shared
    @Argument(help: "What to fetch.") var urls: [String]

    func run() throws {
      let app = try KettleApp(shared)
      let queue = QueuedFetches(app)
      queue.start(urls)
      BackgroundApp.run()
    }
  }

  struct StayAlive: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Has a dead-man switch that rings when nobody looks at it any more, and asks to be launched when it is moved away.")

    @OptionGroup var shared: Shared

    func run() throws {
      let app = try KettleApp(shared)
      let watch = DeadManWatch(app)
      app.watch = watch
      app.launch()
      watch.start()
      BackgroundApp.run()
    }
  }

  struct ComeBack: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Asks, when it is ended, to be launched when it is moved away.")

    @OptionGroup var shared: Shared

    func run() throws {
      let app = try KettleApp(shared)
      app.watch = RegionWatch()
      app.log.emit(AppCapabilitiesRecorded(capabilities: "location"))
      app.launch()
      BackgroundApp.run()
    }
  }
}
