import ArgumentParser
import Foundation
import XferEngine
import XferEvents

/// The `xfer app` command, which starts, suspends and ends background apps as users and the system do.
struct App: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start, suspend and end apps that use background sessions, as their user or the system would.",
    discussion: """
      APP is a program's path, its last component, or a process id. The exit code is 1 when the action fails and 7 when xferd \
      cannot be reached.
      """,
    subcommands: [
      List.self, Launch.self, Foreground.self, Background.self, Suspend.self, Resume.self, Kill.self, ForceQuit.self,
      Trigger.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List apps with their processes, sessions and triggers.", discussion: "Example: xfer app list")

    @Option(name: .shortAndLong, help: "Output format (text or json).")
    var output = "text"

    func run() throws {
      guard case .apps(let apps) = try DeviceLink().ask(.apps) else { return }
      switch output {
      case "json": print(try DeviceDocument.text(apps))
      case "text": for app in apps { print(app.text) }
      default: throw CommandExit(Execution.wrongUsage, "--output \(output): expected text or json")
      }
    }
  }

  struct Launch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start a program as if the user had opened the app, and print its process id. xferd becomes its parent.",
      usage: "xfer app launch [<options>] <program> [<arguments> ...]",
      discussion: "Example: xfer app launch kettle fetch https://example.com/map.zip")

    @Flag(help: "Launch the app into the background state instead of the foreground.")
    var background = false

    @Option(name: .customLong("env"), help: "Add an environment variable (NAME=VALUE; repeatable).")
    var variables: [String] = []

    @Argument(help: "The program's path, or a name to find in $PATH.")
    var program: String

    @Argument(parsing: .captureForPassthrough, help: "The program's arguments.")
    var arguments: [String] = []

    func run() throws {
      let own = ProcessInfo.processInfo.environment.withoutEmptyVariables
      guard let path = ProgramPath.find(program, beside: nil, environment: own) else {
        throw CommandExit(DeviceLink.refused, "\(program) was not found or is not executable")
      }
      var environment = own.filter { BackgroundApp.keptEnvironment.contains($0.key) }
      for variable in variables {
        let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
          throw CommandExit(Execution.wrongUsage, "--env \(variable): expected NAME=VALUE")
        }
        environment[String(parts[0])] = String(parts[1])
      }
      print(
        try AppControl(link: DeviceLink()).launch(path, arguments, environment: environment, isBackground: background))
    }
  }

  struct Foreground: AppOrderCommand {
    static let configuration = CommandConfiguration(
      abstract: "Bring an app to the foreground.", discussion: "Example: xfer app foreground kettle")
    static let order = AppOrder.foreground
    @Argument(help: "The app (path, name or process id).") var app: String
  }

  struct Background: AppOrderCommand {
    static let configuration = CommandConfiguration(
      abstract: "Move an app to the background, as the home button does.", discussion: "Example: xfer app background kettle")
    static let order = AppOrder.background
    @Argument(help: "The app (path, name or process id).") var app: String
  }

  struct Suspend: AppOrderCommand {
    static let configuration = CommandConfiguration(
      abstract: "Suspend an app with SIGSTOP.", discussion: "Example: xfer app suspend kettle")
    static let order = AppOrder.suspend
    @Argument(help: "The app (path, name or process id).") var app: String
  }

  struct Resume: AppOrderCommand {
    static let configuration = CommandConfiguration(
      abstract: "Resume a suspended app with SIGCONT, into the background state.",
      discussion: """
        xferd suspends an app in the background state again after five seconds, unless the app does not allow suspension, has \
        background time, or handles a wake.

        Example: xfer app resume kettle
        """)
    static let order = AppOrder.resume
    @Argument(help: "The app (path, name or process id).") var app: String
  }

  struct Kill: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End an app with SIGKILL, as the system does.",
      discussion: "Example: xfer app kill kettle --because memoryPressure")

    @Option(help: "The exit reason to record (memoryPressure, watchdog, signal, upgraded …).")
    var because = "memoryPressure"

    @Argument(help: "The app (path, name or process id).") var app: String

    func run() throws {
      guard let reason = ExitReason.allCases.first(where: { $0.name == because }) else {
        let known = ExitReason.allCases.map(\.name).joined(separator: ", ")
        throw CommandExit(Execution.wrongUsage, "--because \(because): unknown reason; expected one of \(known)")
      }
      try AppControl(link: DeviceLink()).kill(app, because: reason)
    }
  }

  struct ForceQuit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Force-quit an app as its user does: end it and cancel the running tasks of its background sessions.",
      discussion: """
        Until the user starts the app again, for example with xfer app launch, xferd relaunches it only for location triggers \
        (significantLocation and region).

        Example: xfer app force-quit kettle
        """)
    @Argument(help: "The app (path, name or process id).") var app: String

    func run() throws { try AppControl(link: DeviceLink()).forceQuit(app) }
  }

  struct Trigger: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fire a launch trigger that an app has armed, such as a push.",
      discussion: "Example: xfer app trigger kettle region home")
    @Argument(help: "The app (path, name or process id).") var app: String
    @Argument(help: "The kind of trigger (significantLocation, region, push, timer, appRefresh or processing).") var kind: String
    @Argument(help: "The trigger's name (default: all triggers of the kind).") var name: String?

    func run() throws {
      guard let kind = LaunchTrigger.Kind(rawValue: kind) else {
        let known = LaunchTrigger.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandExit(Execution.wrongUsage, "\(kind) is not a kind of trigger; expected one of \(known)")
      }
      try AppControl(link: DeviceLink()).fire(kind, name, app)
    }
  }
}

/// A command that performs one action on one process.
protocol AppOrderCommand: ParsableCommand {
  static var order: AppOrder { get }
  var app: String { get }
}

extension AppOrderCommand {
  func run() throws { try AppControl(link: DeviceLink()).order(Self.order, app) }
}

extension AppStatus {
  /// The app in one readable line, followed by lines for its processes, sessions and triggers.
  fileprivate var text: String {
    var lines = ["\(app)\(isQuit ? ", force-quit by its user" : "")\(isRegistered ? "" : ", not registered")"]
    for process in processes {
      let sessions = process.sessions.isEmpty ? "" : ", sessions \(process.sessions.joined(separator: ", "))"
      let assertions = process.assertions.isEmpty ? "" : ", background time for \(process.assertions.joined(separator: ", "))"
      lines.append("  process \(process.pid) \(process.state)\(sessions)\(assertions)")
    }
    for session in sessions {
      let holds = session.holds.sorted { $0.key < $1.key }.map { ", \($0.value) held by \($0.key)" }.joined()
      lines.append(
        "  session \(session.identifier): \(session.tasks.counted("task")), \(session.running) running\(holds), \(session.pending.counted("callback")) queued"
      )
    }
    for trigger in triggers { lines.append("  trigger \(trigger)") }
    if launchDelay > 0 { lines.append("  next launch not before \(Double(launchDelay / 100_000_000) / 10) s from now") }
    return lines.joined(separator: "\n")
  }
}
