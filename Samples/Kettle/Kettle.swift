import ArgumentParser
import Foundation
import XferEngine
import XferEvents
import XferLogStore

/// A sample app whose downloads and uploads continue without it. The system launches it again when they are complete.
@main
struct Kettle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kettle", abstract: "Download and upload in the background.",
    subcommands: [
      Fetch.self, Send.self, Attend.self, List.self, Continue.self, HandOver.self, FetchApart.self, Queue.self, StayAlive.self,
      ComeBack.self,
    ])

  struct Shared: ParsableArguments {
    @Option(help: "Directory for downloaded files.")
    var into = "."

    @Option(help: "Programming error to simulate (\(WrongWay.allCases.map(\.rawValue).joined(separator: ", "))).")
    var wrong: WrongWay?

    /// The arguments with which the daemon relaunches the app.
    var attend: [String] { ["attend", "--into", into] + (wrong.map { ["--wrong", $0.rawValue] } ?? []) }
  }

  struct Fetch: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Start downloads and exit. Example: kettle fetch --into . URL")

    @OptionGroup var shared: Shared
    @Flag(help: "Keep running until the process is terminated.") var stay = false
    @Argument(help: "URLs to download.") var urls: [String]

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      for url in urls { app.fetch(url) }
      if stay { BackgroundApp.run() }
      app.leaveWhenIdle()
    }
  }

  struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Start an upload and exit. Example: kettle send FILE URL")

    @OptionGroup var shared: Shared
    @Flag(help: "Keep running until the process is terminated.") var stay = false
    @Flag(help: "Delete the file after the upload.") var temporary = false
    @Argument(help: "The file to upload.") var file: String
    @Argument(help: "The destination URL.") var url: String

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      app.send(file, to: url, isTemporary: temporary)
      if stay { BackgroundApp.run() }
      app.leave(code: 0)
    }
  }

  struct Attend: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Handle finished transfers and exit (used by the daemon's relaunches).")

    @OptionGroup var shared: Shared

    func run() throws {
      let app = try KettleApp(shared, endsWhenDone: true)
      app.launch()
      BackgroundApp.run()
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the session's tasks and exit.")

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
      abstract: "Download part of a file, cancel, resume the download and exit.")

    @OptionGroup var shared: Shared
    @Argument(help: "The URL to download.") var url: String

    func run() throws {
      let interrupted = InterruptedFetch(try KettleApp(shared))
      interrupted.start(url)
      BackgroundApp.run()
    }
  }

  struct HandOver: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Download in a foreground session, and hand over to a background session when background time expires.")

    @OptionGroup var shared: Shared
    @Argument(help: "The URL to download.") var url: String

    func run() throws {
      let app = try KettleApp(shared)
      app.launch()
      let fetch = HandedOverFetch(app)
      fetch.start(url)
      BackgroundApp.run()
    }
  }

  struct FetchApart: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Download each URL in a separate background session and exit.")

    @OptionGroup var shared: Shared
    @Argument(help: "URLs to download.") var urls: [String]

    func run() throws {
      let app = try KettleApp(shared)
      let fetches = SeparateFetches(app)
      fetches.start(urls)
      BackgroundApp.run()
    }
  }

  struct Queue: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Download URLs one after another with a timeout of one second each, and exit.")

    @OptionGroup var shared: Shared
    @Argument(help: "URLs to download.") var urls: [String]

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
        "Arm a dead-man switch that fires if it is not checked, and request a relaunch when the device leaves a region.")

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
      abstract: "Request a relaunch for leaving a region when the app is terminated.")

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
